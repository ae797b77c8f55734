/** One attempt to hand an event to its receiver. It never throws: what went wrong is its outcome. */
import { WEBHOOK_TIMEOUT_MS } from "../contract/limits.ts";
import { urlFault } from "../rules/webhook-url.ts";
import { isDelivered } from "../rules/webhooks.ts";
import type { Outcome } from "./operations/settle-delivery.ts";
import type { DeliveryRow } from "./store/rows.ts";
import { type SigningKeys, signaturesOf } from "./webhook-signature.ts";

export interface Sending {
  delivery: DeliveryRow;
  url: string;
  incarnation: string;
  now: number;
}

export type SendingEnv = SigningKeys & Pick<Env, "EDGEBOARD_ALLOW_PRIVATE_WEBHOOKS">;

export async function sendWebhook(
  env: SendingEnv,
  { delivery, url, incarnation, now }: Sending,
): Promise<Outcome> {
  // Once more: it may have been allowed under the development flag of another day.
  const fault = urlFault(url, env.EDGEBOARD_ALLOW_PRIVATE_WEBHOOKS === "true");
  if (fault !== null) return { status: null, error: `not sent: the URL ${fault}` };
  // The same at every attempt and replay, so that a receiver can tell what it has seen.
  const id = `${delivery.webhook_id}_${delivery.seq}`;
  const timestamp = Math.floor(now / 1000);
  const signer = { incarnation, webhookId: delivery.webhook_id };
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
      headers: {
        "content-type": "application/json",
        "user-agent": "Edgeboard",
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": await signaturesOf(env, signer, { id, timestamp, body: delivery.body }),
      },
      body: delivery.body,
    });
    // What it says beyond its status is not read, however much that is.
    void response.body?.cancel().catch(() => {});
    return { status: response.status, error: errorOf(response.status) };
  } catch (error) {
    const late = error instanceof Error && error.name === "TimeoutError";
    return { status: null, error: late ? `no answer within ${WEBHOOK_TIMEOUT_MS} ms` : "no connection" };
  }
}

function errorOf(status: number): string | null {
  if (isDelivered(status)) return null;
  return status >= 300 && status < 400 ? "redirects are not followed" : "not accepted";
}
