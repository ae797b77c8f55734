/**
 * Deliveries while they are under way. Of each task (and of the board itself) only the first pending one has a
 * time at which it is due; when it is settled, the next one gets it. So order holds without anybody looking at
 * what waits, and a receiver that fails costs no more reads however much waits behind.
 */
import { columnsOf, type DeliveryRow, deliveryRow, parseRows } from "./rows.ts";
import type { Sql } from "./sql.ts";

const COLUMNS = columnsOf(deliveryRow);

/** What is sent: the event as the log shows it, in the envelope of Standard Webhooks. */
const EVENT = `json_object('board', ?3, 'seq', events.seq, 'at', at, 'kind', kind, 'taskId', task_id,
  'actor', json_object('type', actor_type, 'id', actor_id), 'data', json(data))`;
const BODY = `json_object('type', kind, 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch'),
  'data', case when epoch is null then ${EVENT} else json_set(${EVENT}, '$.epoch', epoch) end)`;

export const INSERT = `insert into webhook_deliveries
    (webhook_id, seq, task_id, kind, state, queued_at, next_attempt_at, body, tenant_id)
  select webhooks.id, events.seq, task_id, kind, 'pending', ?2,
    case when row_number() over (partition by webhooks.id, task_id order by events.seq) = 1 and not exists (
      select 1 from webhook_deliveries as earlier indexed by webhook_deliveries_waiting
      where earlier.webhook_id = webhooks.id and earlier.task_id is events.task_id and earlier.state = 'pending'
    ) then ?2 end,
    ${BODY}, events.tenant_id
  from events cross join webhooks
  where events.seq >= ?1 and webhooks.state = 'active'
    and (kinds is null or kind in (select value from json_each(kinds)))`;

/** One for each event from this seq on and each webhook that wants it; whether there were any. */
export function insertDeliveries(sql: Sql, fromSeq: number, boardId: string, now: number): boolean {
  sql.run(INSERT, fromSeq, now, boardId);
  return sql.number("select changes()") > 0;
}

/** When a webhook's next attempt is due; null: never. */
export function nextAttemptAt(sql: Sql, webhookId: string): number | null {
  const row = sql.first(NEXT, webhookId);
  return row === null ? null : Number(row["next_attempt_at"]);
}

export const NEXT = `select next_attempt_at from webhook_deliveries indexed by webhook_deliveries_due
  where webhook_id = ? and next_attempt_at is not null order by next_attempt_at limit 1`;

export const BEGIN = `update webhook_deliveries
  set attempts = attempts + 1, last_attempt_at = ?2, next_attempt_at = ?3
  where webhook_id = ?1 and seq in (
    select seq from webhook_deliveries indexed by webhook_deliveries_due
    where webhook_id = ?1 and next_attempt_at <= ?2 order by next_attempt_at, seq limit ?4
  )
  returning ${COLUMNS}`;

/** Begins an attempt of what is due longest. Should nobody tell how it ended, it is due again at `againAt`. */
export function beginAttempts(
  sql: Sql,
  webhookId: string,
  now: number,
  againAt: number,
  limit: number,
): DeliveryRow[] {
  return parseRows(deliveryRow, sql.all(BEGIN, webhookId, now, againAt, limit));
}

/** How an attempt ended. `nextAttemptAt` only where it stays pending. */
export interface Settled {
  state: DeliveryRow["state"];
  status: number | null;
  error: string | null;
  nextAttemptAt: number | null;
}

export function saveAttempt(sql: Sql, row: DeliveryRow, settled: Settled, now: number): void {
  sql.run(
    `update webhook_deliveries set state = ?3, last_status = ?4, last_error = ?5, next_attempt_at = ?6, settled_at = ?7
     where webhook_id = ?1 and seq = ?2`,
    row.webhook_id,
    row.seq,
    settled.state,
    settled.status,
    settled.error,
    settled.nextAttemptAt,
    settled.state === "pending" ? null : now,
  );
}

/** The first one pending of this task is due now. */
export function lead(sql: Sql, webhookId: string, taskId: string | null, now: number): void {
  sql.run(LEAD, webhookId, taskId, now);
}

export const FIRST = `select seq from webhook_deliveries indexed by webhook_deliveries_waiting
  where webhook_id = ?1 and task_id is ?2 and state = 'pending' order by seq limit 1`;

export const LEAD = `update webhook_deliveries set next_attempt_at = ?3
  where webhook_id = ?1 and seq = (${FIRST})`;

/** The first one pending of this task, if any. */
export function firstPending(sql: Sql, webhookId: string, taskId: string | null): number | null {
  const row = sql.first(FIRST, webhookId, taskId);
  return row === null ? null : Number(row["seq"]);
}

/** None of this task is due any more. */
export function holdTask(sql: Sql, webhookId: string, taskId: string | null): void {
  sql.run(HOLD_TASK, webhookId, taskId);
}

export const HOLD_TASK = `update webhook_deliveries indexed by webhook_deliveries_waiting set next_attempt_at = null
  where webhook_id = ? and task_id is ? and state = 'pending' and next_attempt_at is not null`;

const IS_FIRST = `not exists (
  select 1 from webhook_deliveries as earlier indexed by webhook_deliveries_waiting
  where earlier.webhook_id = ?1 and earlier.task_id is webhook_deliveries.task_id and earlier.state = 'pending'
    and earlier.seq < webhook_deliveries.seq
)`;

/** What waits for this webhook is queued anew: the first one of each task is due now. */
export function requeue(sql: Sql, webhookId: string, now: number): void {
  sql.run(REQUEUE, webhookId, now);
}

export const REQUEUE = `update webhook_deliveries
  set queued_at = ?2, attempts = 0, next_attempt_at = case when ${IS_FIRST} then ?2 end
  where webhook_id = ?1 and state = 'pending'`;

/** Nothing of this webhook is due any more; what waits stays as it is. */
export function hold(sql: Sql, webhookId: string): void {
  sql.run(
    `update webhook_deliveries set next_attempt_at = null
     where webhook_id = ? and next_attempt_at is not null`,
    webhookId,
  );
}
