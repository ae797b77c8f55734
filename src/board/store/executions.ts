/** Runs of tasks: the ledger. The running ones are in `running.ts`. */
import * as z from "zod";
import { columnsOf, type ExecutionRow, executionRow, insertOne, parseRows, valuesOf } from "./rows.ts";
import type { Sql } from "./sql.ts";
import { COST } from "./usage.ts";

const COLUMNS = columnsOf(executionRow);

const INSERT = insertOne("execution_processes", executionRow);

export function insertExecution(sql: Sql, row: ExecutionRow): void {
  sql.run(INSERT, ...valuesOf(executionRow, row));
}

export function findExecution(sql: Sql, taskId: string, epoch: number): ExecutionRow | null {
  const row = sql.first(
    `select ${COLUMNS} from execution_processes where task_id = ? and epoch = ?`,
    taskId,
    epoch,
  );
  return row === null ? null : executionRow.parse(row);
}

export function findExecutionById(sql: Sql, id: string): ExecutionRow | null {
  const row = sql.first(`select ${COLUMNS} from execution_processes where id = ?`, id);
  return row === null ? null : executionRow.parse(row);
}

/** All runs, newest first: their ids are ordered by the time they were made. */
export function listRuns(sql: Sql, filter: RunFilter, before: string, limit: number): ExecutionRow[] {
  return parseRows(
    executionRow,
    sql.all(
      `select ${COLUMNS} from execution_processes
       where id < ?1 and (?2 is null or agent_id = ?2) and (?3 is null or status = ?3)
       order by id desc limit ?4`,
      before,
      filter.agentId,
      filter.status,
      limit,
    ),
  );
}

export interface RunFilter {
  agentId: string | null;
  status: string | null;
}

/** Oldest first. */
export function executionsOf(sql: Sql, taskId: string, afterEpoch: number, limit: number): ExecutionRow[] {
  return parseRows(
    executionRow,
    sql.all(
      `select ${COLUMNS} from execution_processes where task_id = ? and epoch > ? order by epoch limit ?`,
      taskId,
      afterEpoch,
      limit,
    ),
  );
}

/** The newest ones, oldest of them first. */
export function latestExecutions(sql: Sql, taskId: string, limit: number): ExecutionRow[] {
  return parseRows(
    executionRow,
    sql.all(
      `select ${COLUMNS} from execution_processes where task_id = ? order by epoch desc limit ?`,
      taskId,
      limit,
    ),
  ).reverse();
}

/** Closes a running execution; a row that is closed already stays as it is. True when this closed it. */
export function closeExecution(sql: Sql, row: ExecutionRow): boolean {
  const closed = sql.all(
    `update execution_processes set
       status = ?3, reason = ?4, completion = ?5, ended_at = ?6, summary = ?7, error = ?8,
       before_commit = ?9, after_commit = ?10, input_tokens = ?11, output_tokens = ?12, cache_read = ?13,
       cache_write = ?14, cost_usd = ?15, handoff = ?16, recovery_tombstone = ?17
     where task_id = ?1 and epoch = ?2 and status = 'running'
     returning id`,
    row.task_id,
    row.epoch,
    row.status,
    row.reason,
    row.completion,
    row.ended_at,
    row.summary,
    row.error,
    row.before_commit,
    row.after_commit,
    row.input_tokens,
    row.output_tokens,
    row.cache_read,
    row.cache_write,
    row.cost_usd,
    row.handoff,
    row.recovery_tombstone,
  );
  return closed.length > 0;
}

export function latestHandoff(sql: Sql, taskId: string): string | null {
  const row = sql.first(
    `select handoff from execution_processes where task_id = ? and handoff is not null
     order by epoch desc limit 1`,
    taskId,
  );
  return row === null ? null : String(row["handoff"]);
}

const summaryRow = z.object({
  id: z.string(),
  number: z.int(),
  title: z.string(),
  summary: z.string().nullable(),
});

/** What the blockers of a task left behind: each one's last summary. */
export function blockerSummaries(sql: Sql, taskId: string, limit: number): z.infer<typeof summaryRow>[] {
  return parseRows(
    summaryRow,
    sql.all(
      `select tasks.id, tasks.number, tasks.title,
         (select summary from execution_processes
          where execution_processes.task_id = tasks.id and summary is not null
          order by epoch desc limit 1) as summary
       from task_deps cross join tasks on tasks.id = task_deps.depends_on_task_id
       where task_deps.task_id = ? order by tasks.number limit ?`,
      taskId,
      limit,
    ),
  );
}

/** What a task cost in micro-dollars, of closed runs and of beats: a row for each of its runs. */
export function costOf(sql: Sql, taskId: string): number {
  return sql.number(`select total(${COST}) from execution_processes where task_id = ?`, taskId);
}

/** Micro-dollars by task, of closed runs and of beats, for the tasks that ever ran. */
export function costsOf(sql: Sql, taskIds: readonly string[]): Map<string, number> {
  const rows = sql.all(
    `select task_id, total(${COST}) as cost from execution_processes
     where task_id in (select value from json_each(?)) group by task_id`,
    JSON.stringify(taskIds),
  );
  return new Map(rows.map((row) => [String(row["task_id"]), Number(row["cost"])]));
}
