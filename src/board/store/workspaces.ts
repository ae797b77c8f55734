/** Where tasks are worked on: pointers only. */
import { columnsOf, insertOne, valuesOf, type WorkspaceRow, workspaceRow } from "./rows.ts";
import type { Sql } from "./sql.ts";

export function insertWorkspace(sql: Sql, row: WorkspaceRow): void {
  sql.run(insertOne("workspaces", workspaceRow), ...valuesOf(workspaceRow, row));
}

/** The task's newest one. */
export function latestWorkspace(sql: Sql, taskId: string): WorkspaceRow | null {
  const row = sql.first(
    `select ${columnsOf(workspaceRow)} from workspaces indexed by workspaces_by_task
     where task_id = ? order by id desc limit 1`,
    taskId,
  );
  return row === null ? null : workspaceRow.parse(row);
}

export function saveWorkspace(sql: Sql, row: WorkspaceRow): void {
  sql.run(
    "update workspaces set status = ?2, last_used_at = ?3 where id = ?1",
    row.id,
    row.status,
    row.last_used_at,
  );
}

export function saveWorkspaceRefs(
  sql: Sql,
  number: number,
  refs: { worktreeRef: string | null; branchRef: string | null; changeSeq: number },
): void {
  sql.run(
    "update tasks set worktree_ref = ?2, branch_ref = ?3, change_seq = ?4 where number = ?1",
    number,
    refs.worktreeRef,
    refs.branchRef,
    refs.changeSeq,
  );
}
