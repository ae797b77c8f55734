/** The rows of webhooks and of what is sent to them; `rows.ts` has all others. */
import * as z from "zod";
import { DELIVERY_STATES, DISABLED_REASONS, WEBHOOK_STATES } from "../../contract/webhook.ts";

export const webhookRow = z.object({
  id: z.string(),
  url: z.string(),
  /** JSON; null: every kind. */
  kinds: z.string().nullable(),
  state: z.enum(WEBHOOK_STATES),
  disabled_reason: z.enum(DISABLED_REASONS).nullable(),
  disabled_at: z.int().nullable(),
  /** Attempts that failed since one got through. */
  failures: z.int(),
  /** Deliveries given up since one got through. */
  dead_in_a_row: z.int(),
  created_by: z.string(),
  created_at: z.int(),
  tenant_id: z.string().nullable(),
});
export type WebhookRow = z.infer<typeof webhookRow>;

export const deliveryRow = z.object({
  webhook_id: z.string(),
  /** Its event's; with the webhook's id it names the delivery, here and to the receiver. */
  seq: z.int(),
  task_id: z.string().nullable(),
  kind: z.string(),
  state: z.enum(DELIVERY_STATES),
  /** Attempts begun since it was queued. */
  attempts: z.int(),
  queued_at: z.int(),
  /** Null: it is settled, waits for an earlier one of its task, or its webhook is disabled. */
  next_attempt_at: z.int().nullable(),
  last_attempt_at: z.int().nullable(),
  last_status: z.int().nullable(),
  last_error: z.string().nullable(),
  settled_at: z.int().nullable(),
  /** What is sent, to the letter. */
  body: z.string(),
  tenant_id: z.string().nullable(),
});
export type DeliveryRow = z.infer<typeof deliveryRow>;
