/** Comments, runs and workspaces of an import: those a board has already are left as they are. */
import * as z from "zod";
import { jsonChunks } from "./json-rows.ts";
import {
  type CommentRow,
  columnsOf,
  commentRow,
  type ExecutionRow,
  executionRow,
  insertMany,
  parseRows,
  type WorkspaceRow,
  workspaceRow,
} from "./rows.ts";
import { installRunStats } from "./run-stats.ts";
import type { Sql } from "./sql.ts";
import { installUsage } from "./usage.ts";

const commentColumns = Object.keys(commentRow.shape).filter((column) => column !== "number");
/**
 * Known is a comment that somebody said on that task in these words (`?2`: at that time). It is looked for under
 * its own number first, where it is when the board it comes from is this one.
 */
const NEW_COMMENTS = `insert into task_comments (number, ${commentColumns.join(", ")})
  select (select coalesce(max(number), 0) from task_comments) + row_number() over (order by given.key),
    ${commentColumns.map((column) => `given.value ->> '${column}'`).join(", ")}
  from json_each(?1) as given
  where not exists (
      select 1 from task_comments as known
      where known.number = given.value ->> 'number' and known.task_id = given.value ->> 'task_id'
        and known.author_id = given.value ->> 'author_id' and known.body = given.value ->> 'body'
        and (?2 = 0 or known.created_at = given.value ->> 'created_at')
    )
    and not exists (
      select 1 from task_comments as known indexed by task_comments_by_task
      where known.task_id = given.value ->> 'task_id' and known.author_id = given.value ->> 'author_id'
        and known.body = given.value ->> 'body'
        and (?2 = 0 or known.created_at = given.value ->> 'created_at')
    )
  returning ${columnsOf(commentRow)}`;

/** Those that were not there yet, in the order given, under the next free numbers. */
export function insertNewComments(
  sql: Sql,
  rows: readonly CommentRow[],
  alike: "words" | "moment",
): CommentRow[] {
  return [...jsonChunks(rows)].flatMap((chunk) =>
    parseRows(commentRow, sql.all(NEW_COMMENTS, chunk, alike === "moment")),
  );
}

const OWN_COMMENTS = `${insertMany("task_comments", commentRow)} on conflict do nothing returning number, task_id`;
const commentKey = z.object({ number: z.int(), task_id: z.string() });

/** Under the numbers they have; one whose number is taken is left out. */
export function insertOwnComments(sql: Sql, rows: readonly CommentRow[]): z.infer<typeof commentKey>[] {
  return [...jsonChunks(rows)].flatMap((chunk) => parseRows(commentKey, sql.all(OWN_COMMENTS, chunk)));
}

const runKey = z.object({ task_id: z.string(), epoch: z.int() });
export type RunKey = z.infer<typeof runKey>;

const RUNS = `${insertMany("execution_processes", executionRow)} on conflict do nothing returning task_id, epoch`;

/** Those that were not there yet; a run is immutable once it ended, so one that is known stays as it is. */
export function insertNewRuns(sql: Sql, rows: readonly ExecutionRow[]): RunKey[] {
  return [...jsonChunks(rows)].flatMap((chunk) => parseRows(runKey, sql.all(RUNS, chunk)));
}

const OTHER_RUNS = `select given.value ->> 'id' as id, execution_processes.epoch
  from json_each(?) as given cross join execution_processes
    on execution_processes.task_id = given.value ->> 'task_id'
    and execution_processes.epoch = given.value ->> 'epoch'
  where execution_processes.id <> given.value ->> 'id'`;

/** Which of these find their epoch taken by another run. */
export function otherRuns(sql: Sql, rows: readonly ExecutionRow[]): z.infer<typeof strangeRun>[] {
  const keys = rows.map(({ id, task_id, epoch }) => ({ id, task_id, epoch }));
  return [...jsonChunks(keys)].flatMap((chunk) => parseRows(strangeRun, sql.all(OTHER_RUNS, chunk)));
}

const strangeRun = z.object({ id: z.string(), epoch: z.int() });

const WORKSPACES = `${insertMany("workspaces", workspaceRow)} on conflict do nothing returning id, task_id`;
const workspaceKey = z.object({ id: z.string(), task_id: z.string() });
export type WorkspaceKey = z.infer<typeof workspaceKey>;

export function insertNewWorkspaces(sql: Sql, rows: readonly WorkspaceRow[]): WorkspaceKey[] {
  return [...jsonChunks(rows)].flatMap((chunk) => parseRows(workspaceKey, sql.all(WORKSPACES, chunk)));
}

/** What is counted along the ledger, counted anew from all of it. */
export function recountLedger(sql: Sql): void {
  sql.run("delete from board_usage");
  installUsage(sql);
  sql.run("delete from run_stats");
  installRunStats(sql);
}
