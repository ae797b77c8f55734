/**
 * What is to be sent to webhooks. It is written in the transaction of the events it tells, so that none is lost
 * and none is told that did not happen. A board without webhooks pays nothing for it: whether there are any is
 * remembered.
 */
import { WEBHOOK_ATTEMPT_MS, WEBHOOKS_MAX } from "../contract/limits.ts";
import type { Context } from "./context.ts";
import { insertDeliveries, nextAttemptAt } from "./store/deliveries.ts";
import type { WebhookRow } from "./store/rows.ts";
import type { Sql } from "./store/sql.ts";
import { activeWebhooks } from "./store/webhooks.ts";

export class Outbox {
  readonly #sql: Sql;
  #active: WebhookRow[] | null = null;
  /** Webhooks that are being sent to, and when such an attempt counts as lost. */
  readonly #busyUntil = new Map<string, number>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Before anything that may change a webhook. */
  forget(): void {
    this.#active = null;
  }

  active(): WebhookRow[] {
    this.#active ??= activeWebhooks(this.#sql, WEBHOOKS_MAX);
    return this.#active;
  }

  /**
   * One row for each event that this operation wrote, and each webhook that wants it. What an operation changed in
   * the webhooks themselves is not remembered before it is committed.
   */
  write({ sql, log, board, now, due }: Context, webhooksChanged = false): void {
    if (log.first === null) return;
    if (!webhooksChanged && this.active().length === 0) return;
    if (insertDeliveries(sql, log.first, board.id, now)) due(now);
  }

  begin(webhookId: string, now: number): void {
    this.#busyUntil.set(webhookId, now + WEBHOOK_ATTEMPT_MS);
  }

  end(webhookId: string): void {
    this.#busyUntil.delete(webhookId);
  }

  /** Webhooks to which something is to be sent now, whoever waits longest first. */
  due(now: number): WebhookRow[] {
    return this.#times()
      .filter(({ webhook, at }) => at <= now && (this.#busyUntil.get(webhook.id) ?? 0) <= now)
      .sort((a, b) => a.at - b.at)
      .map(({ webhook }) => webhook);
  }

  /** The next attempt of any webhook; of one that is being sent to, not before that has ended or was lost. */
  nextAt(): number | null {
    const times = this.#times().map(({ webhook, at }) => Math.max(at, this.#busyUntil.get(webhook.id) ?? 0));
    return times.length === 0 ? null : Math.min(...times);
  }

  #times(): { webhook: WebhookRow; at: number }[] {
    return this.active().flatMap((webhook) => {
      const at = nextAttemptAt(this.#sql, webhook.id);
      return at === null ? [] : [{ webhook, at }];
    });
  }
}
