/** Whether a fleet's ledger is whole: every attempt in it, each told as it was, and one success for a task. Pure. */
import type { BoardEvent } from "../../src/contract/events.ts";
import type { Execution } from "../../src/contract/task.ts";

/** A run as whoever had it, or took it away, knows it. */
export interface Known {
  taskId: string;
  epoch: number;
  how: "succeeded" | "failed" | "lost" | "killed" | "stopped";
}

/** How the board has to have closed it. A killed or stopped holder said nothing: the sweep did. */
const CLOSED: Record<Known["how"], Execution["status"]> = {
  succeeded: "succeeded",
  failed: "failed",
  lost: "timed_out",
  killed: "timed_out",
  stopped: "timed_out",
};

type Run = Pick<Execution, "id" | "taskId" | "epoch" | "status">;

export function checkLedger(
  runs: readonly Run[],
  events: readonly BoardEvent[],
  known: readonly Known[],
): string[] {
  const byTask = Map.groupBy(runs, ({ taskId }) => taskId);
  const byEpoch = new Map(runs.map((run) => [`${run.taskId} ${run.epoch}`, run]));
  const claimed = events.filter(({ kind }) => kind === "task_claimed");
  return [
    ...[...byTask].flatMap(([taskId, attempts]) => faultsOf(taskId, attempts)),
    ...claimed
      .filter(({ taskId, epoch }) => !byEpoch.has(`${taskId} ${epoch}`))
      .map(({ taskId, epoch }) => `claim ${epoch} of ${taskId} is not in the ledger`),
    ...(claimed.length === runs.length ? [] : [`${claimed.length} claims, but ${runs.length} runs`]),
    ...known.flatMap(({ taskId, epoch, how }) => {
      const status = byEpoch.get(`${taskId} ${epoch}`)?.status ?? "missing";
      if (status === CLOSED[how]) return [];
      return [`run ${epoch} of ${taskId} was ${how} and is ${status} in the ledger`];
    }),
  ];
}

function faultsOf(taskId: string, attempts: readonly Run[]): string[] {
  const epochs = attempts.map(({ epoch }) => epoch).toSorted((a, b) => a - b);
  const successes = attempts.filter(({ status }) => status === "succeeded");
  const last = attempts.find(({ epoch }) => epoch === epochs.at(-1));
  return [
    ...(epochs.every((epoch, index) => epoch === index + 1) ? [] : [`${taskId} has runs ${epochs}`]),
    ...(successes.length === 1 ? [] : [`${taskId} succeeded ${successes.length} times`]),
    ...(last?.status === "succeeded" ? [] : [`the last run of ${taskId} is ${last?.status}`]),
  ];
}
