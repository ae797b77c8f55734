/**
 * Recovers what silent workers left behind. The staleness test is inside the UPDATE, on current rows: a run
 * that finished or beat just in time is not touched, and running it twice changes nothing more.
 */
import { SWEEP_BATCH } from "../../contract/limits.ts";
import { afterFailedAttempt } from "../../rules/attempts.ts";
import { isLocked } from "../../rules/status.ts";
import type { Context } from "../context.ts";
import type { NewEvent } from "../store/events.ts";
import type { ExecutionRow, TaskRow } from "../store/rows.ts";
import { timeOutStale } from "../store/running.ts";
import { findTasks, moveTasks, type TaskMove } from "../store/tasks.ts";
import { attemptsOf } from "./attempts.ts";
import { countRuns } from "./count-runs.ts";
import { moved } from "./move-task.ts";

/** How many leases it closed; a full batch means there may be more. */
export function sweepStale(ctx: Context, staleAfterMs = ctx.board.settings.leaseTtlMs): number {
  const swept = timeOutStale(ctx.sql, ctx.now - staleAfterMs, ctx.now, SWEEP_BATCH);
  if (swept.length === 0) return 0;
  countRuns(ctx, swept);
  const tasks = new Map(
    findTasks(
      ctx.sql,
      swept.map((execution) => execution.task_id),
    ).map((task) => [task.id, task]),
  );
  const recovered = swept.flatMap((execution) => {
    const task = tasks.get(execution.task_id);
    return task !== undefined && isLocked(task.status) ? [{ execution, task }] : [];
  });
  const firstSeq = ctx.log.reserve(recovered.length);
  const moves: TaskMove[] = [];
  const events: NewEvent[] = [];
  for (const [index, { execution, task }] of recovered.entries()) {
    const after = recover(ctx, task, firstSeq + index);
    moves.push({ before: task, after });
    events.push(releasedEvent(ctx, task, after, execution));
  }
  moveTasks(ctx.sql, moves);
  ctx.log.appendAll(events);
  return swept.length;
}

/** A task in review stays there; one in progress is offered again after a while, or waits for a person. */
function recover(ctx: Context, task: TaskRow, changeSeq: number): TaskRow {
  const next = afterFailedAttempt(task.attempt_streak, ctx.board.settings, ctx.now, ctx.random());
  const move = { now: ctx.now, changeSeq, touches: false, attemptStreak: next.streak };
  if (task.status === "in_review") return moved(task, "in_review", move);
  if (next.status === "todo") return moved(task, "todo", { ...move, notBefore: next.notBefore });
  const blocked = moved(task, "blocked", { ...move, blockedReason: "attempt_limit" });
  return { ...blocked, assignee_agent_id: null, assignee_runtime: null };
}

function releasedEvent(ctx: Context, task: TaskRow, after: TaskRow, execution: ExecutionRow): NewEvent {
  return {
    seq: after.change_seq,
    kind: "task_released",
    taskId: task.id,
    epoch: execution.epoch,
    tenantId: task.tenant_id,
    data: {
      via: "sweep",
      from: task.status,
      to: after.status,
      execution: { id: execution.id, status: "timed_out" },
      attemptStreak: after.attempt_streak,
      notBefore: after.not_before,
      blockedReason: after.blocked_reason,
      ...(after.status === "blocked" ? { attempts: attemptsOf(ctx, task.id) } : {}),
    },
  };
}
