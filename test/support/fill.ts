/** Large boards in a few statements: what matters is how many rows stand where, not what they say. */
import { taskRow } from "../../src/board/store/rows.ts";
import type { Sql } from "../../src/board/store/sql.ts";

export interface Fill {
  count: number;
  priority: number;
  status?: string;
  openDeps?: number;
  notBefore?: number;
}

/** Adds tasks straight to the table, with the counters they go by; ids are `task-<number>`. */
export function fill(sql: Sql, { count, priority, status = "todo", openDeps = 0, notBefore }: Fill): void {
  const first = sql.number("select max(number) from tasks") + 1;
  const values: Record<string, string> = {
    number: "i",
    id: "'task-' || i",
    title: "'task ' || i",
    description: "''",
    status: `'${status}'`,
    priority: String(priority),
    dropped: "0",
    labels: "'[]'",
    required_capabilities: "'[]'",
    not_before: String(notBefore ?? "null"),
    deferred: notBefore === undefined ? "0" : "1",
    open_deps: String(openDeps),
    ready_since: "1000 + i",
    epoch: "0",
    attempt_streak: "0",
    version: "1",
    change_seq: "1",
    guarded: "0",
    created_at: "1000 + i",
    updated_at: "1000 + i",
  };
  const columns = Object.keys(taskRow.shape);
  sql.run(
    `insert into tasks (${columns.join(", ")})
     with recursive numbers(i) as (select ${first} union all select i + 1 from numbers where i < ${first + count - 1})
     select ${columns.map((column) => values[column] ?? "null").join(", ")} from numbers`,
  );
  sql.run(`update task_counts set ${status} = ${status} + ${count}`);
}
