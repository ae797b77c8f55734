import { accept, type Result, refuse } from "../../contract/result.ts";
import type { LeaseProof } from "../../contract/roles.ts";
import type { Execution, Task } from "../../contract/task.ts";
import { afterFailedAttempt } from "../../rules/attempts.ts";
import type { Context } from "../context.ts";
import { findExecutionById } from "../store/executions.ts";
import { moveTasks } from "../store/tasks.ts";
import { viewExecution, viewOne } from "../view.ts";
import { endExecution } from "./end-execution.ts";
import { requireStanding } from "./find-task.ts";
import { requireLease } from "./lease-check.ts";
import { moved } from "./move-task.ts";
import { tellRun } from "./spending.ts";

export interface CloseExecution {
  id: string;
  lease: LeaseProof | null;
  status: "succeeded" | "failed" | "timed_out" | "cancelled";
  summary?: string;
  error?: string;
  afterCommit?: string;
  inputTokens?: number;
  outputTokens?: number;
  cacheRead?: number;
  cacheWrite?: number;
  costUsd?: number;
}

/**
 * Closes a run by itself: a release with that outcome. The task is open to claims at once; only a run of
 * failures up to the board's limit blocks it.
 */
export function closeExecution(
  ctx: Context,
  input: CloseExecution,
): Result<{ task: Task; execution: Execution }> {
  const execution = findExecutionById(ctx.sql, input.id);
  if (execution === null) return refuse("execution_not_found", "There is no such run on this board.");
  const found = requireStanding(ctx, execution.task_id);
  if (!found.ok) return found;
  const { task } = found;
  if (execution.status !== "running" && execution.status === input.status && execution.epoch === task.epoch)
    return accept({ task: viewOne(ctx, task), execution: viewExecution(execution) });
  const held = requireLease(ctx, task, input.lease);
  if (!held.ok) return held;
  if (held.execution.id !== execution.id)
    return refuse("lease_lost", "This lease token is for another run.", { reason: "unknown" });
  const lost = input.status === "failed" || input.status === "timed_out";
  const next = lost ? afterFailedAttempt(task.attempt_streak, ctx.board.settings, ctx.now, 0) : null;
  const seq = ctx.log.reserve();
  const to = task.status === "in_review" ? "in_review" : (next?.status ?? "todo");
  const after = moved(task, to, {
    now: ctx.now,
    changeSeq: seq,
    touches: true,
    blockedReason: "attempt_limit",
    ...(next === null ? {} : { attemptStreak: next.streak }),
    ...(input.status === "succeeded" ? { attemptStreak: 0 } : {}),
  });
  moveTasks(ctx.sql, [{ before: task, after }]);
  const closed = endExecution(ctx, execution, {
    status: input.status,
    report: {
      summary: input.summary ?? null,
      error: input.error ?? null,
      after_commit: input.afterCommit ?? null,
      input_tokens: input.inputTokens ?? 0,
      output_tokens: input.outputTokens ?? 0,
      cache_read: input.cacheRead ?? 0,
      cache_write: input.cacheWrite ?? 0,
      cost_usd: input.costUsd ?? 0,
    },
  });
  ctx.log.append({
    seq,
    kind: "task_released",
    taskId: task.id,
    epoch: execution.epoch,
    tenantId: task.tenant_id,
    data: {
      via: "release",
      from: task.status,
      to,
      execution: { id: closed.id, status: closed.status },
      attemptStreak: after.attempt_streak,
      blockedReason: after.blocked_reason,
    },
  });
  return accept({ task: viewOne(ctx, tellRun(ctx, after, closed)), execution: viewExecution(closed) });
}
