/** Runs of tasks. The running one, at most one per task, is the lease. */
import * as z from "zod";
import { columnsOf, type ExecutionRow, executionRow, insertOne, parseRows, valuesOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

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

export function runningExecution(sql: Sql, taskId: string): ExecutionRow | null {
  const row = sql.first(
    `select ${COLUMNS} from execution_processes indexed by executions_running
     where task_id = ? and status = 'running'`,
    taskId,
  );
  return row === null ? null : executionRow.parse(row);
}

/** The running executions of these tasks, for lists. */
export function runningExecutions(sql: Sql, taskIds: readonly string[]): ExecutionRow[] {
  return parseRows(
    executionRow,
    sql.all(
      `select ${COLUMNS} from execution_processes indexed by executions_running
       where status = 'running' and task_id in (select value from json_each(?))`,
      JSON.stringify(taskIds),
    ),
  );
}

export function runningByToken(sql: Sql, tokenId: string): ExecutionRow[] {
  return parseRows(
    executionRow,
    sql.all(
      `select ${COLUMNS} from execution_processes indexed by executions_running
       where status = 'running' and token_id = ?`,
      tokenId,
    ),
  );
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

export const BEAT =
  "update execution_processes set last_beat_at = ?3 where task_id = ?1 and epoch = ?2 and status = 'running'";

/** One row: the column stands in no index. */
export function saveBeat(sql: Sql, taskId: string, epoch: number, now: number): void {
  sql.run(BEAT, taskId, epoch, now);
}

export interface BeatReport {
  progress: string | null;
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
}

/** The same row, with what the holder reported. */
export function saveBeatReport(
  sql: Sql,
  taskId: string,
  epoch: number,
  now: number,
  report: BeatReport,
): void {
  sql.run(
    `update execution_processes set
       last_beat_at = ?3, progress = coalesce(?4, progress),
       beat_input_tokens = beat_input_tokens + ?5, beat_output_tokens = beat_output_tokens + ?6,
       beat_cost_usd = beat_cost_usd + ?7
     where task_id = ?1 and epoch = ?2 and status = 'running'`,
    taskId,
    epoch,
    now,
    report.progress,
    report.inputTokens,
    report.outputTokens,
    report.costUsd,
  );
}

/** Closes a running execution; a row that is closed already stays as it is. True when this closed it. */
export function closeExecution(sql: Sql, row: ExecutionRow): boolean {
  const closed = sql.all(
    `update execution_processes set
       status = ?3, reason = ?4, completion = ?5, ended_at = ?6, summary = ?7, error = ?8, after_commit = ?9,
       input_tokens = ?10, output_tokens = ?11, cache_read = ?12, cache_write = ?13, cost_usd = ?14,
       handoff = ?15, recovery_tombstone = ?16
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

export const SWEEP = `update execution_processes set status = 'timed_out', ended_at = ?2
  where (task_id, epoch) in (
    select task_id, epoch from execution_processes indexed by executions_running
    where status = 'running' and last_beat_at <= ?1 limit ?3
  ) and status = 'running' and last_beat_at <= ?1
  returning ${COLUMNS}`;

/** Times out what has not beaten since the cutoff. The test is inside the statement: a beat just in time wins. */
export function timeOutStale(sql: Sql, cutoff: number, now: number, limit: number): ExecutionRow[] {
  return parseRows(executionRow, sql.all(SWEEP, cutoff, now, limit));
}

/** Running executions whose task is missing, dropped, or not being worked on. */
export function structuralOrphans(sql: Sql, limit: number): ExecutionRow[] {
  return parseRows(
    executionRow,
    sql.all(
      `select ${columnsOf(executionRow, "execution_processes")}
       from execution_processes indexed by executions_running
       left join tasks on tasks.id = execution_processes.task_id
       where execution_processes.status = 'running'
         and (tasks.id is null or tasks.dropped = 1 or tasks.status not in ('in_progress', 'in_review'))
       limit ?`,
      limit,
    ),
  );
}

export function oldestBeat(sql: Sql): number | null {
  const row = sql.first(
    "select min(last_beat_at) as oldest from execution_processes indexed by executions_running where status = 'running'",
  );
  return typeof row?.["oldest"] === "number" ? row["oldest"] : null;
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

/** Cost by task, of closed runs and of beats, for the tasks that have any. */
export function costsOf(sql: Sql, taskIds: readonly string[]): Map<string, number> {
  const rows = sql.all(
    `select task_id, sum(cost_usd + beat_cost_usd) as cost from execution_processes
     where task_id in (select value from json_each(?)) group by task_id`,
    JSON.stringify(taskIds),
  );
  return new Map(rows.map((row) => [String(row["task_id"]), Number(row["cost"])]));
}

/** When executions claimed with this token last beat. */
export function lastBeatByToken(sql: Sql): Map<string, number> {
  const rows = sql.all(
    `select token_id, max(last_beat_at) as beat from execution_processes indexed by executions_running
     where status = 'running' and token_id is not null group by token_id`,
  );
  return new Map(rows.map((row) => [String(row["token_id"]), Number(row["beat"])]));
}
