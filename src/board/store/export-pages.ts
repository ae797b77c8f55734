/** Whole tables a page at a time, along their keys, for exports. */
import { EXPORT_PAGE_ROWS } from "../../contract/limits.ts";
import {
  type CommentRow,
  columnsOf,
  commentRow,
  type DependencyRow,
  dependencyRow,
  type ExecutionRow,
  executionRow,
  parseRows,
  type TaskRow,
  taskRow,
  type WorkspaceRow,
  workspaceRow,
} from "./rows.ts";
import type { Sql } from "./sql.ts";

const TASKS = `select ${columnsOf(taskRow)} from tasks where number > ? order by number limit ?`;
const EDGES = `select ${columnsOf(dependencyRow)} from task_deps
  where (task_id, depends_on_task_id) > (?, ?) order by task_id, depends_on_task_id limit ?`;
const COMMENTS = `select ${columnsOf(commentRow)} from task_comments where number > ? order by number limit ?`;
const RUNS = `select ${columnsOf(executionRow)} from execution_processes
  where (task_id, epoch) > (?, ?) order by task_id, epoch limit ?`;
const WORKSPACES = `select ${columnsOf(workspaceRow)} from workspaces where id > ? order by id limit ?`;

export function tasksAfter(sql: Sql, last: TaskRow | null): TaskRow[] {
  return parseRows(taskRow, sql.all(TASKS, last?.number ?? 0, EXPORT_PAGE_ROWS));
}

export function edgesAfter(sql: Sql, last: DependencyRow | null): DependencyRow[] {
  const place = [last?.task_id ?? "", last?.depends_on_task_id ?? ""];
  return parseRows(dependencyRow, sql.all(EDGES, ...place, EXPORT_PAGE_ROWS));
}

export function commentsAfter(sql: Sql, last: CommentRow | null): CommentRow[] {
  return parseRows(commentRow, sql.all(COMMENTS, last?.number ?? 0, EXPORT_PAGE_ROWS));
}

export function runsAfter(sql: Sql, last: ExecutionRow | null): ExecutionRow[] {
  return parseRows(executionRow, sql.all(RUNS, last?.task_id ?? "", last?.epoch ?? 0, EXPORT_PAGE_ROWS));
}

export function workspacesAfter(sql: Sql, last: WorkspaceRow | null): WorkspaceRow[] {
  return parseRows(workspaceRow, sql.all(WORKSPACES, last?.id ?? "", EXPORT_PAGE_ROWS));
}
