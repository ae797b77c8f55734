/** The lines of the activity. */
import { expect, it } from "vitest";
import { type AuditEntry, type BoardEvent, EVENT_KINDS } from "../../src/contract/events.ts";
import { byDay } from "../../src/web/activity/days.ts";
import { tellEvent, tellPrivilege } from "../../src/web/activity/told.ts";

const event = (kind: BoardEvent["kind"], data: object = {}, more: Partial<BoardEvent> = {}): BoardEvent => ({
  seq: 1,
  at: 0,
  kind,
  taskId: "t",
  actor: { type: "agent", id: "ada" },
  data: data as BoardEvent["data"],
  ...more,
});

it("every kind of event has a line, also where its data says less than it should", () => {
  for (const kind of EVENT_KINDS) expect(tellEvent(event(kind)).does).not.toBe("");
});

it("a line says what was done, and brings what was written with it", () => {
  const ended = event("execution_completed", {
    status: "timed_out",
    to: "todo",
    late: true,
    unblockedCount: 2,
    summary: "Half of it.",
  });
  expect(tellEvent(ended)).toEqual({
    does: "ended the run of",
    ends: "as timed out, late, now To do; 2 became ready",
    words: "Half of it.",
  });
  expect(tellEvent(event("task_claimed", {}, { epoch: 3 })).ends).toBe("(attempt 3)");
  expect(tellEvent(event("dependency_linked", { dependsOnTaskId: "u" }))).toMatchObject({
    ends: "wait for",
    other: "u",
  });
  expect(tellEvent(event("task_released", { via: "sweep" })).ends).toBe(
    "from a holder that had fallen silent",
  );
  expect(tellEvent(event("board_changed", { paused: true, settings: { maxAttempts: 2 } })).does).toBe(
    "changed the board: paused, (max attempts)",
  );
});

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
    ends: "and moved it to Done",
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
