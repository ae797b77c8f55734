/** Rows as the wire shows them. */
import type { Dependency, Execution, HeldLease, StoredTask, Task, TaskRef } from "../contract/task.ts";
import { toMicros, toUsd } from "../rules/budget.ts";
import { expiresAt, leaseState } from "../rules/lease.ts";
import { isEdgeSatisfied, isReady } from "../rules/readiness.ts";
import { isLocked } from "../rules/status.ts";
import { readCell } from "../rules/verification.ts";
import type { Context } from "./context.ts";
import type { BlockerRow } from "./store/dependencies.ts";
import { costsOf } from "./store/executions.ts";
import type { ExecutionRow, TaskRow } from "./store/rows.ts";
import { runningExecutions } from "./store/running.ts";

/** From where and when something is looked at. */
export type View = Pick<Context, "sql" | "now" | "board">;

/** The wire form of these rows, in their order: at most two more statements, however many rows. */
export function viewTasks(ctx: View, rows: readonly TaskRow[]): Task[] {
  const locked = rows.filter((row) => isLocked(row.status)).map((row) => row.id);
  const running = locked.length === 0 ? [] : runningExecutions(ctx.sql, locked);
  const leases = new Map(running.map((row) => [row.task_id, row]));
  const costs = costsByTask(ctx, rows);
  return rows.map((row) => viewTask(ctx, row, leases.get(row.id) ?? null, toUsd(costs.get(row.id) ?? 0)));
}

export function viewOne(ctx: View, row: TaskRow): Task {
  return viewTasks(ctx, [row])[0] as Task;
}

/** A task whose running execution is at hand, freshly opened: what it cost before, it cost under earlier epochs. */
export function viewClaimed(ctx: View, row: TaskRow, running: ExecutionRow): Task {
  const costs = row.epoch > 1 ? costsByTask(ctx, [row]) : new Map<string, number>();
  return viewTask(ctx, row, running, toUsd(costs.get(row.id) ?? 0));
}

/** In micro-dollars. A task that never ran has no cost, and is not asked about. */
function costsByTask(ctx: View, rows: readonly TaskRow[]): Map<string, number> {
  const started = rows.filter((row) => row.epoch > 0).map((row) => row.id);
  return started.length === 0 ? new Map() : costsOf(ctx.sql, started);
}

function viewTask(ctx: View, row: TaskRow, running: ExecutionRow | null, costUsd: number): Task {
  return {
    ...viewStored(row),
    costUsd,
    ready: isReady(readinessOf(row), ctx.now),
    lease: running === null ? null : viewLease(ctx, running),
    heartbeatAt: running?.last_beat_at ?? null,
    changeSeq: row.change_seq,
  };
}

/** What a row says by itself; `import-events.ts` says the same in SQL. */
export function viewStored(row: TaskRow): StoredTask {
  return {
    id: row.id,
    number: row.number,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    teamId: row.team_id,
    assigneeAgentId: row.assignee_agent_id,
    assigneeRuntime: row.assignee_runtime,
    parentTaskId: row.parent_task_id,
    sourceDelegationId: row.source_delegation_id,
    worktreeRef: row.worktree_ref,
    branchRef: row.branch_ref,
    budgetUsd: row.budget_usd,
    parentSessionId: row.parent_session_id,
    dropped: row.dropped === 1,
    tenantId: row.tenant_id,
    verification: readCell(row.verification),
    scheduledBy: row.scheduled_by,
    kind: row.kind,
    labels: JSON.parse(row.labels),
    requiredCapabilities: JSON.parse(row.required_capabilities),
    externalRef: row.external_ref,
    blockedReason: row.blocked_reason,
    notBefore: row.not_before,
    openDependencies: row.open_deps,
    epoch: row.epoch,
    attemptStreak: row.attempt_streak,
    version: row.version,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
  };
}

export function readinessOf(
  row: Pick<TaskRow, "status" | "dropped" | "assignee_agent_id" | "open_deps" | "not_before">,
) {
  return {
    status: row.status,
    dropped: row.dropped === 1,
    assigned: row.assignee_agent_id !== null,
    openDependencies: row.open_deps,
    notBefore: row.not_before,
  };
}

export function viewLease(ctx: View, row: ExecutionRow): HeldLease {
  const { leaseTtlMs } = ctx.board.settings;
  return {
    state: leaseState(row.last_beat_at, leaseTtlMs, ctx.now),
    agentId: row.agent_id,
    epoch: row.epoch,
    executionId: row.id,
    expiresAt: expiresAt(row.last_beat_at, leaseTtlMs),
  };
}

export function viewExecution(row: ExecutionRow): Execution {
  return {
    id: row.id,
    taskId: row.task_id,
    epoch: row.epoch,
    agentId: row.agent_id,
    runtime: row.runtime,
    executorType: row.executor_type,
    runReason: row.run_reason,
    status: row.status,
    reason: row.reason,
    startedAt: row.started_at,
    lastBeatAt: row.last_beat_at,
    endedAt: row.ended_at,
    progress: row.progress,
    summary: row.summary,
    error: row.error,
    beforeCommit: row.before_commit,
    afterCommit: row.after_commit,
    inputTokens: row.input_tokens + row.beat_input_tokens,
    outputTokens: row.output_tokens + row.beat_output_tokens,
    cacheRead: row.cache_read,
    cacheWrite: row.cache_write,
    costUsd: toUsd(toMicros(row.cost_usd) + toMicros(row.beat_cost_usd)),
    handoff: row.handoff === null ? null : JSON.parse(row.handoff),
    recoveryTombstone: row.recovery_tombstone === 1,
    trimmedAt: row.trimmed_at,
  };
}

export function viewRef(row: Pick<TaskRow, "id" | "number" | "title" | "status">): TaskRef {
  return { id: row.id, number: row.number, title: row.title, status: row.status };
}

export function viewDependency(row: BlockerRow): Dependency {
  return {
    ...viewRef(row),
    onCancel: row.on_cancel,
    satisfied: isEdgeSatisfied(row.status, row.on_cancel),
  };
}
