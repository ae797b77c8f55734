import { expect, it } from "vitest";
import { CONTENT_FIELDS, type EditRequest, editObstacle } from "../../src/rules/authority.ts";
import { TASK_STATUSES } from "../../src/rules/status.ts";

/** A worker that neither holds nor made the task, and asks for nothing. */
const STRANGER: EditRequest = {
  role: "worker",
  holds: false,
  ownsUnheld: false,
  builtIt: false,
  from: "todo",
  to: null,
  fields: [],
};

const LEADS_OWN = ["teamId", "requiredCapabilities", "parentTaskId", "budgetUsd"];

it("the fields of a task's content are these", () => {
  expect([...CONTENT_FIELDS].sort()).toEqual(
    ["description", "externalRef", "kind", "labels", "notBefore", "priority", "title"].sort(),
  );
});

it.each<[string, Partial<EditRequest>]>([
  ["anyone who asks for nothing", {}],
  ["a holder who moves its task", { holds: true, from: "in_progress", to: "blocked" }],
  ["a holder who finishes its task", { holds: true, from: "in_progress", to: "done" }],
  ["a holder who hands its task in", { holds: true, from: "in_progress", to: "in_review" }],
  [
    "a verifier who holds and moves its task",
    { role: "verifier", holds: true, from: "in_progress", to: "todo" },
  ],
  ["a verifier who approves another's work", { role: "verifier", from: "in_review", to: "done" }],
  ["a holder who takes its work out of review", { holds: true, from: "in_review", to: "in_progress" }],
  ["a holder who edits content", { holds: true, fields: ["title", "labels"] }],
  ["a holder who says what blocks it", { holds: true, fields: ["blockedReason"] }],
  ["its maker who edits content", { ownsUnheld: true, fields: [...CONTENT_FIELDS] }],
  [
    "a holder who moves and edits",
    { holds: true, from: "in_progress", to: "blocked", fields: ["blockedReason", "description"] },
  ],
])("%s is let through", (_who, request) => {
  expect(editObstacle({ ...STRANGER, ...request })).toBeNull();
});

it.each<[string, string, Partial<EditRequest>]>([
  ["a stranger who moves a task", "forbidden", { from: "in_progress", to: "blocked" }],
  ["its maker who moves a task", "forbidden", { ownsUnheld: true, to: "backlog" }],
  ["a builder who no longer holds it and moves it", "forbidden", { builtIt: true, to: "backlog" }],
  ["a verifier who moves a task", "forbidden", { role: "verifier", to: "blocked" }],
  [
    "a verifier who approves what it built",
    "self_review",
    { role: "verifier", builtIt: true, from: "in_review", to: "done" },
  ],
  [
    "a verifier who approves what it holds",
    "self_review",
    { role: "verifier", holds: true, from: "in_review", to: "done" },
  ],
  ["a verifier who sends work back", "forbidden", { role: "verifier", from: "in_review", to: "in_progress" }],
  [
    "a verifier who cancels work in review",
    "forbidden",
    { role: "verifier", from: "in_review", to: "cancelled" },
  ],
  [
    "a verifier who finishes what is not in review",
    "forbidden",
    { role: "verifier", from: "in_progress", to: "done" },
  ],
  ["a worker who approves another's work", "forbidden", { from: "in_review", to: "done" }],
  ["a worker who approves what it built", "self_review", { builtIt: true, from: "in_review", to: "done" }],
  ["a holder who approves its own work", "self_review", { holds: true, from: "in_review", to: "done" }],
  ["its maker who says what blocks it", "forbidden", { ownsUnheld: true, fields: ["blockedReason"] }],
  ["a stranger who edits content", "forbidden", { fields: ["title"] }],
  ["a verifier who edits content", "forbidden", { role: "verifier", fields: ["title"] }],
  ["a builder who no longer holds it and edits content", "forbidden", { builtIt: true, fields: ["title"] }],
  [
    "a holder who moves and edits beyond content",
    "forbidden",
    { holds: true, from: "in_progress", to: "blocked", fields: ["description", "budgetUsd"] },
  ],
  ["its maker who moves and edits", "forbidden", { ownsUnheld: true, to: "backlog", fields: ["title"] }],
  [
    "a verifier who approves and edits",
    "forbidden",
    { role: "verifier", from: "in_review", to: "done", fields: ["title"] },
  ],
  [
    "a builder who approves and edits",
    "self_review",
    { builtIt: true, from: "in_review", to: "done", fields: ["title"] },
  ],
])("%s is refused: %s", (_who, reason, request) => {
  expect(editObstacle({ ...STRANGER, ...request })).toBe(reason);
});

it.each(LEADS_OWN)("%s is a lead's to write, also on a task one holds or made", (field) => {
  for (const standing of [{ holds: true }, { ownsUnheld: true }, { holds: true, ownsUnheld: true }])
    for (const fields of [[field], ["title", field], [field, "title"]])
      expect(editObstacle({ ...STRANGER, ...standing, fields })).toBe("forbidden");
});

it.each(CONTENT_FIELDS)("%s may be written by the holder and by the maker of an unheld task", (field) => {
  expect(editObstacle({ ...STRANGER, holds: true, fields: [field] })).toBeNull();
  expect(editObstacle({ ...STRANGER, ownsUnheld: true, fields: [field] })).toBeNull();
  expect(editObstacle({ ...STRANGER, fields: [field] })).toBe("forbidden");
});

it("nobody but a holder, or a verifier who approves, moves anything anywhere", () => {
  for (const role of ["worker", "verifier"] as const)
    for (const from of TASK_STATUSES)
      for (const to of TASK_STATUSES) {
        const approves = role === "verifier" && from === "in_review" && to === "done";
        expect(
          editObstacle({ ...STRANGER, role, ownsUnheld: true, from, to }),
          `${role}: ${from} to ${to}`,
        ).toBe(approves ? null : "forbidden");
      }
});
