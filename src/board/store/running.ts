/** The running executions: at most one per task, which is its lease. Beats, directives and the sweep. */
import { MICROS_PER_USD, SUM_MAX } from "../../contract/limits.ts";
import { columnsOf, type ExecutionRow, executionRow, parseRows } from "./rows.ts";
import type { Sql } from "./sql.ts";

const COLUMNS = columnsOf(executionRow);

export function saveDirective(
  sql: Sql,
  taskId: string,
  epoch: number,
  directive: "cancel" | "drain",
  reason: string,
): void {
  sql.run(
    "update execution_processes set directive = ?3, directive_reason = ?4 where task_id = ?1 and epoch = ?2",
    taskId,
    epoch,
    directive,
    reason,
  );
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
  /** Added in whole micro-dollars, so that many small reports are their exact sum. */
  costMicros: number;
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
       beat_input_tokens = min(beat_input_tokens + ?5, ${SUM_MAX}),
       beat_output_tokens = min(beat_output_tokens + ?6, ${SUM_MAX}),
       beat_cost_usd = round(min(beat_cost_usd * ${MICROS_PER_USD} + ?7, ${SUM_MAX})) / ${MICROS_PER_USD}
     where task_id = ?1 and epoch = ?2 and status = 'running'`,
    taskId,
    epoch,
    now,
    report.progress,
    report.inputTokens,
    report.outputTokens,
    report.costMicros,
  );
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

/** Running executions that have not beaten since the cutoff. */
export function staleExecutions(sql: Sql, cutoff: number, limit: number): ExecutionRow[] {
  return parseRows(
    executionRow,
    sql.all(
      `select ${COLUMNS} from execution_processes indexed by executions_running
       where status = 'running' and last_beat_at <= ? limit ?`,
      cutoff,
      limit,
    ),
  );
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

export const COUNT_LEASES = `select count(*) as running, coalesce(sum(last_beat_at <= ?1), 0) as expired
  from execution_processes indexed by executions_running where status = 'running'`;

/** Running executions, and those of them that have not beaten since the cutoff. */
export function countLeases(sql: Sql, cutoff: number): { running: number; expired: number } {
  const row = sql.first(COUNT_LEASES, cutoff);
  return { running: Number(row?.["running"]), expired: Number(row?.["expired"]) };
}

/** When executions claimed with this token last beat. */
export function lastBeatByToken(sql: Sql): Map<string, number> {
  const rows = sql.all(
    `select token_id, max(last_beat_at) as beat from execution_processes indexed by executions_running
     where status = 'running' and token_id is not null group by token_id`,
  );
  return new Map(rows.map((row) => [String(row["token_id"]), Number(row["beat"])]));
}
