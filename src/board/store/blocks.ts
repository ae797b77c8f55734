/** How often a task was blocked, and for what: told by the log, as far back as it is kept. */
import type { Sql } from "./sql.ts";

export const COUNT_BLOCKS = `select count(*) from (
    select kind, data from events indexed by events_by_task
    where task_id = ?1 and task_id is not null order by seq desc limit ?3
  )
  where (
    kind in ('status_changed', 'execution_completed', 'task_released') and data ->> 'to' = 'blocked'
      and data ->> 'blockedReason' is ?2
  ) or (
    kind = 'task_created' and data ->> '$.task.status' = 'blocked'
      and data ->> '$.task.blocked_reason' is ?2
  )`;

/** Among the last `scan` events of the task. */
export function countBlocks(sql: Sql, taskId: string, reason: string | null, scan: number): number {
  return sql.number(COUNT_BLOCKS, taskId, reason, scan);
}
