/** What callers send about webhooks. A secret is not among it: the server makes it, and keeps none. */
import * as z from "zod";
import { EVENT_KINDS } from "../events.ts";
import * as limits from "../limits.ts";
import { filledText } from "../text.ts";

const url = filledText(limits.WEBHOOK_URL_MAX).meta({
  description: "https, a public host name, no credentials",
  examples: ["https://example.com/edgeboard"],
});
const kinds = z
  .array(z.enum(EVENT_KINDS))
  .min(1)
  .max(EVENT_KINDS.length)
  .nullable()
  .meta({ description: "null: every kind there is or will be" });

export const createWebhookBody = z
  .strictObject({ url, kinds: kinds.optional() })
  .meta({ id: "CreateWebhook" });

export const changeWebhookBody = z
  .strictObject({
    url: url.optional(),
    kinds: kinds.optional(),
    disabled: z.boolean().optional().meta({ description: "false: what waits is sent as if it were new" }),
  })
  .meta({ id: "ChangeWebhook" });
