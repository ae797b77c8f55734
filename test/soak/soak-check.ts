/** Whether a long run kept the board's word: no task lost, none done twice, each as its worker was told. Pure. */
import type { Tables } from "../crash/read-board.ts";

/** How a run ended, as its worker knows it. */
export interface Told {
  taskId: string;
  epoch: number;
  how: "succeeded" | "failed" | "released" | "lost" | "unknown";
}

type Ledger = {
  tasks: Pick<Tables["tasks"][number], "id" | "number" | "status" | "epoch" | "completedAt">[];
  edges: Pick<Tables["edges"][number], "taskId" | "dependsOnTaskId">[];
  runs: Pick<Tables["runs"][number], "taskId" | "epoch" | "status" | "startedAt">[];
};

export function checkSoak({ tasks, edges, runs }: Ledger, made: number, told: readonly Told[]): string[] {
  const byTask = Map.groupBy(runs, ({ taskId }) => taskId);
  const byLease = new Map(runs.map((run) => [`${run.taskId} ${run.epoch}`, run]));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return [
    ...(tasks.length === made ? [] : [`${made} tasks were made, ${tasks.length} are there`]),
    ...tasks.flatMap((task) => {
      const own = byTask.get(task.id) ?? [];
      const successes = own.filter(({ status }) => status === "succeeded").length;
      const expected = task.status === "done" ? 1 : 0;
      return [
        ...(task.status === "done" || task.status === "todo"
          ? []
          : [`n${task.number} is left ${task.status}`]),
        ...(successes === expected
          ? []
          : [`n${task.number} is ${task.status} and succeeded ${successes} times`]),
        ...(own.length === task.epoch
          ? []
          : [`n${task.number} has ${own.length} runs, its epoch is ${task.epoch}`]),
      ];
    }),
    ...told.flatMap(({ taskId, epoch, how }) => {
      const status = byLease.get(`${taskId} ${epoch}`)?.status ?? "missing";
      // What a worker never heard the end of may have ended either way.
      const fits = how === "unknown" || (how === "lost" ? status === "timed_out" : status === how);
      return fits ? [] : [`run ${epoch} of ${taskId} was ${how} for its worker and is ${status}`];
    }),
    ...edges.flatMap(({ taskId, dependsOnTaskId }) => {
      const doneAt = byId.get(dependsOnTaskId)?.completedAt ?? Number.POSITIVE_INFINITY;
      const early = (byTask.get(taskId) ?? []).filter(({ startedAt }) => startedAt < doneAt);
      return early.map(({ epoch }) => `run ${epoch} of ${taskId} began before ${dependsOnTaskId} was done`);
    }),
  ];
}
