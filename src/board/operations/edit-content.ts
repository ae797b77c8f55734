/** What a task says: title, description, order, labels and the other fields people write. */
import { accept, type Refusal, type Result, refuse } from "../../contract/result.ts";
import { isDeferred } from "../../rules/readiness.ts";
import type { Context } from "../context.ts";
import { getAncestors } from "../store/hierarchy.ts";
import type { TaskRow } from "../store/rows.ts";
import { findByReferences, findTask, saveContent } from "../store/tasks.ts";

/** Only the fields to change; null empties one. */
export interface ContentChange {
  title?: string;
  description?: string;
  priority?: number;
  labels?: string[];
  kind?: string | null;
  teamId?: string | null;
  requiredCapabilities?: string[];
  notBefore?: number | null;
  parentTaskId?: string | null;
  externalRef?: string | null;
  budgetUsd?: number | null;
  blockedReason?: string | null;
}

/**
 * The edited row. With `quietly` the event is left to the status move of the same request; otherwise this
 * appends its own.
 */
export function editContent(
  ctx: Context,
  task: TaskRow,
  change: ContentChange,
  quietly: boolean,
): Result<TaskRow> {
  const parent = resolveParent(ctx, task, change.parentTaskId);
  if (!parent.ok) return parent;
  const clash = referenceClash(ctx, task, change.externalRef);
  if (clash !== null) return clash;
  const notBefore = change.notBefore === undefined ? task.not_before : change.notBefore;
  const deferred = isDeferred(notBefore, ctx.now) ? 1 : 0;
  const seq = quietly ? task.change_seq : ctx.log.reserve();
  const after: TaskRow = {
    ...task,
    title: change.title ?? task.title,
    description: change.description ?? task.description,
    priority: change.priority ?? task.priority,
    labels: change.labels === undefined ? task.labels : JSON.stringify(change.labels),
    kind: change.kind === undefined ? task.kind : change.kind,
    team_id: change.teamId === undefined ? task.team_id : change.teamId,
    required_capabilities:
      change.requiredCapabilities === undefined
        ? task.required_capabilities
        : JSON.stringify(change.requiredCapabilities),
    not_before: notBefore,
    deferred,
    ready_since: task.deferred === 1 && deferred === 0 ? ctx.now : task.ready_since,
    parent_task_id: parent.value,
    external_ref: change.externalRef === undefined ? task.external_ref : change.externalRef,
    budget_usd: change.budgetUsd === undefined ? task.budget_usd : change.budgetUsd,
    blocked_reason: change.blockedReason === undefined ? task.blocked_reason : change.blockedReason,
    version: task.version + 1,
    updated_at: ctx.now,
    change_seq: seq,
  };
  saveContent(ctx.sql, after);
  if (!quietly)
    ctx.log.append({
      seq,
      kind: "task_edited",
      taskId: task.id,
      tenantId: task.tenant_id,
      data: { fields: change, version: after.version },
    });
  return accept(after);
}

/** Hierarchy has no cycles: a task may not become its own descendant. */
function resolveParent(ctx: Context, task: TaskRow, asked: string | null | undefined): Result<string | null> {
  if (asked === undefined) return accept(task.parent_task_id);
  if (asked === null) return accept(null);
  const parent = findTask(ctx.sql, asked);
  if (parent === null || parent.dropped === 1)
    return refuse("parent_not_found", "There is no such parent task on this board.");
  const path = [parent.id, ...getAncestors(ctx.sql, parent.parent_task_id).map((row) => row.id)];
  if (path.includes(task.id))
    return refuse("parent_cycle", "A task cannot lie under itself.", {
      path: [task.id, ...path.slice(0, path.indexOf(task.id) + 1)],
    });
  return accept(parent.id);
}

function referenceClash(ctx: Context, task: TaskRow, asked: string | null | undefined): Refusal | null {
  if (asked === undefined || asked === null || asked === task.external_ref) return null;
  return takenReference(ctx, asked);
}

export function takenReference(ctx: Context, externalRef: string): Refusal | null {
  const [holder] = findByReferences(ctx.sql, [externalRef]);
  return holder === undefined ? null : duplicateReference(holder);
}

export function duplicateReference(holder: TaskRow): Refusal {
  return refuse("duplicate", "Another task has this externalRef.", {
    taskId: holder.id,
    taskStatus: holder.status,
    hint: "Work with that task instead of making another.",
  });
}
