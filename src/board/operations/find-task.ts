import { type Refusal, refuse } from "../../contract/result.ts";
import type { Context } from "../context.ts";
import type { TaskRow } from "../store/rows.ts";
import { findTask } from "../store/tasks.ts";

export type Found = { ok: true; task: TaskRow } | Refusal;

/** A filter's task by its uuid, however it was named; what names no task matches nothing. */
export function resolveId(ctx: Context, ref: string): string {
  return /^n\d/.test(ref) ? (findTask(ctx.sql, ref)?.id ?? ref) : ref;
}

/** A task to read, dropped or not. */
export function requireTask(ctx: Context, ref: string): Found {
  const task = findTask(ctx.sql, ref);
  return task === null
    ? refuse("task_not_found", "There is no such task on this board.")
    : { ok: true, task };
}

/** A task to write to: a dropped one has to be restored first. */
export function requireStanding(ctx: Context, ref: string): Found {
  const found = requireTask(ctx, ref);
  if (found.ok && found.task.dropped === 1)
    return refuse("task_not_found", "This task was dropped.", { hint: "Restore it first." });
  return found;
}
