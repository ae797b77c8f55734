/** A task's workspace: made by its holder, archived when cleaned up, stale when collected. */
import { accept, type Refusal, type Result, refuse } from "../../contract/result.ts";
import type { LeaseProof } from "../../contract/roles.ts";
import { READ_ONLY_KINDS, type Task, type Workspace } from "../../contract/task.ts";
import { type Context, isLead } from "../context.ts";
import type { TaskRow, WorkspaceRow } from "../store/rows.ts";
import { runningExecution } from "../store/running.ts";
import { saveChangeSeq } from "../store/tasks.ts";
import { insertWorkspace, latestWorkspace, saveWorkspace, saveWorkspaceRefs } from "../store/workspaces.ts";
import { viewOne } from "../view.ts";
import { requireStanding, requireTask } from "./find-task.ts";
import { leaseRequired, requireLease } from "./lease-check.ts";

export interface CreateWorkspace {
  id: string;
  lease: LeaseProof | null;
  repoPath: string;
  branch?: string;
  worktreePath?: string;
  baseSha?: string;
  kind?: string;
}

/** Records where the task is worked on, on the task too. Work that changes no files is refused one. */
export function createWorkspace(
  ctx: Context,
  input: CreateWorkspace,
): Result<{ workspace: Workspace; task: Task }> {
  const found = requireStanding(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  const refusal = mayPlace(ctx, task, input.lease);
  if (refusal !== null) return refusal;
  const kind = input.kind ?? task.kind;
  if (kind !== null && READ_ONLY_KINDS.includes(kind))
    return refuse("no_isolation", `Work of kind ${kind} changes no files and needs no workspace.`);
  const row: WorkspaceRow = {
    id: ctx.newId(),
    task_id: task.id,
    repo_path: input.repoPath,
    worktree_path: input.worktreePath ?? null,
    branch: input.branch ?? null,
    base_sha: input.baseSha ?? null,
    status: "active",
    created_by: ctx.caller.sub,
    created_at: ctx.now,
    last_used_at: ctx.now,
    tenant_id: task.tenant_id,
  };
  const seq = ctx.log.reserve();
  insertWorkspace(ctx.sql, row);
  const refs = { worktreeRef: row.worktree_path, branchRef: row.branch, changeSeq: seq };
  saveWorkspaceRefs(ctx.sql, task.number, refs);
  const workspace = viewWorkspace(row);
  ctx.log.append({
    seq,
    kind: "workspace_changed",
    taskId: task.id,
    tenantId: task.tenant_id,
    data: { workspace },
  });
  const after = { ...task, worktree_ref: refs.worktreeRef, branch_ref: refs.branchRef, change_seq: seq };
  return accept({ workspace, task: viewOne(ctx, after) });
}

export function getWorkspace(ctx: Context, id: string): Result<{ workspace: Workspace | null }> {
  const found = requireTask(ctx, id);
  if (!found.ok) return found;
  const row = latestWorkspace(ctx.sql, found.task.id);
  return accept({ workspace: row === null ? null : viewWorkspace(row) });
}

export interface ChangeWorkspace {
  id: string;
  lease: LeaseProof | null;
  status: Workspace["status"];
  lastUsedAt?: number;
}

/** From active to archived or stale, and no way back: a new run makes a new one. */
export function changeWorkspace(ctx: Context, input: ChangeWorkspace): Result<{ workspace: Workspace }> {
  const found = requireTask(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  const refusal = mayPlace(ctx, task, input.lease);
  if (refusal !== null) return refusal;
  const row = latestWorkspace(ctx.sql, task.id);
  if (row === null) return refuse("conflict", "The task has no workspace.", { taskStatus: task.status });
  const ended = row.status !== "active" && row.status !== input.status;
  if (ended) return refuse("illegal_transition", `The workspace is ${row.status}.`, { legalTargets: [] });
  const after: WorkspaceRow = {
    ...row,
    status: input.status,
    last_used_at: input.lastUsedAt ?? row.last_used_at,
  };
  const changed = after.status !== row.status || after.last_used_at !== row.last_used_at;
  if (!changed) return accept({ workspace: viewWorkspace(row) });
  const seq = ctx.log.reserve();
  saveWorkspace(ctx.sql, after);
  saveChangeSeq(ctx.sql, task.number, seq);
  const workspace = viewWorkspace(after);
  ctx.log.append({
    seq,
    kind: "workspace_changed",
    taskId: task.id,
    tenantId: task.tenant_id,
    data: { workspace },
  });
  return accept({ workspace });
}

/** The holder, with its token; a lead; and while nobody runs, who holds or held the task. */
function mayPlace(ctx: Context, task: TaskRow, lease: LeaseProof | null): Refusal | null {
  if (lease !== null) {
    const held = requireLease(ctx, task, lease);
    return held.ok ? null : held;
  }
  if (isLead(ctx)) return null;
  if (runningExecution(ctx.sql, task.id) !== null) return leaseRequired(task);
  if (task.assignee_agent_id === ctx.caller.sub) return null;
  return refuse("forbidden", "Only who holds the task may say where it is worked on.");
}

export function viewWorkspace(row: WorkspaceRow): Workspace {
  return {
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
  };
}
