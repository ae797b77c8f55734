/** Comments: append-only. */
import type { Comment } from "../../contract/task.ts";
import { jsonChunks } from "./json-rows.ts";
import { type CommentRow, columnsOf, commentRow, insertMany, parseRows } from "./rows.ts";
import type { Sql } from "./sql.ts";

const COLUMNS = columnsOf(commentRow);

const INSERT = insertMany("task_comments", commentRow);

export function insertComments(sql: Sql, rows: readonly CommentRow[]): void {
  for (const chunk of jsonChunks(rows)) sql.run(INSERT, chunk);
}

export function nextCommentNumber(sql: Sql): number {
  return sql.number("select max(number) from task_comments") + 1;
}

/** Oldest first. */
export function commentsOf(sql: Sql, taskId: string, after: number, limit: number): CommentRow[] {
  return parseRows(
    commentRow,
    sql.all(
      `select ${COLUMNS} from task_comments indexed by task_comments_by_task
       where task_id = ? and number > ? order by number limit ?`,
      taskId,
      after,
      limit,
    ),
  );
}

/** Comments by their own numbers, of whatever task. */
export function commentsByNumber(sql: Sql, numbers: readonly number[]): CommentRow[] {
  const rows = sql.all(
    `select ${COLUMNS} from task_comments where number in (select value from json_each(?))`,
    JSON.stringify(numbers),
  );
  return parseRows(commentRow, rows);
}

/** The newest ones, oldest of them first. */
export function latestComments(sql: Sql, taskId: string, limit: number): CommentRow[] {
  return parseRows(
    commentRow,
    sql.all(
      `select ${COLUMNS} from task_comments indexed by task_comments_by_task
       where task_id = ? order by number desc limit ?`,
      taskId,
      limit,
    ),
  ).reverse();
}

/** How many comments by others came after the one the holder last read. */
export function countUnread(sql: Sql, taskId: string, after: number, reader: string): number {
  return sql.number(
    `select count(*) from task_comments indexed by task_comments_by_task
     where task_id = ? and number > ? and author_id <> ?`,
    taskId,
    after,
    reader,
  );
}

export function saveCommentsRead(sql: Sql, taskId: string, epoch: number, number: number): void {
  sql.run(
    "update execution_processes set comments_read = max(comments_read, ?3) where task_id = ?1 and epoch = ?2",
    taskId,
    epoch,
    number,
  );
}

export function viewComment(row: CommentRow): Comment {
  return {
    id: row.number,
    taskId: row.task_id,
    authorId: row.author_id,
    body: row.body,
    createdAt: row.created_at,
  };
}
