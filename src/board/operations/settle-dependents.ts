/**
 * What the end of a task means for those that wait for it. `done` satisfies every edge; `cancelled` satisfies
 * the edges that say so, cancels along the ones that cascade, and leaves the rest waiting.
 */
import { MAX_DEPENDENTS, UNBLOCKED_SHOWN } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/result.ts";
import type { TaskRef } from "../../contract/task.ts";
import type { Context } from "../context.ts";
import { closeEdges, dependentEdges } from "../store/dependencies.ts";
import type { TaskRow } from "../store/rows.ts";
import { findTasks, moveTasks } from "../store/tasks.ts";
import { viewRef } from "../view.ts";
import { moved } from "./move-task.ts";

export interface Settled {
  /** Tasks whose last open edge this closed, the first hundred. */
  unblocked: TaskRef[];
  unblockedCount: number;
}

export const NOTHING_SETTLED: Settled = { unblocked: [], unblockedCount: 0 };

export function settleDone(ctx: Context, task: TaskRow): Settled {
  const { count, shown } = closeEdges(ctx.sql, [task.id], "all", ctx.now);
  return { unblocked: shown.map(viewRef), unblockedCount: count };
}

/** Follows cancelled tasks along their edges, one layer of the graph at a time. */
export function settleCancelled(ctx: Context, cancelled: readonly TaskRow[]): Settled | Refusal {
  const unblocked: TaskRef[] = [];
  let unblockedCount = 0;
  let cascaded = 0;
  for (let layer = cancelled; layer.length > 0; ) {
    const ids = layer.map((task) => task.id);
    const freed = closeEdges(ctx.sql, ids, "satisfy", ctx.now);
    unblocked.push(...freed.shown.map(viewRef));
    unblockedCount += freed.count;
    const pending = findTasks(ctx.sql, dependentEdges(ctx.sql, ids, "cascade")).filter(isPending);
    cascaded += pending.length;
    if (cascaded > MAX_DEPENDENTS)
      return refuse("dependent_cap", `A cancel may cascade to at most ${MAX_DEPENDENTS} tasks.`);
    layer = cancelPending(ctx, pending, "cascade");
  }
  return { unblocked: unblocked.slice(0, UNBLOCKED_SHOWN), unblockedCount };
}

/** Not started, so nobody's work is lost. */
export function isPending(task: TaskRow): boolean {
  return task.dropped === 0 && (task.status === "todo" || task.status === "backlog");
}

/** Cancels tasks nobody has started; an event for each. */
export function cancelPending(ctx: Context, tasks: readonly TaskRow[], reason: string): TaskRow[] {
  if (tasks.length === 0) return [];
  const first = ctx.log.reserve(tasks.length);
  const moves = tasks.map((before, index) => ({
    before,
    after: moved(before, "cancelled", { now: ctx.now, changeSeq: first + index, touches: false }),
  }));
  moveTasks(ctx.sql, moves);
  ctx.log.appendAll(
    moves.map(({ before, after }) => ({
      seq: after.change_seq,
      kind: "status_changed" as const,
      taskId: after.id,
      tenantId: after.tenant_id,
      data: { from: before.status, to: "cancelled", reason },
    })),
  );
  return moves.map((move) => move.after);
}
