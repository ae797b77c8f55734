/**
 * The ready queue: one partial index per queue order, named in every statement, so that ready and claim-next
 * read rows in proportion to what they return at any backlog.
 */
import { PROMOTE_BATCH } from "../../contract/limits.ts";
import type { Settings } from "../../contract/settings.ts";
import { columnsOf, parseRows, type TaskRow, taskRow } from "./rows.ts";
import type { Sql } from "./sql.ts";

type Order = Settings["readyOrder"];

/** A place in the queue: after this row, in queue order. */
export interface QueuePlace {
  priority: number;
  /** `updated_at` in recent order, `ready_since` in fifo. */
  time: number;
  number: number;
}

const READY =
  "status = 'todo' and dropped = 0 and assignee_agent_id is null and open_deps = 0 and deferred = 0";

function statements(index: string, time: string, direction: "desc" | ""): string[] {
  const select = `select ${columnsOf(taskRow)} from tasks indexed by ${index} where ${READY}`;
  const order = `order by priority desc, ${time} ${direction}, number limit`;
  const later = direction === "desc" ? "<" : ">";
  return [
    `${select} ${order} ?1`,
    `${select} and priority = ?2 and ${time} = ?3 and number > ?4 ${order} ?1`,
    `${select} and priority = ?2 and ${time} ${later} ?3 ${order} ?1`,
    `${select} and priority < ?2 ${order} ?1`,
  ];
}

const QUEUE: Record<Order, string[]> = {
  recent: statements("tasks_ready_recent", "updated_at", "desc"),
  fifo: statements("tasks_ready_fifo", "ready_since", ""),
};

/**
 * Up to `limit` ready tasks in queue order, from the front or after a place. Going on after a place takes
 * three seeks (same time, same priority, lower priority), each of which walks the index from where it starts.
 */
export function readyTasks(sql: Sql, order: Order, limit: number, after: QueuePlace | null): TaskRow[] {
  const [front, sameTime, samePriority, lower] = QUEUE[order] as [string, string, string, string];
  if (after === null) return parseRows(taskRow, sql.all(front, limit));
  const rows = parseRows(taskRow, sql.all(sameTime, limit, after.priority, after.time, after.number));
  if (rows.length < limit)
    rows.push(...parseRows(taskRow, sql.all(samePriority, limit - rows.length, after.priority, after.time)));
  if (rows.length < limit)
    rows.push(...parseRows(taskRow, sql.all(lower, limit - rows.length, after.priority)));
  return rows;
}

function statementAmong(time: string, direction: "desc" | ""): string {
  return `select ${columnsOf(taskRow)} from tasks
    where number in (select value from json_each(?)) and ${READY}
    order by priority desc, ${time} ${direction}, number`;
}

const AMONG: Record<Order, string> = {
  recent: statementAmong("updated_at", "desc"),
  fifo: statementAmong("ready_since", ""),
};

/** Those of some tasks that are ready, in queue order. */
export function readyAmong(sql: Sql, order: Order, numbers: readonly number[]): TaskRow[] {
  return parseRows(taskRow, sql.all(AMONG[order], JSON.stringify(numbers)));
}

/** Whether a place comes after another one. */
export function isAfter(place: QueuePlace, other: QueuePlace, order: Order): boolean {
  if (place.priority !== other.priority) return place.priority < other.priority;
  if (place.time !== other.time)
    return order === "recent" ? place.time < other.time : place.time > other.time;
  return place.number > other.number;
}

export function placeOf(row: TaskRow, order: Order): QueuePlace {
  return {
    priority: row.priority,
    time: order === "recent" ? row.updated_at : row.ready_since,
    number: row.number,
  };
}

export function anyReady(sql: Sql): boolean {
  return sql.first(`select number from tasks indexed by tasks_ready_recent where ${READY} limit 1`) !== null;
}

export const COUNT_READY = `select count(*) from (
    select 1 from tasks indexed by tasks_ready_recent where ${READY} limit ?1
  )`;

export function countReady(sql: Sql, limit: number): number {
  return sql.number(COUNT_READY, limit);
}

/** The queue's index has the oldest of each priority first: one seek for each. */
export const OLDEST_READY = `with recursive priorities (priority) as (
    select 0 union all select priority + 1 from priorities where priority < ?1
  )
  select min((
    select ready_since from tasks indexed by tasks_ready_fifo
    where ${READY} and tasks.priority = priorities.priority order by ready_since limit 1
  )) as since from priorities`;

/** Since when the task has been ready that has been so longest; null: none is. */
export function oldestReadySince(sql: Sql, highestPriority: number): number | null {
  const since = sql.first(OLDEST_READY, highestPriority)?.["since"];
  return typeof since === "number" ? since : null;
}

/** Takes the deferred flag off tasks whose time has come; how many. */
export function promoteDeferred(sql: Sql, now: number): number {
  const due = sql.first(
    "select number from tasks indexed by tasks_deferred where deferred = 1 and not_before <= ? limit 1",
    now,
  );
  if (due === null) return 0;
  return sql.all(
    `update tasks set deferred = 0, ready_since = max(ready_since, not_before)
     where number in (
       select number from tasks indexed by tasks_deferred
       where deferred = 1 and not_before <= ?1 order by not_before limit ?2
     )
     returning number`,
    now,
    PROMOTE_BATCH,
  ).length;
}

export function nextDeferredAt(sql: Sql): number | null {
  const row = sql.first(
    "select not_before from tasks indexed by tasks_deferred where deferred = 1 order by not_before limit 1",
  );
  return row === null ? null : Number(row["not_before"]);
}
