import { INCLUDED_MAX } from "../../contract/limits.ts";
import { accept, type Result } from "../../contract/result.ts";
import type {
  Attempts,
  Comment,
  Dependency,
  Execution,
  Task,
  TaskRef,
  Workspace,
} from "../../contract/task.ts";
import type { Verification } from "../../contract/verification.ts";
import { readCell } from "../../rules/verification.ts";
import { fitting } from "../answer-size.ts";
import type { Context } from "../context.ts";
import { latestComments, viewComment } from "../store/comments.ts";
import { blockersOf, getDependents } from "../store/dependencies.ts";
import { latestExecutions } from "../store/executions.ts";
import { latestWorkspace } from "../store/workspaces.ts";
import { viewDependency, viewExecution, viewOne, viewRef } from "../view.ts";
import { attemptsOf } from "./attempts.ts";
import { markRead } from "./comments.ts";
import { requireTask } from "./find-task.ts";
import { type Ancestor, ancestorsOf } from "./relatives.ts";
import { viewWorkspace } from "./workspaces.ts";

export const INCLUDES = [
  "comments",
  "executions",
  "ancestors",
  "dependencies",
  "dependents",
  "workspace",
  "verification",
] as const;

export type Include = (typeof INCLUDES)[number];

export interface TaskDetail {
  task: Task;
  attempts: Attempts;
  comments?: Comment[];
  executions?: Execution[];
  ancestors?: Ancestor[];
  dependencies?: Dependency[];
  dependents?: TaskRef[];
  workspace?: Workspace | null;
  verification?: Verification | null;
  /** Parts of which only the newest 200 are shown. */
  truncated?: Include[];
}

export function getTask(ctx: Context, input: { id: string; include: Include[] }): Result<TaskDetail> {
  const found = requireTask(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  const detail: TaskDetail = { task: viewOne(ctx, task), attempts: attemptsOf(ctx, task.id) };
  const truncated: Include[] = [];
  const asked = new Set(input.include);
  /** One row more than is shown tells whether there are more. */
  const take = <T>(part: Include, rows: T[], newestLast: boolean): T[] => {
    const ordered = newestLast ? [...rows].reverse() : rows;
    const shown = fitting(ordered.slice(0, INCLUDED_MAX));
    if (shown.length < rows.length) truncated.push(part);
    return newestLast ? shown.reverse() : shown;
  };
  if (asked.has("comments")) {
    const rows = take("comments", latestComments(ctx.sql, task.id, INCLUDED_MAX + 1), true);
    markRead(ctx, task, rows.at(-1)?.number ?? 0);
    detail.comments = rows.map(viewComment);
  }
  if (asked.has("executions"))
    detail.executions = take("executions", latestExecutions(ctx.sql, task.id, INCLUDED_MAX + 1), true).map(
      viewExecution,
    );
  if (asked.has("ancestors")) detail.ancestors = ancestorsOf(ctx, task.parent_task_id);
  if (asked.has("dependencies"))
    detail.dependencies = take("dependencies", blockersOf(ctx.sql, task.id, INCLUDED_MAX + 1), false).map(
      viewDependency,
    );
  if (asked.has("dependents"))
    detail.dependents = take("dependents", getDependents(ctx.sql, task.id, INCLUDED_MAX + 1), false).map(
      viewRef,
    );
  if (asked.has("workspace")) {
    const row = latestWorkspace(ctx.sql, task.id);
    detail.workspace = row === null ? null : viewWorkspace(row);
  }
  if (asked.has("verification")) detail.verification = readCell(task.verification);
  if (truncated.length > 0) detail.truncated = truncated;
  return accept(detail);
}
