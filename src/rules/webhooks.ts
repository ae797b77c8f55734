/** What a failed delivery does: be tried again later, be given up, take its webhook down. */
import * as limits from "../contract/limits.ts";
import type { DisabledReason } from "../contract/webhook.ts";

export function isDelivered(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * When to try again after the n-th failed attempt (from 1), or null: it is dead. Waits double, up to a bound;
 * `random` in [0, 1) takes off up to half, so that what failed together does not come back together. The last
 * attempt is at the end of the time a delivery has.
 */
export function nextAttempt(attempts: number, queuedAt: number, now: number, random: number): number | null {
  const end = queuedAt + limits.WEBHOOK_GIVE_UP_MS;
  if (now >= end) return null;
  const doubled = limits.WEBHOOK_BACKOFF_MS * 2 ** Math.min(Math.max(attempts, 1) - 1, 30);
  const full = Math.min(doubled, limits.WEBHOOK_BACKOFF_MAX_MS);
  return Math.min(now + Math.floor(full * (1 - random / 2)), end);
}

/** Whether a webhook is worth no further attempt. 410 is the receiver's own word. */
export function disabledBy(status: number | null, deadInARow: number): DisabledReason | null {
  if (status === 410) return "gone";
  return deadInARow >= limits.WEBHOOK_DEAD_MAX ? "failing" : null;
}

/** How many deliveries may be under way to one receiver at once. */
export function parallelTo(failures: number): number {
  return failures === 0 ? limits.WEBHOOK_PARALLEL : 1;
}
