/** Webhooks: who is told of which events, and what became of each delivery. */
import * as z from "zod";
import { EVENT_KINDS } from "./events.ts";

export const WEBHOOK_STATES = ["active", "disabled"] as const;

/** Why it is disabled: its receiver said 410, its deliveries died in a row, or a lead said so. */
export const DISABLED_REASONS = ["gone", "failing", "lead"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const DELIVERY_STATES = ["pending", "delivered", "dead"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const at = z.number().meta({ description: "Epoch milliseconds" });

export const webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    kinds: z.array(z.enum(EVENT_KINDS)).nullable().meta({ description: "null: every kind" }),
    state: z.enum(WEBHOOK_STATES),
    disabledReason: z.enum(DISABLED_REASONS).nullable(),
    disabledAt: at.nullable(),
    failures: z.number().meta({ description: "Attempts that failed since one got through" }),
    createdBy: z.string(),
    createdAt: at,
  })
  .meta({ id: "Webhook" });

export type Webhook = z.infer<typeof webhook>;

export const delivery = z
  .object({
    id: z.number().meta({ description: "The seq of its event" }),
    kind: z.enum(EVENT_KINDS),
    taskId: z.string().nullable(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.number().meta({ description: "Since it was queued" }),
    queuedAt: at.meta({ description: "When it was written, or last replayed" }),
    nextAttemptAt: at.nullable().meta({
      description: "null while pending: it waits for an earlier one of its task, or its webhook is disabled",
    }),
    lastAttemptAt: at.nullable(),
    lastStatus: z.number().nullable().meta({ description: "What the receiver answered, if it did" }),
    lastError: z.string().nullable(),
    settledAt: at.nullable().meta({ description: "When it was delivered, or given up" }),
  })
  .meta({ id: "Delivery" });

export type Delivery = z.infer<typeof delivery>;

export const webhookAnswer = z.object({ webhook });
export const createdWebhookAnswer = z.object({
  webhook,
  secret: z.string().meta({ description: "Told once: what the receiver verifies signatures with" }),
});
export const webhooksAnswer = z.object({ webhooks: z.array(webhook) });
export const deliveryAnswer = z.object({ delivery });
export const deliveriesAnswer = z.object({
  deliveries: z.array(delivery),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
});
