/**
 * The long texts of ended runs, which go when they are old: what stays of a run is how it ended, when, at what
 * cost, and its summary.
 */
import type { Sql } from "./sql.ts";

/** Since when a run's texts age. The index has just this expression. */
const SINCE = "coalesce(kept_at, ended_at, started_at)";
const UNTRIMMED = `execution_processes indexed by executions_untrimmed
  where status <> 'running' and trimmed_at is null`;

/** The next worker of a task is handed the last handoff: as long as one may come, its run is left alone. */
const IS_NEEDED = `handoff is not null
  and exists (
    select 1 from tasks
    where tasks.id = task_id and tasks.dropped = 0 and tasks.status not in ('done', 'cancelled')
  )
  and not exists (
    select 1 from execution_processes as later
    where later.task_id = execution_processes.task_id and later.epoch > execution_processes.epoch
      and later.handoff is not null
  )`;

export const OLD_TAILS = `select task_id, epoch, ${IS_NEEDED} as needed from ${UNTRIMMED}
  and ${SINCE} <= ?1 order by ${SINCE} limit ?2`;

const GIVEN = `(task_id, epoch) in (select value ->> 0, value ->> 1 from json_each(?1))`;
const KEEP = `update execution_processes set kept_at = ?2 where ${GIVEN}`;
const EMPTY = `update execution_processes set trimmed_at = ?2, error = null, progress = null, handoff = null,
  completion = null, run_reason = null, directive_reason = null where ${GIVEN}`;

/** Empties those that age since the cutoff or before; how many were looked at. */
export function trimTails(sql: Sql, cutoff: number, now: number, limit: number): number {
  const old = sql.all(OLD_TAILS, cutoff, limit);
  const keysOf = (needed: number) =>
    JSON.stringify(
      old.filter((run) => run["needed"] === needed).map(({ task_id, epoch }) => [task_id, epoch]),
    );
  if (old.length === 0) return 0;
  sql.run(KEEP, keysOf(1), now);
  sql.run(EMPTY, keysOf(0), now);
  return old.length;
}

export function oldestTailAt(sql: Sql): number | null {
  const row = sql.first(`select ${SINCE} as since from ${UNTRIMMED} order by ${SINCE} limit 1`);
  return row === null ? null : Number(row["since"]);
}
