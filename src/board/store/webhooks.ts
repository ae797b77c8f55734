/** Webhooks: where events go. The secret that signs them stands nowhere. */
import type { EventKind } from "../../contract/events.ts";
import type { Webhook } from "../../contract/webhook.ts";
import { columnsOf, insertOne, parseRows, valuesOf, type WebhookRow, webhookRow } from "./rows.ts";
import type { Sql } from "./sql.ts";

const COLUMNS = columnsOf(webhookRow);
const INSERT = insertOne("webhooks", webhookRow);

export function insertWebhook(sql: Sql, row: WebhookRow): void {
  sql.run(INSERT, ...valuesOf(webhookRow, row));
}

export function findWebhook(sql: Sql, id: string): WebhookRow | null {
  const row = sql.first(`select ${COLUMNS} from webhooks where id = ?`, id);
  return row === null ? null : webhookRow.parse(row);
}

/** By their ids, which are ordered by time of creation. */
export function listWebhooks(sql: Sql, limit: number): WebhookRow[] {
  return parseRows(webhookRow, sql.all(`select ${COLUMNS} from webhooks order by id limit ?`, limit));
}

/** Those that events are sent to. */
export function activeWebhooks(sql: Sql, limit: number): WebhookRow[] {
  return listWebhooks(sql, limit).filter(({ state }) => state === "active");
}

export function saveWebhook(sql: Sql, row: WebhookRow): void {
  sql.run(
    `update webhooks set url = ?2, kinds = ?3, state = ?4, disabled_reason = ?5, disabled_at = ?6,
       failures = ?7, dead_in_a_row = ?8
     where id = ?1`,
    row.id,
    row.url,
    row.kinds,
    row.state,
    row.disabled_reason,
    row.disabled_at,
    row.failures,
    row.dead_in_a_row,
  );
}

export function deleteWebhook(sql: Sql, id: string): void {
  sql.run("delete from webhook_deliveries where webhook_id = ?", id);
  sql.run("delete from webhooks where id = ?", id);
}

export function viewWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    kinds: row.kinds === null ? null : (JSON.parse(row.kinds) as EventKind[]),
    state: row.state,
    disabledReason: row.disabled_reason,
    disabledAt: row.disabled_at,
    failures: row.failures,
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
