/** How many tasks stand in each status: one row, moved in the same transaction as the tasks it counts. */
import type { TaskStatus } from "../../rules/status.ts";
import { columnsOf, countsRow } from "./rows.ts";
import type { Sql } from "./sql.ts";

export type StatusCounts = Record<TaskStatus, number>;

/** What a change adds to each status; a status it does not name stays. */
export type CountChange = Partial<StatusCounts>;

export function installCounts(sql: Sql): void {
  sql.run("insert into task_counts (id) values ('counts')");
}

/** Counts anew, for a board that gained the table later than its tasks. */
export function fillCounts(sql: Sql): void {
  if (sql.first("select id from task_counts limit 1") !== null) return;
  installCounts(sql);
  const rows = sql.all("select status, count(*) as tasks from tasks where dropped = 0 group by status");
  changeCounts(sql, Object.fromEntries(rows.map((row) => [String(row["status"]), Number(row["tasks"])])));
}

export function readCounts(sql: Sql): StatusCounts {
  const {
    id: _id,
    tenant_id: _tenant,
    ...counts
  } = countsRow.parse(sql.first(`select ${columnsOf(countsRow)} from task_counts where id = 'counts'`));
  return counts;
}

export function changeCounts(sql: Sql, change: CountChange): void {
  if (Object.values(change).every((by) => by === 0)) return;
  sql.run(
    `update task_counts set
       backlog = backlog + ?, todo = todo + ?, in_progress = in_progress + ?, in_review = in_review + ?,
       blocked = blocked + ?, done = done + ?, cancelled = cancelled + ?
     where id = 'counts'`,
    change.backlog ?? 0,
    change.todo ?? 0,
    change.in_progress ?? 0,
    change.in_review ?? 0,
    change.blocked ?? 0,
    change.done ?? 0,
    change.cancelled ?? 0,
  );
}

export function addCount(change: CountChange, status: TaskStatus, by: number): void {
  change[status] = (change[status] ?? 0) + by;
}
