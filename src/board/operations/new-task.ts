/** A row for a task that does not exist yet, and the event that tells of it. */
import { isDeferred } from "../../rules/readiness.ts";
import type { TaskStatus } from "../../rules/status.ts";
import type { Context } from "../context.ts";
import type { NewEvent } from "../store/events.ts";
import type { TaskRow } from "../store/rows.ts";
import { viewStored } from "../view.ts";

/** What a creator says of a task; the board adds the rest. */
export interface TaskDraft {
  title: string;
  description?: string;
  status?: TaskStatus;
  priority?: number;
  labels?: string[];
  kind?: string;
  requiredCapabilities?: string[];
  notBefore?: number;
  budgetUsd?: number;
  teamId?: string;
  assigneeRuntime?: string;
  sourceDelegationId?: string;
  parentSessionId?: string;
  scheduledBy?: string;
  externalRef?: string;
  tenantId?: string;
  blockedReason?: string;
}

export interface Placement {
  number: number;
  changeSeq: number;
  parentTaskId: string | null;
  openDeps: number;
  guarded: boolean;
}

export function newTask(ctx: Context, draft: TaskDraft, placement: Placement): TaskRow {
  const notBefore = draft.notBefore ?? null;
  const status = draft.status ?? "todo";
  return {
    number: placement.number,
    id: ctx.newId(),
    title: draft.title,
    description: draft.description ?? "",
    status,
    priority: draft.priority ?? 0,
    team_id: draft.teamId ?? null,
    assignee_agent_id: null,
    assignee_runtime: draft.assigneeRuntime ?? null,
    parent_task_id: placement.parentTaskId,
    source_delegation_id: draft.sourceDelegationId ?? null,
    worktree_ref: null,
    branch_ref: null,
    budget_usd: draft.budgetUsd ?? null,
    parent_session_id: draft.parentSessionId ?? null,
    dropped: 0,
    verification: null,
    scheduled_by: draft.scheduledBy ?? null,
    kind: draft.kind ?? null,
    labels: JSON.stringify(draft.labels ?? []),
    required_capabilities: JSON.stringify(draft.requiredCapabilities ?? []),
    external_ref: draft.externalRef ?? null,
    blocked_reason: status === "blocked" ? (draft.blockedReason ?? null) : null,
    not_before: notBefore,
    deferred: isDeferred(notBefore, ctx.now) ? 1 : 0,
    open_deps: placement.openDeps,
    ready_since: ctx.now,
    epoch: 0,
    attempt_streak: 0,
    changes_notes: null,
    version: 1,
    change_seq: placement.changeSeq,
    guarded: placement.guarded ? 1 : 0,
    created_by: ctx.caller.sub,
    created_at: ctx.now,
    updated_at: ctx.now,
    completed_at: null,
    tenant_id: draft.tenantId ?? null,
  };
}

/** The event carries the task and its edges, so that the log alone can rebuild it. */
export function createdEvent(row: TaskRow, dependsOn: readonly string[]): NewEvent {
  return {
    seq: row.change_seq,
    kind: "task_created",
    taskId: row.id,
    tenantId: row.tenant_id,
    data: { task: viewStored(row), dependsOn },
  };
}
