/**
 * Tasks that wait, directly or not, for one that cannot finish: cancelled, or dropped before it was done. The
 * walk goes down from those dead ends, so that it reads them and what they strand, and nothing of the rest.
 */
import * as z from "zod";
import { parseRows } from "./columns.ts";
import type { Sql } from "./sql.ts";

const WAITING =
  "waiting.dropped = 0 and waiting.open_deps > 0 and waiting.status not in ('done', 'cancelled')";

/** At most ?1 tasks. `union` makes it end on a damaged circle too. */
const STRANDED = `with recursive stranded(id) as materialized (
    select task_deps.task_id
    from tasks as ended indexed by tasks_dead_ends
      cross join task_deps on task_deps.depends_on_task_id = ended.id
        and not (ended.status = 'cancelled' and task_deps.on_cancel = 'satisfy')
      cross join tasks as waiting on waiting.id = task_deps.task_id
    where (ended.status = 'cancelled' or (ended.dropped = 1 and ended.status <> 'done')) and ${WAITING}
    union
    select task_deps.task_id
    from stranded
      cross join task_deps on task_deps.depends_on_task_id = stranded.id
      cross join tasks as waiting on waiting.id = task_deps.task_id
    where ${WAITING}
    limit ?1
  )`;

export const COUNT_STRANDED = `${STRANDED} select count(*) from stranded`;

export function countStranded(sql: Sql, limit: number): number {
  return sql.number(COUNT_STRANDED, limit);
}

const strandedEdgeRow = z.object({
  task_id: z.string(),
  number: z.int(),
  blocker_id: z.string(),
  dead: z.union([z.literal(0), z.literal(1)]),
  /** Of a dead edge: when its blocker ended or, later, when the edge was made. */
  since: z.int(),
});
export type StrandedEdgeRow = z.infer<typeof strandedEdgeRow>;

export const STRANDED_EDGES = `${STRANDED}
  select task_deps.task_id, tasks.number, blocker.id as blocker_id,
    (blocker.dropped = 1 or blocker.status = 'cancelled') as dead,
    max(task_deps.created_at, coalesce(blocker.completed_at, blocker.updated_at)) as since
  from stranded
    cross join tasks on tasks.id = stranded.id
    cross join task_deps on task_deps.task_id = stranded.id
    cross join tasks as blocker on blocker.id = task_deps.depends_on_task_id
  where blocker.status <> 'done' and not (blocker.status = 'cancelled' and task_deps.on_cancel = 'satisfy')
    and (dead or blocker.id in (select id from stranded))
  order by tasks.number, blocker.number limit ?2`;

/** The open edges of at most `limit` stranded tasks, as far as they lead to a dead end. */
export function strandedEdges(sql: Sql, limit: number, edges: number): StrandedEdgeRow[] {
  return parseRows(strandedEdgeRow, sql.all(STRANDED_EDGES, limit, edges));
}
