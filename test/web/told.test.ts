/** Every kind of event as a sentence that goes on from who did it, around the task it is about. */
import { describe, expect, it } from "vitest";
import { type BoardEvent, EVENT_KINDS, type EventKind } from "../../src/contract/events.ts";
import { sentenceOf, tellEvent } from "../../src/web/ui/told.ts";

const event = (kind: EventKind, data: BoardEvent["data"] = {}, epoch?: number): BoardEvent => ({
  seq: 1,
  at: 0,
  kind,
  taskId: "a",
  actor: { type: "agent", id: "anna" },
  ...(epoch === undefined ? {} : { epoch }),
  data,
});

describe("in a task's own history it is told", () => {
  it.each<[EventKind, BoardEvent["data"], number | undefined, string, string | undefined]>([
    [
      "task_created",
      { task: { status: "todo" }, dependsOn: ["b"] },
      undefined,
      "created it in “To do”, waiting for 1 task",
      undefined,
    ],
    [
      "task_edited",
      { fields: { title: "New", labels: ["a", "b"], budgetUsd: null } },
      undefined,
      "changed it (the title to “New”, the labels to a, b and the budget to none)",
      undefined,
    ],
    ["task_edited", { fields: { description: "Long" } }, undefined, "changed it (the description)", "Long"],
    ["task_claimed", { runtime: "codex" }, 2, "claimed it (attempt 2) with codex", undefined],
    [
      "execution_completed",
      { status: "failed", from: "in_progress", to: "blocked", error: "Red.", unblockedCount: 0 },
      2,
      "ended its run as failed (attempt 2), which moved it from “In progress” to “Blocked”",
      "Red.",
    ],
    [
      "execution_completed",
      { status: "succeeded", from: "in_progress", to: "done", summary: "Done.", unblockedCount: 2 },
      1,
      "ended its run as succeeded (attempt 1), which moved it from “In progress” to “Done”; 2 tasks wait for it no longer",
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
      undefined,
    ],
    ["comment_added", { comment: { body: "Hello" } }, undefined, "said on it", "Hello"],
    [
      "verification_recorded",
      { verification: { status: "fail", structuredError: { what: "Red." } } },
      1,
      "judged it as fail",
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
      "dependency_linked",
      { dependsOnTaskId: "u", onCancel: "hold" },
      1,
      "made it wait for another task",
      undefined,
    ],
    [
      "dependency_linked",
      { dependsOnTaskId: "u", onCancel: "cascade" },
      1,
      "made it wait (cascade on cancel) for another task",
      undefined,
    ],
    [
      "budget_stopped",
      { scope: "task", budgetUsd: 2 },
      undefined,
      "saw all of the budget of $2.00 spent on it",
      undefined,
    ],
  ])("%s", (kind, data, epoch, said, words) => {
    const told = tellEvent(event(kind, data, epoch));
    expect({ said: sentenceOf(told), words: told.words }).toEqual({ said, words });
  });

  it.each(EVENT_KINDS)("%s, even where its data says nothing", (kind) => {
    expect(sentenceOf(tellEvent(event(kind)))).toMatch(/^[a-z].*[^ ]$/);
  });
});

describe("in the activity a task's name stands in the middle", () => {
  it("the words before and behind it make one sentence with it", () => {
    const ended = { status: "timed_out", from: "in_progress", to: "todo", late: true, unblockedCount: 2 };
    expect(tellEvent(event("execution_completed", { ...ended, summary: "Half of it." }))).toEqual({
      does: "ended the run of",
      ends: "as timed out, late, which moved it from “In progress” to “To do”; 2 tasks wait for it no longer",
      words: "Half of it.",
    });
    expect(tellEvent(event("task_claimed", {}, 3))).toEqual({ does: "claimed", ends: "(attempt 3)" });
  });

  it("a second task is named behind", () => {
    const linked = event("dependency_unlinked", { dependsOnTaskId: "u" });
    expect(tellEvent(linked)).toEqual({ does: "let", ends: "no longer wait for", other: "u" });
  });

  it("what is about no task is told without", () => {
    const changed = event("board_changed", { paused: true, settings: { maxAttempts: 2 } });
    expect(tellEvent(changed).does).toBe("paused the board and turned max attempts");
    const minted = event("token_minted", { token: { agentId: "bob", role: "worker" } });
    expect(tellEvent(minted)).toEqual({ does: "made a worker's token for bob" });
  });
});
