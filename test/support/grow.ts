/** Makes a log longer, as a busy board would: one event for each of these weights in characters. */
import type { Sql } from "../../src/board/store/sql.ts";

export function grow(sql: Sql, weights: readonly number[]): void {
  sql.run(
    `insert into events (seq, at, kind, task_id, actor_type, actor_id, epoch, data, tenant_id)
     select (select max(seq) from events) + key + 1, 1, 'board_changed', null, 'board', 'board', null,
       json_object('text', hex(zeroblob(value / 2))), null
     from json_each(?)`,
    JSON.stringify(weights),
  );
}
