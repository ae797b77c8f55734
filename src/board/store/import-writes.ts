/** What an import changes on tasks: many at once, each statement out of one JSON parameter. */
import type * as z from "zod";
import { jsonChunks } from "./json-rows.ts";
import { type TaskRow, taskRow } from "./rows.ts";
import type { Sql } from "./sql.ts";

/** What a task says, as against where it stands: a move is written by `moveTasks`. */
const content = taskRow.pick({
  title: true,
  description: true,
  priority: true,
  team_id: true,
  parent_task_id: true,
  source_delegation_id: true,
  worktree_ref: true,
  branch_ref: true,
  budget_usd: true,
  parent_session_id: true,
  scheduled_by: true,
  kind: true,
  labels: true,
  required_capabilities: true,
  external_ref: true,
  not_before: true,
  deferred: true,
  version: true,
  updated_at: true,
  change_seq: true,
});
export type ContentRow = z.infer<typeof content> & Pick<TaskRow, "number">;

const columns = Object.keys(content.shape);
const SAVE = `update tasks set ${columns.map((column) => `${column} = given.${column}`).join(", ")}
  from (
    select value ->> 'number' as number, ${columns.map((column) => `value ->> '${column}' as ${column}`).join(", ")}
    from json_each(?)
  ) as given
  where tasks.number = given.number`;

export function saveContents(sql: Sql, rows: Iterable<ContentRow>): void {
  const trimmed = [...rows].map((row) => ({ number: row.number, ...content.parse(row) }));
  for (const chunk of jsonChunks(trimmed)) sql.run(SAVE, chunk);
}

const PARENT = `update tasks set parent_task_id = given.parent
  from (select value ->> 'id' as id, value ->> 'parent' as parent from json_each(?)) as given
  where tasks.id = given.id`;

export function saveParents(sql: Sql, parents: readonly { id: string; parent: string }[]): void {
  for (const chunk of jsonChunks(parents)) sql.run(PARENT, chunk);
}

/** Lets go of their references, so that tasks can trade them. */
export function freeReferences(sql: Sql, taskIds: readonly string[]): void {
  for (const ids of jsonChunks(taskIds))
    sql.run("update tasks set external_ref = null where id in (select value from json_each(?))", ids);
}

const RAISE = `update tasks set epoch = max(epoch, (
    select coalesce(max(epoch), 0) from execution_processes where execution_processes.task_id = tasks.id
  ))
  where id in (select value from json_each(?))`;

/** An epoch counts every run there was, so the next claim's is above all of them. */
export function raiseEpochs(sql: Sql, taskIds: Iterable<string>): void {
  for (const ids of jsonChunks(taskIds)) sql.run(RAISE, ids);
}
