/** Boards on which much hangs on one call, in a few statements. */
import type { Sql } from "../../src/board/store/sql.ts";
import { commentLine, edgeLine, exportOf, taskLine } from "./export-lines.ts";
import { fill } from "./fill.ts";

/** Adds a ready task, whose number this is, and as many that wait for it alone. */
export function crowd(sql: Sql, waiting: number): number {
  const first = sql.number("select max(number) from tasks") + 1;
  fill(sql, { count: 1, priority: 9 });
  fill(sql, { count: waiting, priority: 1, openDeps: 1 });
  sql.run(
    `insert into task_deps (task_id, depends_on_task_id, created_at)
     select id, 'task-${first}', 1 from tasks where number > ${first}`,
  );
  return first;
}

/** Adds held tasks whose holders have been silent since long ago. */
export function silent(sql: Sql, count: number): void {
  const first = sql.number("select max(number) from tasks") + 1;
  fill(sql, { count, priority: 1, status: "in_progress" });
  sql.run(
    `update tasks set epoch = 1, assignee_agent_id = 'agent-' || (number % 20) where number >= ${first}`,
  );
  sql.run(
    `insert into execution_processes (id, task_id, epoch, agent_id, status, started_at, last_beat_at)
     select 'run-' || number, id, 1, assignee_agent_id, 'running', 1, 1 from tasks where number >= ${first}`,
  );
}

/** Adds tasks of which each waits for the one before it, and as many that wait for nothing: `task-<number>`. */
export function chain(sql: Sql, edges: number, alone: number): { last: number; alone: number } {
  const first = sql.number("select max(number) from tasks") + 1;
  fill(sql, { count: 1, priority: 1 });
  fill(sql, { count: edges, priority: 1, openDeps: 1 });
  if (alone > 0) fill(sql, { count: alone, priority: 1 });
  const last = first + edges;
  sql.run(
    `insert into task_deps (task_id, depends_on_task_id, created_at)
     select 'task-' || number, 'task-' || (number - 1), 1 from tasks where number > ${first} and number <= ${last}`,
  );
  return { last, alone: last + 1 };
}

/** An export of as many rows: two tasks in five, as many edges, and a comment on every other task. */
export function exportOfRows(rows: number): string {
  const count = (rows * 2) / 5;
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const waiting = [...numbers.slice(1).map((number) => [number, number - 1]), [count, 1]] as [
    number,
    number,
  ][];
  return exportOf(
    ...numbers.map((number) => taskLine(number)),
    ...waiting.map(([number, blocker]) => edgeLine(`task-${number}`, `task-${blocker}`)),
    ...numbers.filter((number) => number % 2 === 0).map((number) => commentLine(number, `task-${number}`)),
  );
}
