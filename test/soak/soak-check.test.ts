/** The check at the end of a soak has to find what it is there to find. */
import { expect, it } from "vitest";
import { AT, edgeLine, runLine, taskLine } from "../support/export-lines.ts";
import { checkSoak } from "./soak-check.ts";

const TASKS = [
  taskLine(1, { status: "done", epoch: 2, completedAt: AT }),
  taskLine(2, { status: "done", epoch: 1, completedAt: AT + 20 }),
  taskLine(3),
];
const EDGES = [edgeLine("task-2", "task-1")];
const RUNS = [
  runLine("task-1", 1, { status: "timed_out" }),
  runLine("task-1", 2),
  runLine("task-2", 1, { startedAt: AT + 10 }),
];
const GOOD = { tasks: TASKS, edges: EDGES, runs: RUNS };

it("a whole board has no fault", () => {
  const told = [
    { taskId: "task-1", epoch: 1, how: "lost" },
    { taskId: "task-1", epoch: 2, how: "succeeded" },
    { taskId: "task-2", epoch: 1, how: "unknown" },
  ] as const;
  expect(checkSoak(GOOD, 3, told)).toEqual([]);
});

it.each<[string, Partial<typeof GOOD>]>([
  ["a task that is gone", { tasks: TASKS.slice(0, 2) }],
  [
    "a task that is left in somebody's hands",
    { tasks: TASKS.with(2, taskLine(3, { status: "in_progress" })) },
  ],
  ["a task that was done twice", { runs: RUNS.with(0, runLine("task-1", 1)) }],
  ["a success that was lost", { tasks: TASKS.with(1, taskLine(2, { epoch: 1 })) }],
  ["a run that is gone", { runs: RUNS.slice(1) }],
  ["a run that began too early", { runs: RUNS.with(2, runLine("task-2", 1, { startedAt: AT - 1 })) }],
])("%s is found", (_what, otherwise) => {
  expect(checkSoak({ ...GOOD, ...otherwise }, 3, [])).not.toEqual([]);
});

it.each(["failed", "released", "lost"] as const)(
  "a run that was %s for its worker did not succeed",
  (how) => {
    expect(checkSoak(GOOD, 3, [{ taskId: "task-1", epoch: 2, how }])).toHaveLength(1);
  },
);
