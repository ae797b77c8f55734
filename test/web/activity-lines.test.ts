/** The lines of the activity. */
import { expect, it } from "vitest";
import type { AuditEntry } from "../../src/contract/events.ts";
import { byDay } from "../../src/web/activity/days.ts";
import { tellPrivilege } from "../../src/web/activity/privileges.ts";

it("a privilege that is not known here is told by its name", () => {
  const entry: AuditEntry = {
    id: 1,
    at: 0,
    actorId: "lead",
    kind: "webhook_created",
    taskId: null,
    priorStatus: null,
    reason: null,
    data: {},
  };
  expect(tellPrivilege(entry).does).toBe("webhook created:");
  expect(
    tellPrivilege({ ...entry, kind: "human_override", data: { to: "done" }, priorStatus: "todo" }),
  ).toEqual({
    does: "overrode the gate of",
    ends: "and moved it to “Done”",
    words: undefined,
  });
});

it("lines stand under their day, and today's under its name", () => {
  const noon = new Date(2026, 4, 10, 12).getTime();
  const lines = [noon, noon - 3_600_000, noon - 86_400_000].map((at) => ({ at }));
  const days = byDay(lines, noon + 60_000);
  expect(days.map(({ name, lines }) => [name === "Today", lines.length])).toEqual([
    [true, 2],
    [false, 1],
  ]);
});
