/** The log of what was sent, and sending something of it once more. */
import { WEBHOOK_LOG_MS, WEBHOOK_TRIM_BATCH } from "../../contract/limits.ts";
import { accept, type Result, refuse } from "../../contract/result.ts";
import type { Delivery, DeliveryState } from "../../contract/webhook.ts";
import type { Context } from "../context.ts";
import { holdTask, lead } from "../store/deliveries.ts";
import {
  findDelivery,
  listDeliveries as readDeliveries,
  saveReplayed,
  trimDeliveries,
  viewDelivery,
} from "../store/delivery-log.ts";
import { auditChange, requireWebhook } from "./webhooks.ts";

export interface ListDeliveries {
  webhookId: string;
  state: DeliveryState | null;
  before: number | null;
  limit: number;
}

export interface DeliveryPage {
  deliveries: Delivery[];
  hasMore: boolean;
  nextCursor: string | null;
}

/** Newest first. */
export function listDeliveries(ctx: Context, input: ListDeliveries): Result<DeliveryPage> {
  const found = requireWebhook(ctx, input.webhookId);
  if (!found.ok) return found;
  const before = input.before ?? Number.MAX_SAFE_INTEGER;
  const rows = readDeliveries(ctx.sql, input.webhookId, input.state, before, input.limit + 1);
  const shown = rows.slice(0, input.limit);
  const hasMore = rows.length > input.limit;
  return accept({
    deliveries: shown.map(viewDelivery),
    hasMore,
    nextCursor: hasMore ? String(shown.at(-1)?.seq) : null,
  });
}

/**
 * Whatever became of it, it is pending again, under the same id and with the same body. It takes its place in the
 * order of its task: what is pending before it goes first, at once, and what is pending behind it waits.
 */
export function replayDelivery(
  ctx: Context,
  input: { webhookId: string; seq: number },
): Result<{ delivery: Delivery }> {
  const found = requireWebhook(ctx, input.webhookId);
  if (!found.ok) return found;
  const row = findDelivery(ctx.sql, input.webhookId, input.seq);
  if (row === null)
    return refuse("delivery_not_found", "There is no such delivery of this webhook.", {
      hint: "The log goes back seven days; older events are in the board's own log.",
    });
  if (found.row.state === "disabled")
    return refuse("conflict", "This webhook is disabled, so nothing is sent to it.", {
      hint: 'PATCH it with {"disabled": false} first; what is pending then goes out by itself.',
    });
  saveReplayed(ctx.sql, row, ctx.now);
  holdTask(ctx.sql, row.webhook_id, row.task_id);
  lead(ctx.sql, row.webhook_id, row.task_id, ctx.now);
  auditChange(ctx, "delivery_replayed", found.row, { delivery: row.seq });
  ctx.due(ctx.now);
  return accept({ delivery: viewDelivery(findDelivery(ctx.sql, input.webhookId, input.seq) ?? row) });
}

/** The log ends after a while; how many went. Whatever waited behind one that never got through is due. */
export function forgetDeliveries(ctx: Context): number {
  const gone = trimDeliveries(ctx.sql, ctx.now - WEBHOOK_LOG_MS, WEBHOOK_TRIM_BATCH);
  for (const row of gone)
    if (row.next_attempt_at !== null) lead(ctx.sql, row.webhook_id, row.task_id, ctx.now);
  return gone.length;
}
