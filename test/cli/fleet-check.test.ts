/** The check at the end of the fleet has to find what it is there to find. */
import { expect, it } from "vitest";
import type { BoardEvent } from "../../src/contract/events.ts";
import { checkLedger, type Known } from "../crash/fleet-check.ts";

type Run = Parameters<typeof checkLedger>[0][number];

const run = (taskId: string, epoch: number, status: Run["status"]): Run => ({
  id: `${taskId}-${epoch}`,
  taskId,
  epoch,
  status,
});
const claimsOf = (runs: Run[]) =>
  runs.map(({ taskId, epoch }) => ({ kind: "task_claimed", taskId, epoch }) as unknown as BoardEvent);

const RUNS = [
  run("a", 1, "failed"),
  run("a", 2, "timed_out"),
  run("a", 3, "succeeded"),
  run("b", 1, "succeeded"),
];
const KNOWN: Known[] = [
  { taskId: "a", epoch: 1, how: "failed" },
  { taskId: "a", epoch: 2, how: "stopped" },
  { taskId: "a", epoch: 2, how: "lost" },
  { taskId: "b", epoch: 1, how: "succeeded" },
];

it("a whole ledger has no fault", () => {
  expect(checkLedger(RUNS, claimsOf(RUNS), KNOWN)).toEqual([]);
});

it.each<[string, Run[]]>([
  ["a run that is missing", RUNS.filter(({ epoch }) => epoch !== 2)],
  ["two successes", [...RUNS, run("b", 2, "succeeded")]],
  ["a run after the success", [...RUNS, run("b", 2, "failed")]],
  ["a zombie that had its way", RUNS.with(1, run("a", 2, "succeeded"))],
  ["a run that is still open", RUNS.with(2, run("a", 3, "running"))],
])("%s is found", (_what, runs) => {
  expect(checkLedger(runs, claimsOf(RUNS), KNOWN)).not.toEqual([]);
});
