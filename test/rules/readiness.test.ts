import { expect, it } from "vitest";
import { isDeferred, isEdgeSatisfied, isReady, type Readiness } from "../../src/rules/readiness.ts";
import { TASK_STATUSES } from "../../src/rules/status.ts";

const NOW = 1_800_000_000_000;
const READY: Readiness = {
  status: "todo",
  dropped: false,
  assigned: false,
  openDependencies: 0,
  notBefore: null,
};

it("a free todo task without open edges is ready", () => {
  expect(isReady(READY, NOW)).toBe(true);
});

it.each(TASK_STATUSES.filter((status) => status !== "todo"))("a task in %s is not ready", (status) => {
  expect(isReady({ ...READY, status }, NOW)).toBe(false);
});

it.each<{ why: string; change: Partial<Readiness> }>([
  { why: "is dropped", change: { dropped: true } },
  { why: "has an assignee", change: { assigned: true } },
  { why: "waits for one task", change: { openDependencies: 1 } },
  { why: "is deferred", change: { notBefore: NOW + 1 } },
])("a task that $why is not ready", ({ change }) => {
  expect(isReady({ ...READY, ...change }, NOW)).toBe(false);
});

it("a deferred task becomes ready in the very millisecond it was deferred to", () => {
  expect(isDeferred(NOW + 1, NOW)).toBe(true);
  expect(isDeferred(NOW, NOW)).toBe(false);
  expect(isDeferred(null, NOW)).toBe(false);
  expect(isReady({ ...READY, notBefore: NOW }, NOW)).toBe(true);
});

it.each(TASK_STATUSES)(
  "an edge on a blocker in %s is satisfied only by done, or by cancelled where it says so",
  (blocker) => {
    expect(isEdgeSatisfied(blocker, "hold")).toBe(blocker === "done");
    expect(isEdgeSatisfied(blocker, "cascade")).toBe(blocker === "done");
    expect(isEdgeSatisfied(blocker, "satisfy")).toBe(blocker === "done" || blocker === "cancelled");
  },
);
