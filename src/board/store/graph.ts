/** The board as nodes and edges. A handful of statements, however many of either. */
import * as z from "zod";
import { ON_CANCEL } from "../../contract/task.ts";
import { TASK_STATUSES, type TaskStatus } from "../../rules/status.ts";
import { parseRows } from "./columns.ts";
import type { Sql, SqlRow } from "./sql.ts";

const numberRow = z.object({ number: z.int() });

export interface GraphFilter {
  statuses: TaskStatus[];
  teamId: string | null;
  parentTaskId: string | null;
  kind: string | null;
  labels: string[];
  includeDropped: boolean;
}

type Source = "all" | "status" | "parent";

/** Where each walk starts: the index that narrows most, named so that the planner cannot pick another. */
const FROM: Record<Source, string> = {
  all: "tasks where ?8 is ?8",
  status: "tasks indexed by tasks_by_status where status = ?8 and dropped = 0",
  parent:
    "tasks indexed by tasks_by_parent where parent_task_id = ?3 and parent_task_id is not null and ?8 is ?8",
};

const statement = (source: Source) => `select number from ${FROM[source]}
    and (?2 is null or team_id = ?2) and (?3 is null or parent_task_id = ?3) and (?4 is null or kind = ?4)
    and not exists (
      select 1 from json_each(?5) as wanted
      where not exists (select 1 from json_each(tasks.labels) as have where have.value = wanted.value)
    )
    and (?6 = 1 or dropped = 0) and (?7 = '[]' or status in (select value from json_each(?7)))
  order by number desc limit ?1`;

export const FILTERED: Record<Source, string> = {
  all: statement("all"),
  status: statement("status"),
  parent: statement("parent"),
};

/** The newest tasks that the filter lets through, newest first. */
export function filteredNumbers(sql: Sql, filter: GraphFilter, limit: number): number[] {
  const walk = (source: Source, status: TaskStatus | null) =>
    sql.all(
      FILTERED[source],
      limit,
      filter.teamId,
      filter.parentTaskId,
      filter.kind,
      JSON.stringify(filter.labels),
      filter.includeDropped,
      JSON.stringify(filter.statuses),
      status,
    );
  const numbersOf = (rows: SqlRow[]) => parseRows(numberRow, rows).map((row) => row.number);
  if (filter.parentTaskId !== null) return numbersOf(walk("parent", null));
  if (filter.statuses.length === 0 || filter.includeDropped) return numbersOf(walk("all", null));
  // One walk per status, each in order already; together they read rows in proportion to what is returned.
  const rows = filter.statuses.flatMap((status) => walk("status", status));
  return numbersOf(rows)
    .sort((a, b) => b - a)
    .slice(0, limit);
}

/**
 * Tasks at most ?2 edges away from ?1, whichever way the edges point, nearest first. A task is met once for each
 * distance it can be reached in, hence the bound ?3 on what is met beside the one on what is answered.
 */
export const NEIGHBOURS = `with recursive near(id, distance) as (
    select ?1, 0
    union
    select task_deps.depends_on_task_id, near.distance + 1
    from near cross join task_deps on task_deps.task_id = near.id where near.distance < ?2
    union
    select task_deps.task_id, near.distance + 1
    from near cross join task_deps on task_deps.depends_on_task_id = near.id where near.distance < ?2
    order by 2 limit ?3
  )
  select tasks.number
  from (select id, min(distance) as distance from near group by id) as met
    cross join tasks on tasks.id = met.id
  order by met.distance, tasks.number limit ?4`;

export function neighbourNumbers(sql: Sql, taskId: string, depth: number, limit: number): number[] {
  const rows = sql.all(NEIGHBOURS, taskId, depth, limit * (depth + 1), limit);
  return parseRows(numberRow, rows).map((row) => row.number);
}

const nodeRow = z.object({
  id: z.string(),
  number: z.int(),
  title: z.string(),
  status: z.enum(TASK_STATUSES),
  priority: z.int(),
  parent_task_id: z.string().nullable(),
  dropped: z.union([z.literal(0), z.literal(1)]),
  assignee_agent_id: z.string().nullable(),
  open_deps: z.int(),
  not_before: z.int().nullable(),
  epoch: z.int(),
  run_agent_id: z.string().nullable(),
  run_beat_at: z.int().nullable(),
});
export type NodeRow = z.infer<typeof nodeRow>;

/** `cross join` keeps the order of the numbers given. */
export const NODES = `select tasks.id, tasks.number, tasks.title, tasks.status, tasks.priority,
    tasks.parent_task_id, tasks.dropped, tasks.assignee_agent_id, tasks.open_deps, tasks.not_before,
    tasks.epoch, run.agent_id as run_agent_id, run.last_beat_at as run_beat_at
  from json_each(?1) as wanted
    cross join tasks on tasks.number = wanted.value
    left join execution_processes as run indexed by executions_running
      on run.task_id = tasks.id and run.status = 'running'
  order by wanted.key`;

export function nodesOf(sql: Sql, numbers: readonly number[]): NodeRow[] {
  return parseRows(nodeRow, sql.all(NODES, JSON.stringify(numbers)));
}

const edgeRow = z.object({
  task_id: z.string(),
  depends_on_task_id: z.string(),
  on_cancel: z.enum(ON_CANCEL),
});
export type EdgeRow = z.infer<typeof edgeRow>;

/** The plus keeps the second list from being tried, whole, for each task of the first. */
export const EDGES = `select task_deps.task_id, task_deps.depends_on_task_id, task_deps.on_cancel
  from json_each(?1) as node cross join task_deps on task_deps.task_id = node.value
  where +task_deps.depends_on_task_id in (select value from json_each(?1))
  limit ?2`;

/** The edges whose both ends are among these tasks. */
export function edgesAmong(sql: Sql, ids: readonly string[], limit: number): EdgeRow[] {
  return parseRows(edgeRow, sql.all(EDGES, JSON.stringify(ids), limit));
}
