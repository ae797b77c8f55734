/**
 * Sends what the outbox holds. The alarm begins it and does not wait for it: a receiver that takes its time keeps
 * neither the board nor other receivers waiting. Each outcome is a transaction of its own; what was lost with the
 * object is due again a little later, so a receiver may get an event twice, and never not at all.
 */
import { WEBHOOK_ATTEMPT_MS, WEBHOOK_CONNECTIONS } from "../contract/limits.ts";
import { parallelTo } from "../rules/webhooks.ts";
import { type Outcome, settleDelivery } from "./operations/settle-delivery.ts";
import { ITSELF, type Runner } from "./runner.ts";
import { type SendingEnv, sendWebhook } from "./send-webhook.ts";
import { beginAttempts } from "./store/deliveries.ts";
import type { DeliveryRow, WebhookRow } from "./store/rows.ts";
import { tell } from "./tell.ts";

export class Deliveries {
  readonly #runner: Runner;
  readonly #env: SendingEnv;

  constructor(runner: Runner, env: SendingEnv) {
    this.#runner = runner;
    this.#env = env;
  }

  /**
   * Begins attempts of what is due, a few for each receiver that is not being sent to, whoever waits longest first.
   * What finds no connection is due at the next ring. How many were begun.
   */
  begin(now: number): number {
    const { outbox, storage, sql } = this.#runner;
    let free = WEBHOOK_CONNECTIONS;
    for (const webhook of outbox.due(now)) {
      if (free === 0) break;
      const limit = Math.min(parallelTo(webhook.failures), free);
      const rows = storage.transactionSync(() =>
        beginAttempts(sql, webhook.id, now, now + WEBHOOK_ATTEMPT_MS, limit),
      );
      free -= rows.length;
      outbox.begin(webhook.id, now);
      void this.#sendAll(webhook, rows, now);
    }
    return WEBHOOK_CONNECTIONS - free;
  }

  async #sendAll(webhook: WebhookRow, rows: DeliveryRow[], now: number): Promise<void> {
    const board = this.#runner.board();
    const sent = rows.map(async (delivery) => {
      const outcome = await sendWebhook(this.#env, {
        delivery,
        url: webhook.url,
        incarnation: board.incarnation,
        now,
      });
      this.#settle(delivery, outcome);
    });
    for (const { status, reason } of (await Promise.allSettled(sent)) as PromiseRejectedResult[])
      if (status === "rejected")
        await tell("error", "a delivery was not recorded", board.id, { error: String(reason) });
    const { outbox, alarm, created } = this.#runner;
    outbox.end(webhook.id);
    const next = created ? outbox.nextAt() : null;
    if (next !== null) alarm.bringForward(next);
  }

  #settle(delivery: DeliveryRow, outcome: Outcome): void {
    const runner = this.#runner;
    // The board may have been deleted meanwhile.
    if (!runner.created) return;
    const context = runner.context(runner.board(), ITSELF, runner.now());
    runner.outbox.forget();
    runner.storage.transactionSync(() => {
      settleDelivery(context, delivery, outcome);
      runner.outbox.write(context, true);
    });
    if (context.log.wrote) runner.announce(context.now);
  }
}
