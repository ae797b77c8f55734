/** A task's relatives along its edges and its parents. */
import { RELATIVES_MAX } from "../../contract/limits.ts";
import { accept, type Result } from "../../contract/result.ts";
import type { Task, TaskRef } from "../../contract/task.ts";
import { fitting } from "../answer-size.ts";
import type { Context } from "../context.ts";
import { getDependents } from "../store/dependencies.ts";
import { getAncestors } from "../store/hierarchy.ts";
import { viewRef, viewTasks } from "../view.ts";
import { requireTask } from "./find-task.ts";

/** Everything transitively blocked by this task, by number. */
export function listDependents(ctx: Context, id: string): Result<{ tasks: Task[]; hasMore: boolean }> {
  const found = requireTask(ctx, id);
  if (!found.ok) return found;
  const rows = getDependents(ctx.sql, found.task.id, RELATIVES_MAX + 1);
  const shown = fitting(rows.slice(0, RELATIVES_MAX));
  return accept({ tasks: viewTasks(ctx, shown), hasMore: rows.length > shown.length });
}

export interface Ancestor extends TaskRef {
  parentTaskId: string | null;
}

/** The chain of parents, nearest first. */
export function listAncestors(ctx: Context, id: string): Result<{ ancestors: Ancestor[] }> {
  const found = requireTask(ctx, id);
  return found.ok ? accept({ ancestors: ancestorsOf(ctx, found.task.parent_task_id) }) : found;
}

export function ancestorsOf(ctx: Context, parentTaskId: string | null): Ancestor[] {
  return getAncestors(ctx.sql, parentTaskId).map((row) => ({
    ...viewRef(row),
    parentTaskId: row.parent_task_id,
  }));
}
