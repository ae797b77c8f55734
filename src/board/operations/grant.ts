/** Grants a task that passed every test: the conditional UPDATE, the execution that is the lease, the event. */
import { BLOCKERS_SHOWN } from "../../contract/limits.ts";
import type { BlockerSummary, Handoff, Task } from "../../contract/task.ts";
import { expiresAt } from "../../rules/lease.ts";
import { leaseDue } from "../../rules/next-alarm.ts";
import { waitedFor } from "../../rules/run-stats.ts";
import type { Context } from "../context.ts";
import type { GrantedLease } from "../replay.ts";
import { blockerSummaries, insertExecution, latestHandoff } from "../store/executions.ts";
import type { ExecutionRow, TaskRow } from "../store/rows.ts";
import { claimRow } from "../store/tasks.ts";
import { viewClaimed } from "../view.ts";

/** A lease as the board knows it; the Worker adds the token, which the board never sees. */
export interface LeaseGrant {
  incarnation: string;
  executionId: string;
  epoch: number;
  ttlMs: number;
  beatEveryMs: number;
  expiresAt: number;
}

export interface Grant {
  task: Task;
  lease: LeaseGrant;
  handoff?: Handoff;
  blockers?: BlockerSummary[];
}

export interface Run {
  agentId: string;
  runtime: string | null;
  executorType?: string;
  runReason?: string;
  beforeCommit?: string;
}

/** Null when the guard inside the statement did not hold. */
export function grantTask(ctx: Context, task: TaskRow, run: Run): Grant | null {
  const seq = ctx.log.reserve();
  const claimed = claimRow(ctx.sql, {
    number: task.number,
    agentId: run.agentId,
    runtime: run.runtime,
    now: ctx.now,
    changeSeq: seq,
  });
  if (claimed === null) return null;
  const execution = openExecution(ctx, claimed, run, waitOf(ctx, task));
  ctx.log.append({
    seq,
    kind: "task_claimed",
    taskId: claimed.id,
    epoch: claimed.epoch,
    tenantId: claimed.tenant_id,
    data: { executionId: execution.id, agentId: run.agentId, runtime: run.runtime },
  });
  return viewGrant(ctx, claimed, execution, handoffFor(ctx, task));
}

function waitOf(ctx: Context, task: TaskRow): number | null {
  const { open_deps: openDependencies, ready_since: readySince, not_before: notBefore } = task;
  return waitedFor({ openDependencies, readySince, notBefore }, ctx.now);
}

/**
 * A new running execution under the task's present epoch, with the alarm that watches it. `waitedMs` is kept
 * with it, so that ending it needs no other row; null where the task waited for nobody.
 */
export function openExecution(ctx: Context, task: TaskRow, run: Run, waitedMs: number | null): ExecutionRow {
  const row: ExecutionRow = {
    task_id: task.id,
    epoch: task.epoch,
    id: ctx.newId(),
    agent_id: run.agentId,
    token_id: ctx.caller.jti,
    runtime: run.runtime,
    executor_type: run.executorType ?? null,
    run_reason: run.runReason ?? null,
    status: "running",
    reason: null,
    completion: null,
    started_at: ctx.now,
    last_beat_at: ctx.now,
    ended_at: null,
    progress: null,
    summary: null,
    error: null,
    before_commit: run.beforeCommit ?? null,
    after_commit: null,
    input_tokens: 0,
    output_tokens: 0,
    cache_read: 0,
    cache_write: 0,
    cost_usd: 0,
    beat_input_tokens: 0,
    beat_output_tokens: 0,
    beat_cost_usd: 0,
    handoff: null,
    comments_read: 0,
    directive: null,
    directive_reason: null,
    recovery_tombstone: 0,
    waited_ms: waitedMs,
    kept_at: null,
    trimmed_at: null,
    tenant_id: task.tenant_id,
  };
  insertExecution(ctx.sql, row);
  ctx.due(leaseDue({ ...ctx.board.settings, lastSweepAt: ctx.board.lastSweepAt }, ctx.now));
  return row;
}

/** What the last run left, and what a reviewer asked for since; null when there is neither. */
export function handoffFor(ctx: Context, task: TaskRow): Handoff | null {
  const left = task.epoch > 0 ? latestHandoff(ctx.sql, task.id) : null;
  if (left === null && task.changes_notes === null) return null;
  const handoff: Handoff = left === null ? {} : JSON.parse(left);
  return task.changes_notes === null ? handoff : { ...handoff, next: task.changes_notes };
}

export function viewGrant(
  ctx: Context,
  task: TaskRow,
  execution: ExecutionRow,
  handoff: Handoff | null,
): Grant {
  const { leaseTtlMs, beatEveryMs } = ctx.board.settings;
  const blockers = blockerSummaries(ctx.sql, task.id, BLOCKERS_SHOWN);
  return {
    task: viewClaimed(ctx, task, execution),
    lease: {
      incarnation: ctx.board.incarnation,
      executionId: execution.id,
      epoch: execution.epoch,
      ttlMs: leaseTtlMs,
      beatEveryMs,
      expiresAt: expiresAt(execution.last_beat_at, leaseTtlMs),
    },
    ...(handoff === null ? {} : { handoff }),
    ...(blockers.length === 0 ? {} : { blockers }),
  };
}

/** What a recorded grant is good for: as long as this lease runs. */
export function leaseOf(grant: Grant): GrantedLease {
  return { taskId: grant.task.id, epoch: grant.lease.epoch };
}
