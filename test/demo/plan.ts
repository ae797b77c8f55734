/** The plan as the board took it in, read back from its log: what there is to do, and what nobody can start. */
import * as z from "zod";
import type { BoardEvent } from "../../src/contract/events.ts";
import { taskStatus } from "../../src/contract/task.ts";

const createdData = z.object({
  task: z.object({
    number: z.number(),
    title: z.string(),
    status: taskStatus,
    notBefore: z.number().nullable(),
  }),
  dependsOn: z.array(z.string()),
});

export interface PlannedTask {
  id: string;
  /** Number and title: how a person is told of it. */
  name: string;
  status: z.infer<typeof taskStatus>;
  deferred: boolean;
  dependsOn: string[];
}

export type Plan = ReadonlyMap<string, PlannedTask>;

export function readPlan(events: readonly BoardEvent[]): Plan {
  const plan = new Map<string, PlannedTask>();
  for (const { kind, taskId, at, data } of events) {
    if (kind !== "task_created" || taskId === null) continue;
    const { task, dependsOn } = createdData.parse(data);
    plan.set(taskId, {
      id: taskId,
      name: `n${task.number} ${task.title}`,
      status: task.status,
      deferred: task.notBefore !== null && task.notBefore > at,
      dependsOn,
    });
  }
  return plan;
}

/**
 * Splits what is not done yet: `open` can be drained; `leftOut` came in blocked, in the backlog or for a later
 * time, or waits for a task that did.
 */
export function divide(plan: Plan): { open: Set<string>; leftOut: Set<string> } {
  const dependents = Map.groupBy(
    [...plan.values()].flatMap(({ id, dependsOn }) => dependsOn.map((blocker) => ({ id, blocker }))),
    ({ blocker }) => blocker,
  );
  const undone = [...plan.values()].filter((task) => task.status !== "done");
  const leftOut = new Set(
    undone.filter((task) => task.status !== "todo" || task.deferred).map((task) => task.id),
  );
  // The set grows while it is walked: each task it takes in leaves out its own dependents too.
  for (const held of leftOut)
    for (const { id } of dependents.get(held) ?? []) if (plan.get(id)?.status !== "done") leftOut.add(id);
  const open = new Set(undone.map((task) => task.id).filter((id) => !leftOut.has(id)));
  return { open, leftOut };
}
