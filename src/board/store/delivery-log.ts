/** Deliveries as the log of what was sent: read by page, replayed, and trimmed. */
import type { EventKind } from "../../contract/events.ts";
import type { Delivery, DeliveryState } from "../../contract/webhook.ts";
import { columnsOf, type DeliveryRow, deliveryRow, parseRows } from "./rows.ts";
import type { Sql } from "./sql.ts";

/** All but what was sent, which may be long. */
const logRow = deliveryRow.omit({ body: true });
type LogRow = Omit<DeliveryRow, "body">;

const COLUMNS = columnsOf(logRow);
const page = (index: string, state: string) =>
  `select ${COLUMNS} from webhook_deliveries ${index} where webhook_id = ?1 and seq < ?2 ${state} order by seq desc limit ?3`;

/** Most are delivered and few are pending, so these two are found in different ways. */
export const PAGES = {
  all: page("", ""),
  pending: page("indexed by webhook_deliveries_waiting", "and state = 'pending'"),
  delivered: page("", "and state = 'delivered'"),
  dead: page("indexed by webhook_deliveries_dead", "and state = 'dead'"),
};

/** Newest first, before this one. */
export function listDeliveries(
  sql: Sql,
  webhookId: string,
  state: DeliveryState | null,
  before: number,
  limit: number,
): LogRow[] {
  return parseRows(logRow, sql.all(PAGES[state ?? "all"], webhookId, before, limit));
}

export function findDelivery(sql: Sql, webhookId: string, seq: number): LogRow | null {
  const row = sql.first(
    `select ${COLUMNS} from webhook_deliveries where webhook_id = ? and seq = ?`,
    webhookId,
    seq,
  );
  return row === null ? null : logRow.parse(row);
}

/** Pending again, from its first attempt; when it is due is for the order of its task to say. */
export function saveReplayed(sql: Sql, row: LogRow, now: number): void {
  sql.run(
    `update webhook_deliveries
     set state = 'pending', attempts = 0, queued_at = ?3, next_attempt_at = null, settled_at = null
     where webhook_id = ?1 and seq = ?2`,
    row.webhook_id,
    row.seq,
    now,
  );
}

/** Forgets what was queued before the cutoff, the oldest first. */
export function trimDeliveries(sql: Sql, cutoff: number, limit: number): LogRow[] {
  return parseRows(
    logRow,
    sql.all(
      `delete from webhook_deliveries where (webhook_id, seq) in (
         select webhook_id, seq from webhook_deliveries indexed by webhook_deliveries_by_age
         where queued_at <= ? order by queued_at limit ?
       )
       returning ${COLUMNS}`,
      cutoff,
      limit,
    ),
  );
}

const counted = (index: string, state: string) =>
  `select count(*) from (select 1 from webhook_deliveries indexed by ${index} where state = '${state}' limit ?1)`;

export const COUNTS = {
  pending: counted("webhook_deliveries_waiting", "pending"),
  dead: counted("webhook_deliveries_dead", "dead"),
};

/** Of all webhooks together. */
export function countDeliveries(sql: Sql, state: "pending" | "dead", limit: number): number {
  return sql.number(COUNTS[state], limit);
}

export function oldestDeliveryAt(sql: Sql): number | null {
  const row = sql.first(
    "select queued_at from webhook_deliveries indexed by webhook_deliveries_by_age order by queued_at limit 1",
  );
  return row === null ? null : Number(row["queued_at"]);
}

export function viewDelivery(row: LogRow): Delivery {
  return {
    id: row.seq,
    kind: row.kind as EventKind,
    taskId: row.task_id,
    state: row.state,
    attempts: row.attempts,
    queuedAt: row.queued_at,
    nextAttemptAt: row.next_attempt_at,
    lastAttemptAt: row.last_attempt_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
    settledAt: row.settled_at,
  };
}
