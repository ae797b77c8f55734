/** What an attempt's outcome does to its delivery, to the one behind it, and to its webhook. */
import { disabledBy, isDelivered, nextAttempt } from "../../rules/webhooks.ts";
import type { Context } from "../context.ts";
import { firstPending, lead, saveAttempt } from "../store/deliveries.ts";
import { findDelivery } from "../store/delivery-log.ts";
import type { DeliveryRow, WebhookRow } from "../store/rows.ts";
import { findWebhook, saveWebhook } from "../store/webhooks.ts";
import { disable } from "./webhooks.ts";

/** How a receiver took it. */
export interface Outcome {
  /** Null: it did not answer. */
  status: number | null;
  error: string | null;
}

/** Of a delivery that was settled, deleted or forgotten meanwhile there is nothing to say. */
export function settleDelivery(ctx: Context, sent: DeliveryRow, outcome: Outcome): void {
  const webhook = findWebhook(ctx.sql, sent.webhook_id);
  const row = findDelivery(ctx.sql, sent.webhook_id, sent.seq);
  if (webhook === null || row === null || row.state !== "pending") return;
  if (isDelivered(outcome.status)) {
    saveAttempt(ctx.sql, sent, { ...outcome, state: "delivered", nextAttemptAt: null }, ctx.now);
    if (webhook.failures > 0 || webhook.dead_in_a_row > 0)
      saveWebhook(ctx.sql, { ...webhook, failures: 0, dead_in_a_row: 0 });
    if (webhook.state === "active") lead(ctx.sql, webhook.id, sent.task_id, ctx.now);
    return;
  }
  const again =
    outcome.status === 410 ? null : nextAttempt(row.attempts, row.queued_at, ctx.now, ctx.random());
  // One that was replayed meanwhile may stand before it now; then it is that one's turn.
  const isFirst = firstPending(ctx.sql, webhook.id, sent.task_id) === sent.seq;
  const { state } = countFailure(ctx, webhook, outcome.status, again === null);
  const nextAttemptAt = state === "active" && isFirst ? again : null;
  saveAttempt(
    ctx.sql,
    sent,
    { ...outcome, state: again === null ? "dead" : "pending", nextAttemptAt },
    ctx.now,
  );
  if (state === "active" && again === null) lead(ctx.sql, webhook.id, sent.task_id, ctx.now);
}

function countFailure(ctx: Context, webhook: WebhookRow, status: number | null, died: boolean): WebhookRow {
  const after: WebhookRow = {
    ...webhook,
    failures: webhook.failures + 1,
    dead_in_a_row: webhook.dead_in_a_row + (died ? 1 : 0),
  };
  const reason = webhook.state === "active" ? disabledBy(status, after.dead_in_a_row) : null;
  if (reason !== null) return disable(ctx, after, reason);
  saveWebhook(ctx.sql, after);
  return after;
}
