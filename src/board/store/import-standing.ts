/** What an import has to know of the tasks that stand on the board: a few columns, however long their texts. */
import type * as z from "zod";
import { jsonChunks } from "./json-rows.ts";
import { columnsOf, parseRows, taskRow } from "./rows.ts";
import type { Sql } from "./sql.ts";

const standingTask = taskRow.pick({
  number: true,
  id: true,
  external_ref: true,
  parent_task_id: true,
  status: true,
  dropped: true,
  worktree_ref: true,
  branch_ref: true,
  ready_since: true,
  epoch: true,
  version: true,
  updated_at: true,
});
export type StandingTask = z.infer<typeof standingTask>;

const COLUMNS = columnsOf(standingTask);
const BY_IDS = `select ${COLUMNS} from tasks where id in (select value from json_each(?))`;
const BY_REFERENCES = `select ${COLUMNS} from tasks indexed by tasks_by_reference
  where external_ref in (select value from json_each(?)) and external_ref is not null and dropped = 0`;

/** Dropped ones too. */
export function standingByIds(sql: Sql, ids: Iterable<string>): StandingTask[] {
  return [...jsonChunks(ids)].flatMap((chunk) => parseRows(standingTask, sql.all(BY_IDS, chunk)));
}

export function standingByReferences(sql: Sql, references: Iterable<string>): StandingTask[] {
  return [...jsonChunks(references)].flatMap((chunk) =>
    parseRows(standingTask, sql.all(BY_REFERENCES, chunk)),
  );
}
