/** Parents and children. Hierarchy never affects readiness; it bounds what agents may create. */
import * as z from "zod";
import { MAX_ANCESTORS } from "../../contract/limits.ts";
import { TASK_STATUSES } from "../../rules/status.ts";
import { parseRows } from "./rows.ts";
import type { Sql } from "./sql.ts";

const ancestorRow = z.object({
  id: z.string(),
  number: z.int(),
  parent_task_id: z.string().nullable(),
  title: z.string(),
  status: z.enum(TASK_STATUSES),
});
export type AncestorRow = z.infer<typeof ancestorRow>;

/** The chain of parents, nearest first. `union` over ids makes it end on a corrupt cycle too. */
export function getAncestors(sql: Sql, parentTaskId: string | null): AncestorRow[] {
  if (parentTaskId === null) return [];
  const rows = sql.all(
    `with recursive ancestors(id) as (
       select ?1
       union
       select tasks.parent_task_id from tasks join ancestors on tasks.id = ancestors.id
       where tasks.parent_task_id is not null
     )
     select tasks.id, tasks.number, tasks.parent_task_id, tasks.title, tasks.status
     from ancestors cross join tasks on tasks.id = ancestors.id limit ?2`,
    parentTaskId,
    MAX_ANCESTORS,
  );
  const left = new Map(parseRows(ancestorRow, rows).map((row) => [row.id, row]));
  const chain: AncestorRow[] = [];
  for (let id: string | null = parentTaskId; id !== null; ) {
    const row = left.get(id);
    if (row === undefined) break;
    left.delete(id);
    chain.push(row);
    id = row.parent_task_id;
  }
  return chain;
}

export function countChildren(sql: Sql, parentTaskId: string, limit: number): number {
  return sql.number(
    "select count(*) from (select 1 from tasks where parent_task_id = ? and dropped = 0 limit ?)",
    parentTaskId,
    limit,
  );
}

export function countGuardedRoots(sql: Sql, since: number, limit: number): number {
  return sql.number(
    `select count(*) from (
       select 1 from tasks indexed by tasks_guarded_roots
       where guarded = 1 and parent_task_id is null and dropped = 0 and created_at > ? limit ?
     )`,
    since,
    limit,
  );
}
