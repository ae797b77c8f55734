/** Every kind of event as a sentence that goes on from who did it. */
import { describe, expect, it } from "vitest";
import { type BoardEvent, EVENT_KINDS, type EventKind } from "../../src/contract/events.ts";
import { tellEvent } from "../../src/web/task/event-sentence.ts";

const event = (kind: EventKind, data: BoardEvent["data"] = {}, epoch?: number): BoardEvent => ({
  seq: 1,
  at: 0,
  kind,
  taskId: "a",
  actor: { type: "agent", id: "anna" },
  ...(epoch === undefined ? {} : { epoch }),
  data,
});

describe("an event is told", () => {
  it.each<[EventKind, BoardEvent["data"], number | undefined, string, string | null]>([
    [
      "task_created",
      { task: { status: "todo" }, dependsOn: ["b"] },
      undefined,
      "created it in “To do”, waiting for 1 task",
      null,
    ],
    [
      "task_edited",
      { fields: { title: "New", labels: ["a", "b"], budgetUsd: null } },
      undefined,
      "changed the title to “New”, the labels to a, b and the budget to none",
      null,
    ],
    ["task_edited", { fields: { description: "Long" } }, undefined, "changed the description", "Long"],
    ["task_claimed", { runtime: "codex" }, 2, "claimed it (attempt 2), with codex", null],
    [
      "execution_completed",
      { status: "failed", from: "in_progress", to: "blocked", error: "Red.", unblockedCount: 0 },
      2,
      "ended the run (attempt 2) as failed, which moved it from “In progress” to “Blocked”",
      "Red.",
    ],
    [
      "execution_completed",
      { status: "succeeded", from: "in_progress", to: "done", summary: "Done.", unblockedCount: 2 },
      1,
      "ended the run (attempt 1) as succeeded, which moved it from “In progress” to “Done”; 2 tasks wait for it no longer",
      "Done.",
    ],
    [
      "status_changed",
      { from: "in_review", to: "done", override: true, reason: "I looked." },
      1,
      "moved it from “In review” to “Done”, overriding what held it back",
      "I looked.",
    ],
    [
      "task_released",
      { via: "sweep", from: "in_progress", to: "todo", execution: {} },
      3,
      "took it back from a holder that had fallen silent (attempt 3), which moved it from “In progress” to “To do”",
      null,
    ],
    ["comment_added", { comment: { body: "Hello" } }, undefined, "said", "Hello"],
    [
      "verification_recorded",
      { verification: { status: "fail", structuredError: { what: "Red." } } },
      1,
      "recorded the verdict: fail",
      "Red.",
    ],
    [
      "stop_requested",
      { mode: "drain", reason: "Budget." },
      1,
      "asked its holder to finish and take nothing new",
      "Budget.",
    ],
    [
      "board_changed",
      { paused: true, settings: { maxAttempts: 2 } },
      undefined,
      "paused the board and turned maxAttempts",
      null,
    ],
    [
      "budget_stopped",
      { scope: "task", budgetUsd: 2 },
      undefined,
      "saw all of the budget of $2.00 spent",
      null,
    ],
  ])("%s", (kind, data, epoch, said, words) => {
    expect(tellEvent(event(kind, data, epoch))).toEqual({ said, words });
  });

  it.each(EVENT_KINDS)("%s, even where its data says nothing", (kind) => {
    expect(tellEvent(event(kind)).said).toMatch(/^[a-z]/);
  });
});
