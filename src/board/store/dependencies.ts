/**
 * Edges between tasks: a task waits for each task it depends on. Joins that start from edges say `cross join`:
 * otherwise SQLite walks all tasks in the order asked for, to save itself a small sort.
 */
import * as z from "zod";
import { MAX_DEPENDENTS, UNBLOCKED_SHOWN } from "../../contract/limits.ts";
import { ON_CANCEL, type OnCancel } from "../../contract/task.ts";
import { TASK_STATUSES } from "../../rules/status.ts";
import { jsonChunks } from "./json-rows.ts";
import {
  columnsOf,
  type DependencyRow,
  dependencyRow,
  insertMany,
  parseRows,
  type TaskRow,
  taskRow,
} from "./rows.ts";
import type { Sql } from "./sql.ts";

const INSERT = `${insertMany("task_deps", dependencyRow)}
  on conflict do nothing
  returning task_id`;

/** How many edges are new; one that stood already stays as it was. */
export function insertDependencies(sql: Sql, rows: readonly DependencyRow[]): number {
  let inserted = 0;
  for (const chunk of jsonChunks(rows)) inserted += sql.all(INSERT, chunk).length;
  return inserted;
}

export function deleteDependency(sql: Sql, taskId: string, dependsOnTaskId: string): DependencyRow | null {
  const [row] = sql.all(
    `delete from task_deps where task_id = ? and depends_on_task_id = ? returning ${columnsOf(dependencyRow)}`,
    taskId,
    dependsOnTaskId,
  );
  return row === undefined ? null : dependencyRow.parse(row);
}

export function findDependency(sql: Sql, taskId: string, dependsOnTaskId: string): DependencyRow | null {
  const row = sql.first(
    `select ${columnsOf(dependencyRow)} from task_deps where task_id = ? and depends_on_task_id = ?`,
    taskId,
    dependsOnTaskId,
  );
  return row === null ? null : dependencyRow.parse(row);
}

/** Whether `taskId` is upstream of `fromTaskId`: whether waiting for `fromTaskId` means waiting for it. */
export const PROBE = `with recursive upstream(id) as (
    select depends_on_task_id from task_deps where task_id = ?1
    union
    select task_deps.depends_on_task_id from task_deps join upstream on task_deps.task_id = upstream.id
  )
  select id from upstream where id = ?2 limit 1`;

export function isUpstream(sql: Sql, fromTaskId: string, taskId: string): boolean {
  return sql.first(PROBE, fromTaskId, taskId) !== null;
}

const edge = z.object({ task_id: z.string(), depends_on_task_id: z.string() });

/** Every edge upstream of these tasks, as a map from a task to what it waits for. */
export function upstreamEdges(sql: Sql, taskIds: readonly string[]): Map<string, string[]> {
  const rows = sql.all(
    `with recursive upstream(id) as (
       select value from json_each(?)
       union
       select task_deps.depends_on_task_id from task_deps join upstream on task_deps.task_id = upstream.id
     )
     select task_deps.task_id, task_deps.depends_on_task_id
     from upstream cross join task_deps on task_deps.task_id = upstream.id`,
    JSON.stringify(taskIds),
  );
  const edges = new Map<string, string[]>();
  for (const row of parseRows(edge, rows)) {
    const targets = edges.get(row.task_id);
    if (targets === undefined) edges.set(row.task_id, [row.depends_on_task_id]);
    else targets.push(row.depends_on_task_id);
  }
  return edges;
}

const UNSATISFIED = `not (blocker.status = 'done'
  or (blocker.status = 'cancelled' and task_deps.on_cancel = 'satisfy'))`;

const blockerRow = z.object({
  id: z.string(),
  number: z.int(),
  title: z.string(),
  status: z.enum(TASK_STATUSES),
  on_cancel: z.enum(ON_CANCEL),
});
export type BlockerRow = z.infer<typeof blockerRow>;

const BLOCKERS = `select blocker.id, blocker.number, blocker.title, blocker.status, task_deps.on_cancel
  from task_deps cross join tasks as blocker on blocker.id = task_deps.depends_on_task_id
  where task_deps.task_id = ?1`;

/** What a task depends on, satisfied or not. */
export function blockersOf(sql: Sql, taskId: string, limit: number): BlockerRow[] {
  return parseRows(blockerRow, sql.all(`${BLOCKERS} order by blocker.number limit ?2`, taskId, limit));
}

export function openBlockersOf(sql: Sql, taskId: string, limit: number): BlockerRow[] {
  return parseRows(
    blockerRow,
    sql.all(`${BLOCKERS} and ${UNSATISFIED} order by blocker.number limit ?2`, taskId, limit),
  );
}

/** How many tasks wait for each of these; one that nobody waits for is not named. */
export function countDependents(sql: Sql, taskIds: readonly string[]): Map<string, number> {
  const rows = sql.all(
    `select depends_on_task_id as id, count(*) as dependents from task_deps
     where depends_on_task_id in (select value from json_each(?)) group by depends_on_task_id`,
    JSON.stringify(taskIds),
  );
  return new Map(rows.map((row) => [String(row["id"]), Number(row["dependents"])]));
}

const RECOUNT = `update tasks set
    open_deps = (
      select count(*) from task_deps cross join tasks as blocker on blocker.id = task_deps.depends_on_task_id
      where task_deps.task_id = tasks.id and ${UNSATISFIED}
    ),
    ready_since = max(ready_since, ?2)
  where id in (select value from json_each(?1))`;

/** Counts the open edges of these tasks anew, for bulk writes; they are ready since `now` at the earliest. */
export function recountOpen(sql: Sql, taskIds: Iterable<string>, now: number): void {
  for (const ids of jsonChunks(taskIds)) sql.run(RECOUNT, ids, now);
}

export function addOpen(sql: Sql, taskId: string, by: number, now: number): void {
  sql.run("update tasks set open_deps = open_deps + ?2, ready_since = ?3 where id = ?1", taskId, by, now);
}

const dependentEdge = z.object({ task_id: z.string(), on_cancel: z.enum(ON_CANCEL) });

/** The edges that lead away from these tasks: who waits for them, and what a cancel means to each. */
export function dependentEdges(sql: Sql, taskIds: readonly string[], onCancel: OnCancel): string[] {
  const rows = sql.all(
    `select distinct task_deps.task_id, task_deps.on_cancel from task_deps
     where task_deps.depends_on_task_id in (select value from json_each(?1)) and task_deps.on_cancel = ?2
     limit ?3`,
    JSON.stringify(taskIds),
    onCancel,
    MAX_DEPENDENTS + 1,
  );
  return parseRows(dependentEdge, rows).map((row) => row.task_id);
}

const unblockedRow = z.object({
  id: z.string(),
  number: z.int(),
  title: z.string(),
  status: z.enum(TASK_STATUSES),
});

export interface Unblocked {
  count: number;
  /** The first of them, by number. */
  shown: z.infer<typeof unblockedRow>[];
}

/**
 * Takes one open edge off every dependent of these blockers, in one statement; returns the `todo` ones that have
 * none left, dropped ones aside: nobody can start them. `edges`: all of them after `done`, only `satisfy` ones
 * after a cancel.
 */
export function closeEdges(
  sql: Sql,
  blockerIds: readonly string[],
  edges: "all" | "satisfy",
  now: number,
): Unblocked {
  const rows = sql.all(
    `update tasks set open_deps = open_deps - closed.edges, ready_since = max(ready_since, ?2)
     from (
       select task_id, count(*) as edges from task_deps
       where depends_on_task_id in (select value from json_each(?1)) and (?3 = 'all' or on_cancel = 'satisfy')
       group by task_id
     ) as closed
     where tasks.id = closed.task_id
     returning tasks.id, tasks.number, tasks.title, tasks.status, tasks.open_deps, tasks.dropped`,
    JSON.stringify(blockerIds),
    now,
    edges,
  );
  const freed = rows.filter(
    (row) => row["open_deps"] === 0 && row["dropped"] === 0 && row["status"] === "todo",
  );
  const shown = freed.sort((a, b) => Number(a["number"]) - Number(b["number"])).slice(0, UNBLOCKED_SHOWN);
  return { count: freed.length, shown: parseRows(unblockedRow, shown) };
}

/** Every task transitively blocked by this one; `union` makes it end on corrupt cycles too. */
export const DEPENDENTS = `with recursive dependents(id) as (
    select task_id from task_deps where depends_on_task_id = ?1
    union
    select task_deps.task_id from task_deps join dependents on task_deps.depends_on_task_id = dependents.id
  )`;

export function getDependents(sql: Sql, taskId: string, limit: number): TaskRow[] {
  const rows = sql.all(
    `${DEPENDENTS} select ${columnsOf(taskRow, "tasks")} from dependents cross join tasks on tasks.id = dependents.id
     where tasks.id <> ?1 order by tasks.number limit ?2`,
    taskId,
    limit,
  );
  return parseRows(taskRow, rows);
}

/** The direct dependents of these tasks. */
export function dependentIds(sql: Sql, taskIds: Iterable<string>): string[] {
  const dependents = [...jsonChunks(taskIds)].flatMap((ids) => sql.all(DIRECT, ids));
  return [...new Set(dependents.map((row) => String(row["task_id"])))];
}

const DIRECT =
  "select distinct task_id from task_deps where depends_on_task_id in (select value from json_each(?))";

/** The same, of few tasks, and no more than so many. */
export function someDependentIds(sql: Sql, taskIds: readonly string[], limit: number): string[] {
  return sql.all(`${DIRECT} limit ?`, JSON.stringify(taskIds), limit).map((row) => String(row["task_id"]));
}
