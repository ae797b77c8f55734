/** One new task. Agents' creates are bounded by stored rows; a lead's are not. */
import { MAX_DEPENDENTS } from "../../contract/limits.ts";
import { accept, type Refusal, type Result, refuse } from "../../contract/result.ts";
import type { Task } from "../../contract/task.ts";
import { rootObstacle, subtaskObstacle } from "../../rules/caps.ts";
import { isEdgeSatisfied } from "../../rules/readiness.ts";
import { type Context, isLead } from "../context.ts";
import { countDependents, insertDependencies } from "../store/dependencies.ts";
import { countChildren, countGuardedRoots, getAncestors } from "../store/hierarchy.ts";
import type { TaskRow } from "../store/rows.ts";
import { findTask, findTasksByRef, insertTasks, nextNumber } from "../store/tasks.ts";
import { viewOne } from "../view.ts";
import { takenReference } from "./edit-content.ts";
import { createdEvent, newTask, type TaskDraft } from "./new-task.ts";

export interface CreateTask {
  draft: TaskDraft;
  parentTaskId?: string;
  dependsOn?: string[];
}

export function createTask(ctx: Context, input: CreateTask): Result<{ task: Task }> {
  if (isLead(ctx))
    return input.parentTaskId === undefined ? createRoot(ctx, input) : createSubtask(ctx, input);
  return input.parentTaskId === undefined
    ? createCappedRootTask(ctx, input)
    : createCappedSubtask(ctx, input);
}

function createRoot(ctx: Context, input: CreateTask): Result<{ task: Task }> {
  return insert(ctx, input, null, false);
}

function createSubtask(ctx: Context, input: CreateTask): Result<{ task: Task }> {
  const parent = findParent(ctx, input);
  return parent.ok ? insert(ctx, input, parent.task.id, false) : parent;
}

/** Parent, child count, depth and insert in one transaction: two agents can never both make the last child. */
function createCappedSubtask(ctx: Context, input: CreateTask): Result<{ task: Task }> {
  const parent = findParent(ctx, input);
  if (!parent.ok) return parent;
  const { caps } = ctx.board.settings;
  const depth = getAncestors(ctx.sql, parent.task.parent_task_id).length;
  const children = countChildren(ctx.sql, parent.task.id, caps.maxChildren);
  const obstacle = subtaskObstacle(caps, depth, children);
  if (obstacle === "child_cap")
    return refuse("child_cap", `A task may have at most ${caps.maxChildren} subtasks.`, {
      hint: "Finish or merge subtasks, or ask a lead.",
    });
  if (obstacle === "depth_cap")
    return refuse("depth_cap", `Tasks may lie at most ${caps.maxDepth} levels under a root.`, {
      hint: "Create it under a task higher up.",
    });
  return insert(ctx, input, parent.task.id, true);
}

/** Roots are bounded by a rate: a total would jam a board that lives long. */
function createCappedRootTask(ctx: Context, input: CreateTask): Result<{ task: Task }> {
  const { caps } = ctx.board.settings;
  const roots = countGuardedRoots(ctx.sql, ctx.now - caps.rootWindowMs, caps.maxRootCreates);
  if (rootObstacle(caps, roots) !== null)
    return refuse(
      "root_rate_cap",
      `Agents may create at most ${caps.maxRootCreates} root tasks in ${caps.rootWindowMs} ms.`,
      { hint: "Create subtasks of a task you work on, or ask a lead." },
    );
  return insert(ctx, input, null, true);
}

function findParent(ctx: Context, input: CreateTask): { ok: true; task: TaskRow } | Refusal {
  const task = findTask(ctx.sql, input.parentTaskId ?? "");
  if (task !== null && task.dropped === 0) return { ok: true, task };
  return refuse("parent_not_found", "There is no such parent task on this board.");
}

function insert(
  ctx: Context,
  input: CreateTask,
  parentTaskId: string | null,
  guarded: boolean,
): Result<{ task: Task }> {
  const { draft } = input;
  const clash = draft.externalRef === undefined ? null : takenReference(ctx, draft.externalRef);
  if (clash !== null) return clash;
  const blockers = findBlockers(ctx, input.dependsOn ?? []);
  if (!blockers.ok) return blockers;
  const open = blockers.value.filter((blocker) => !isEdgeSatisfied(blocker.status, "hold")).length;
  const row = newTask(ctx, draft, {
    number: nextNumber(ctx.sql),
    changeSeq: ctx.log.reserve(),
    parentTaskId,
    openDeps: open,
    guarded,
  });
  insertTasks(ctx.sql, [row]);
  insertDependencies(
    ctx.sql,
    blockers.value.map((blocker) => ({
      task_id: row.id,
      depends_on_task_id: blocker.id,
      on_cancel: "hold" as const,
      created_at: ctx.now,
      tenant_id: row.tenant_id,
    })),
  );
  ctx.log.append(
    createdEvent(
      row,
      blockers.value.map((blocker) => blocker.id),
    ),
  );
  return accept({ task: viewOne(ctx, row) });
}

function findBlockers(ctx: Context, refs: readonly string[]): Result<TaskRow[]> {
  if (refs.length === 0) return accept([]);
  const found = findTasksByRef(ctx.sql, refs);
  const missing = refs.find((ref) => !found.has(ref));
  if (missing !== undefined)
    return refuse("dependency_not_found", "A task in dependsOn is not on this board.", { ref: missing });
  const blockers = new Map([...found.values()].map((row) => [row.id, row]));
  for (const [id, count] of countDependents(ctx.sql, [...blockers.keys()]))
    if (count >= MAX_DEPENDENTS) return dependentCap(blockers.get(id) as TaskRow);
  return accept([...blockers.values()]);
}

export function dependentCap(blocker: TaskRow): Refusal {
  return refuse("dependent_cap", `At most ${MAX_DEPENDENTS} tasks may wait for one task.`, {
    taskId: blocker.id,
  });
}
