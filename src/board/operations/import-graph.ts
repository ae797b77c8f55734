/** What no import may bring: rings of waiting, rings of parents, and more tasks waiting for one than may. */
import { type Refusal, refuse } from "../../contract/result.ts";
import { findCycle } from "../../rules/graph.ts";
import type { Context } from "../context.ts";
import { crowdedBlocker, edgesAbove, parentsAbove } from "../store/import-graph.ts";
import { findTask } from "../store/tasks.ts";
import { dependentCap } from "./create-task.ts";

export interface Fresh {
  /** Tasks the import made or changed: whatever ring it closed leads through one of them. */
  taskIds: readonly string[];
  /** Tasks that new edges lead to. */
  blockerIds: Iterable<string>;
  /** How the source calls a task. */
  nameOf: (taskId: string) => string;
}

/** Looked for before anything is written: a child is never written without its parent. */
export function parentRing(
  parents: ReadonlyMap<string, readonly string[]>,
  nameOf: Fresh["nameOf"] = (id) => id,
): Refusal | null {
  const ring = findCycle(parents);
  return ring === null
    ? null
    : refuse("parent_cycle", "A task cannot lie under itself.", { path: ring.map(nameOf) });
}

/** Looked for when all is written; a refusal takes it back. */
export function graphFault(ctx: Context, fresh: Fresh): Refusal | null {
  if (fresh.taskIds.length === 0) return null;
  const waits = findCycle(edgesAbove(ctx.sql, fresh.taskIds));
  if (waits !== null)
    return refuse("task_dependency_cycle", "These tasks would wait for each other for ever.", {
      path: waits.map(fresh.nameOf),
    });
  const ring = parentRing(parentsAbove(ctx.sql, fresh.taskIds), fresh.nameOf);
  if (ring !== null) return ring;
  const crowded = crowdedBlocker(ctx.sql, fresh.blockerIds);
  const blocker = crowded === null ? null : findTask(ctx.sql, crowded);
  return blocker === null ? null : dependentCap(blocker);
}
