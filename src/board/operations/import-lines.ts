/**
 * An export's lines as rows. No lease survives the journey: a run that had not ended comes in as released, with
 * the reason `import`, and the task it worked on is open to claims again.
 */
import { verification } from "../../contract/verification.ts";
import type { TaskBrief } from "../../import-export/edgeboard.ts";
import type { LineOf } from "../../import-export/edgeboard-lines.ts";
import { type Masking, maskLastWord, maskVerdict } from "../../rules/masking.ts";
import { isDeferred } from "../../rules/readiness.ts";
import { isLocked, isTerminal } from "../../rules/status.ts";
import type { ContentRow } from "../store/import-writes.ts";
import type { CommentRow, ExecutionRow, TaskRow, WorkspaceRow } from "../store/rows.ts";

/** Runs and verdicts from elsewhere bring what commands printed there. */
export function maskTask(masking: Masking, line: LineOf<"task">): LineOf<"task"> {
  if (line.verification === null) return line;
  const at = `${line.id}.verification`;
  if (typeof line.verification === "string")
    return { ...line, verification: masking.text(at, line.verification) };
  const before = masking.found.length;
  // A verdict may leave out what is empty; one without a secret is kept as it came.
  const verdict = maskVerdict(masking, verification.parse(line.verification), at);
  return masking.found.length === before ? line : { ...line, verification: verdict };
}

export function maskRun(masking: Masking, line: LineOf<"execution">): LineOf<"execution"> {
  return maskLastWord(masking, line, `${line.id}.`);
}

/** What is the board's to say of a task that comes in. */
export interface Arrival {
  id: string;
  number: number;
  changeSeq: number;
  parentTaskId: string | null;
  now: number;
  /** As `todo`, whatever it was. */
  reset: boolean;
}

/** Where a task stands, as against what it says. */
type State = Pick<
  TaskRow,
  | "status"
  | "assignee_agent_id"
  | "assignee_runtime"
  | "verification"
  | "blocked_reason"
  | "attempt_streak"
  | "changes_notes"
  | "ready_since"
  | "completed_at"
>;

export function stateOf(line: LineOf<"task">, brief: TaskBrief, now: number, reset: boolean): State {
  const nobodyLeft = line.status === "in_progress" && (brief.running || line.assigneeAgentId === null);
  const heldWhenDropped = line.dropped && isLocked(line.status);
  if (reset || nobodyLeft || heldWhenDropped)
    return {
      status: "todo",
      assignee_agent_id: null,
      // A runtime that was wanted stays wanted; one that held the task goes with its holder.
      assignee_runtime: line.status === "todo" ? line.assigneeRuntime : null,
      verification: null,
      blocked_reason: null,
      attempt_streak: reset ? 0 : line.attemptStreak,
      changes_notes: reset ? null : line.changesNotes,
      ready_since: now,
      completed_at: null,
    };
  const verdict = line.verification;
  return {
    status: line.status,
    assignee_agent_id: line.status === "todo" ? null : line.assigneeAgentId,
    assignee_runtime: line.assigneeRuntime,
    verification: verdict === null || typeof verdict === "string" ? verdict : JSON.stringify(verdict),
    blocked_reason: line.blockedReason,
    attempt_streak: line.attemptStreak,
    changes_notes: line.changesNotes,
    ready_since: line.readySince,
    completed_at: isTerminal(line.status) ? (line.completedAt ?? line.updatedAt) : null,
  };
}

export function contentOf(line: LineOf<"task">, arrival: Arrival): ContentRow {
  return {
    number: arrival.number,
    title: line.title,
    description: line.description,
    priority: line.priority,
    team_id: line.teamId,
    parent_task_id: arrival.parentTaskId,
    source_delegation_id: line.sourceDelegationId,
    worktree_ref: line.worktreeRef,
    branch_ref: line.branchRef,
    budget_usd: line.budgetUsd,
    parent_session_id: line.parentSessionId,
    scheduled_by: line.scheduledBy,
    kind: line.kind,
    labels: JSON.stringify(line.labels),
    required_capabilities: JSON.stringify(line.requiredCapabilities),
    external_ref: line.externalRef,
    not_before: line.notBefore,
    deferred: isDeferred(line.notBefore, arrival.now) ? 1 : 0,
    version: line.version,
    updated_at: line.updatedAt,
    change_seq: arrival.changeSeq,
  };
}

/** A task that is new here. Its open edges are counted when all edges stand. */
export function newRow(line: LineOf<"task">, brief: TaskBrief, arrival: Arrival, restores: boolean): TaskRow {
  return {
    ...contentOf(line, arrival),
    ...stateOf(line, brief, arrival.now, arrival.reset),
    id: arrival.id,
    dropped: line.dropped ? 1 : 0,
    open_deps: 0,
    epoch: brief.epoch,
    // Imports use up no quota; a board that is restored goes on where it was.
    guarded: restores && line.guarded ? 1 : 0,
    created_by: line.createdBy,
    created_at: line.createdAt,
    tenant_id: line.tenantId,
  };
}

export function commentRow(line: LineOf<"comment">, taskId: string): CommentRow {
  return {
    number: line.id,
    task_id: taskId,
    author_id: line.authorId,
    body: line.body,
    created_at: line.createdAt,
    tenant_id: line.tenantId,
  };
}

export function executionRow(line: LineOf<"execution">, taskId: string): ExecutionRow {
  const ended = line.status !== "running";
  return {
    task_id: taskId,
    epoch: line.epoch,
    id: line.id,
    agent_id: line.agentId,
    token_id: line.tokenId,
    runtime: line.runtime,
    executor_type: line.executorType,
    run_reason: line.runReason,
    status: ended ? line.status : "released",
    reason: ended ? line.reason : "import",
    completion: line.completion === null ? null : JSON.stringify(line.completion),
    started_at: line.startedAt,
    last_beat_at: line.lastBeatAt,
    // The last that is known of it, and the same whenever it is brought in.
    ended_at: ended ? line.endedAt : line.lastBeatAt,
    progress: line.progress,
    summary: line.summary,
    error: line.error,
    before_commit: line.beforeCommit,
    after_commit: line.afterCommit,
    input_tokens: line.inputTokens,
    output_tokens: line.outputTokens,
    cache_read: line.cacheRead,
    cache_write: line.cacheWrite,
    cost_usd: line.costUsd,
    beat_input_tokens: line.beatInputTokens,
    beat_output_tokens: line.beatOutputTokens,
    beat_cost_usd: line.beatCostUsd,
    handoff: line.handoff === null ? null : JSON.stringify(line.handoff),
    comments_read: line.commentsRead,
    directive: line.directive,
    directive_reason: line.directiveReason,
    recovery_tombstone: line.recoveryTombstone ? 1 : 0,
    waited_ms: line.waitedMs ?? null,
    kept_at: null,
    trimmed_at: line.trimmedAt ?? null,
    tenant_id: line.tenantId,
  };
}

export function workspaceRow(line: LineOf<"workspace">, taskId: string): WorkspaceRow {
  return {
    id: line.id,
    task_id: taskId,
    repo_path: line.repoPath,
    worktree_path: line.worktreePath,
    branch: line.branch,
    base_sha: line.baseSha,
    status: line.status,
    created_by: line.createdBy,
    created_at: line.createdAt,
    last_used_at: line.lastUsedAt,
    tenant_id: line.tenantId,
  };
}
