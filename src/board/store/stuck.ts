/** Tasks that wait for a person: counted, and listed by their number. */
import * as z from "zod";
import { TASK_STATUSES } from "../../rules/status.ts";
import { columnsOf, parseRows } from "./columns.ts";
import type { Sql } from "./sql.ts";

export const stuckRow = z.object({
  id: z.string(),
  number: z.int(),
  title: z.string(),
  status: z.enum(TASK_STATUSES),
  epoch: z.int(),
  assignee_agent_id: z.string().nullable(),
  required_capabilities: z.string(),
  ready_since: z.int(),
  updated_at: z.int(),
});
export type StuckRow = z.infer<typeof stuckRow>;

const COLUMNS = columnsOf(stuckRow, "tasks");

const runningCount = z.object({
  status: z.enum(["in_progress", "in_review"]),
  running: z.int(),
  overrun: z.int(),
});

export const COUNT_RUNNING = `select tasks.status, count(*) as running,
    sum(execution_processes.started_at <= ?1) as overrun
  from execution_processes indexed by executions_running
    cross join tasks on tasks.id = execution_processes.task_id
  where execution_processes.status = 'running' and tasks.dropped = 0
    and tasks.status in ('in_progress', 'in_review')
  group by tasks.status limit 2`;

/** Tasks with a running execution by status, and how many of those runs began by `startedBy`. */
export function countRunning(sql: Sql, startedBy: number) {
  const rows = parseRows(runningCount, sql.all(COUNT_RUNNING, startedBy));
  const of = (status: string) => rows.find((row) => row.status === status) ?? { running: 0, overrun: 0 };
  return { inProgress: of("in_progress"), inReview: of("in_review") };
}

export const UNLEASED = `select ${COLUMNS} from tasks indexed by tasks_by_status
  where status = ?1 and dropped = 0 and number > ?2 and not exists (
    select 1 from execution_processes indexed by executions_running
    where execution_processes.task_id = tasks.id and execution_processes.status = 'running'
  )
  order by number limit ?3`;

/** In this status, and nobody's run. It walks the tasks of the status, which are as many as hands at work. */
export function unleasedTasks(
  sql: Sql,
  status: "in_progress" | "in_review",
  after: number,
  limit: number,
): StuckRow[] {
  return parseRows(stuckRow, sql.all(UNLEASED, status, after, limit));
}

export const OVERRUN = `select ${COLUMNS}
  from execution_processes indexed by executions_running
    cross join tasks on tasks.id = execution_processes.task_id
  where execution_processes.status = 'running' and execution_processes.started_at <= ?1
    and tasks.dropped = 0 and tasks.status in ('in_progress', 'in_review') and tasks.number > ?2
  order by tasks.number limit ?3`;

export function overrunTasks(sql: Sql, startedBy: number, after: number, limit: number): StuckRow[] {
  return parseRows(stuckRow, sql.all(OVERRUN, startedBy, after, limit));
}

const LIMITED = "status = 'blocked' and blocked_reason = 'attempt_limit' and dropped = 0";

export const COUNT_ATTEMPT_LIMITED = `select count(*) from (
    select 1 from tasks indexed by tasks_attempt_limit where ${LIMITED} limit ?1
  )`;

export function countAttemptLimited(sql: Sql, limit: number): number {
  return sql.number(COUNT_ATTEMPT_LIMITED, limit);
}

export const ATTEMPT_LIMITED = `select ${COLUMNS} from tasks indexed by tasks_attempt_limit
  where ${LIMITED} and number > ?1 order by number limit ?2`;

export function attemptLimitedTasks(sql: Sql, after: number, limit: number): StuckRow[] {
  return parseRows(stuckRow, sql.all(ATTEMPT_LIMITED, after, limit));
}

const runRow = z.object({
  task_id: z.string(),
  agent_id: z.string(),
  status: z.enum(["running", "succeeded", "failed", "timed_out", "cancelled", "released"]),
  recovery_tombstone: z.union([z.literal(0), z.literal(1)]),
  left_work: z.union([z.literal(0), z.literal(1)]),
  ended_at: z.int().nullable(),
});
export type RunRow = z.infer<typeof runRow>;

export const LATEST_RUNS = `select execution_processes.task_id, execution_processes.agent_id,
    execution_processes.status, execution_processes.recovery_tombstone,
    (execution_processes.after_commit is not null or execution_processes.summary is not null) as left_work,
    execution_processes.ended_at
  from json_each(?1) as wanted
    cross join tasks on tasks.id = wanted.value
    cross join execution_processes
      on execution_processes.task_id = tasks.id and execution_processes.epoch > tasks.epoch - ?2
  order by execution_processes.task_id, execution_processes.epoch`;

/** The last few runs of each of these tasks, oldest first: a range of its key, since epochs count up. */
export function latestRuns(sql: Sql, taskIds: readonly string[], each: number): Map<string, RunRow[]> {
  const rows = parseRows(runRow, sql.all(LATEST_RUNS, JSON.stringify(taskIds), each));
  return Map.groupBy(rows, (row) => row.task_id);
}

const namedRow = z.object({
  id: z.string(),
  number: z.int(),
  title: z.string(),
  status: z.enum(TASK_STATUSES),
  dropped: z.union([z.literal(0), z.literal(1)]),
});
export type NamedRow = z.infer<typeof namedRow>;

export const NAMED = `select tasks.id, tasks.number, tasks.title, tasks.status, tasks.dropped
  from json_each(?1) as wanted cross join tasks on tasks.id = wanted.value`;

/** Just enough of these tasks to name them. */
export function namedTasks(sql: Sql, ids: readonly string[]): Map<string, NamedRow> {
  return new Map(parseRows(namedRow, sql.all(NAMED, JSON.stringify(ids))).map((row) => [row.id, row]));
}
