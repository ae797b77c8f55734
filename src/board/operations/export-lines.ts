/** Rows as the lines of an export; `import-lines.ts` is the way back. */
import type { LineOf } from "../../import-export/edgeboard-lines.ts";
import { readCell } from "../../rules/verification.ts";
import type { CommentRow, DependencyRow, ExecutionRow, TaskRow, WorkspaceRow } from "../store/rows.ts";

/** Left out: what a board counts, flags and numbers by itself (`open_deps`, `deferred`, `change_seq`). */
export function taskLine(row: TaskRow): LineOf<"task"> {
  return {
    type: "task",
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
    verification: readCell(row.verification) ?? row.verification,
    scheduledBy: row.scheduled_by,
    kind: row.kind,
    labels: JSON.parse(row.labels),
    requiredCapabilities: JSON.parse(row.required_capabilities),
    externalRef: row.external_ref,
    blockedReason: row.blocked_reason,
    notBefore: row.not_before,
    readySince: row.ready_since,
    epoch: row.epoch,
    attemptStreak: row.attempt_streak,
    changesNotes: row.changes_notes,
    version: row.version,
    guarded: row.guarded === 1,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    tenantId: row.tenant_id,
  };
}

export function dependencyLine(row: DependencyRow): LineOf<"dependency"> {
  return {
    type: "dependency",
    taskId: row.task_id,
    dependsOnTaskId: row.depends_on_task_id,
    onCancel: row.on_cancel,
    createdAt: row.created_at,
    tenantId: row.tenant_id,
  };
}

export function commentLine(row: CommentRow): LineOf<"comment"> {
  return {
    type: "comment",
    id: row.number,
    taskId: row.task_id,
    authorId: row.author_id,
    body: row.body,
    createdAt: row.created_at,
    tenantId: row.tenant_id,
  };
}

export function executionLine(row: ExecutionRow): LineOf<"execution"> {
  return {
    type: "execution",
    taskId: row.task_id,
    epoch: row.epoch,
    id: row.id,
    agentId: row.agent_id,
    tokenId: row.token_id,
    runtime: row.runtime,
    executorType: row.executor_type,
    runReason: row.run_reason,
    status: row.status,
    reason: row.reason,
    completion: row.completion === null ? null : JSON.parse(row.completion),
    startedAt: row.started_at,
    lastBeatAt: row.last_beat_at,
    endedAt: row.ended_at,
    progress: row.progress,
    summary: row.summary,
    error: row.error,
    beforeCommit: row.before_commit,
    afterCommit: row.after_commit,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cacheRead: row.cache_read,
    cacheWrite: row.cache_write,
    costUsd: row.cost_usd,
    beatInputTokens: row.beat_input_tokens,
    beatOutputTokens: row.beat_output_tokens,
    beatCostUsd: row.beat_cost_usd,
    handoff: row.handoff === null ? null : JSON.parse(row.handoff),
    commentsRead: row.comments_read,
    directive: row.directive,
    directiveReason: row.directive_reason,
    recoveryTombstone: row.recovery_tombstone === 1,
    waitedMs: row.waited_ms,
    trimmedAt: row.trimmed_at,
    tenantId: row.tenant_id,
  };
}

export function workspaceLine(row: WorkspaceRow): LineOf<"workspace"> {
  return {
    type: "workspace",
    id: row.id,
    taskId: row.task_id,
    repoPath: row.repo_path,
    worktreePath: row.worktree_path,
    branch: row.branch,
    baseSha: row.base_sha,
    status: row.status,
    createdBy: row.created_by,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    tenantId: row.tenant_id,
  };
}
