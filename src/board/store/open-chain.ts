/** What a task waits for, directly or not: the walk up its open edges. */
import * as z from "zod";
import { TASK_STATUSES } from "../../rules/status.ts";
import { parseRows } from "./columns.ts";
import type { Sql } from "./sql.ts";

/** An edge is open until its blocker is done, or cancelled where the edge is content with that. */
const OPEN = `not (blocker.status = 'done'
  or (blocker.status = 'cancelled' and task_deps.on_cancel = 'satisfy'))`;

/**
 * Everything upstream of ?1 along open edges, at most ?2 tasks; it stops at what cannot finish. `union` makes it
 * end on a damaged circle too.
 */
const OPEN_CHAIN = `open_chain(id) as materialized (
    select task_deps.depends_on_task_id
    from task_deps cross join tasks as blocker on blocker.id = task_deps.depends_on_task_id
    where task_deps.task_id = ?1 and ${OPEN}
    union
    select task_deps.depends_on_task_id
    from open_chain
      cross join tasks as waiting on waiting.id = open_chain.id
        and waiting.open_deps > 0 and waiting.dropped = 0 and waiting.status <> 'cancelled'
      cross join task_deps on task_deps.task_id = waiting.id
      cross join tasks as blocker on blocker.id = task_deps.depends_on_task_id
    where ${OPEN}
    limit ?2
  )`;

const flag = z.union([z.literal(0), z.literal(1)]);

const linkRow = z.object({
  id: z.string(),
  number: z.int(),
  title: z.string(),
  status: z.enum(TASK_STATUSES),
  dropped: flag,
  epoch: z.int(),
  assignee_agent_id: z.string().nullable(),
  open_deps: z.int(),
  not_before: z.int().nullable(),
  blocked_reason: z.string().nullable(),
  scanned: z.int(),
  circular: flag,
});
export type LinkRow = z.infer<typeof linkRow>;

/** The task itself, with what the walk found; then the frontier: what does not merely wait for others. */
export const FRONTIER = `with recursive ${OPEN_CHAIN}
  select tasks.id, tasks.number, tasks.title, tasks.status, tasks.dropped, tasks.epoch,
    tasks.assignee_agent_id, tasks.open_deps, tasks.not_before, tasks.blocked_reason,
    (select count(*) from open_chain) as scanned, ?1 in (select id from open_chain) as circular
  from (select ?1 as id union select id from open_chain) as met cross join tasks on tasks.id = met.id
  where tasks.id = ?1 or tasks.dropped = 1 or tasks.status <> 'todo' or tasks.open_deps = 0
  order by tasks.id = ?1 desc, (tasks.dropped = 1 or tasks.status = 'cancelled') desc, tasks.number
  limit ?3`;

export interface Frontier {
  /** What cannot finish first, then by number. */
  links: LinkRow[];
  /** The walk met the task itself. */
  circular: boolean;
  truncated: boolean;
}

/** At most `limit` links, found within `scan` tasks upstream. */
export function frontierOf(sql: Sql, taskId: string, scan: number, limit: number): Frontier {
  const [self, ...links] = parseRows(linkRow, sql.all(FRONTIER, taskId, scan + 1, limit + 2));
  return {
    links: links.slice(0, limit),
    circular: self?.circular === 1,
    truncated: links.length > limit || (self?.scanned ?? 0) > scan,
  };
}

const relativeRow = z.object({
  id: z.string(),
  number: z.int(),
  title: z.string(),
  status: z.enum(TASK_STATUSES),
  upstream: flag,
  ancestor: flag,
});
export type RelativeRow = z.infer<typeof relativeRow>;

/**
 * Ancestors and descendants of ?1 that it waits for, directly or not, or that wait for it: the parents of every
 * one of these tasks are followed up, and whoever meets the other is its descendant.
 */
export const WAITING_RELATIVES = `with recursive ${OPEN_CHAIN},
  near(id, upstream) as materialized (
    select id, 1 from open_chain where id <> ?1
    union all
    select task_id, 0 from (
      select task_deps.task_id
      from task_deps cross join tasks as waiting on waiting.id = task_deps.task_id
      where task_deps.depends_on_task_id = ?1 and waiting.dropped = 0
        and waiting.status not in ('done', 'cancelled')
      limit ?2
    )
  ),
  lineage(start, id) as (
    select tasks.id, tasks.parent_task_id
    from (select ?1 as id union select id from near) as member cross join tasks on tasks.id = member.id
    where tasks.parent_task_id is not null
    union
    select lineage.start, tasks.parent_task_id
    from lineage cross join tasks on tasks.id = lineage.id
    where tasks.parent_task_id is not null
    limit 20 * ?2
  ),
  kin(id, ancestor) as materialized (
    select id, 1 from lineage where start = ?1
    union all
    select start, 0 from lineage where id = ?1
  )
  select tasks.id, tasks.number, tasks.title, tasks.status, near.upstream, max(kin.ancestor) as ancestor
  from kin cross join near on near.id = kin.id cross join tasks on tasks.id = near.id
  group by tasks.id, near.upstream order by tasks.number limit ?3`;

export function waitingRelatives(sql: Sql, taskId: string, scan: number, limit: number): RelativeRow[] {
  return parseRows(relativeRow, sql.all(WAITING_RELATIVES, taskId, scan, limit));
}
