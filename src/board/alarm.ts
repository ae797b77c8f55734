/**
 * The board's one alarm. SQL holds what is due; the alarm is only the wake-up. A mutation brings it forward by
 * its own fact, the handler computes the earliest of all of them.
 */
import { bringForward, isOverdue, nextAlarm } from "../rules/next-alarm.ts";
import { isTrimDue } from "../rules/retention.ts";
import type { Board } from "./store/board-row.ts";
import { oldestDeliveryAt } from "./store/delivery-log.ts";
import { logBounds } from "./store/events.ts";
import { oldestImportAt } from "./store/imports.ts";
import { nextDeferredAt } from "./store/ready-queue.ts";
import { oldestReplyAt } from "./store/replies.ts";
import { oldestBeat } from "./store/running.ts";
import type { Sql } from "./store/sql.ts";
import { oldestTailAt } from "./store/tails.ts";
import { oldestTokenEndAt } from "./store/token-ends.ts";

export class Alarm {
  readonly #storage: DurableObjectStorage;
  #armedAt: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** What the platform has armed: known once, kept from then on. */
  async load(): Promise<void> {
    this.#armedAt = await this.#storage.getAlarm();
  }

  bringForward(dueAt: number): void {
    const at = bringForward(this.#armedAt, dueAt);
    if (at !== null) this.set(at);
  }

  /** Sets it again where the platform lost it. */
  repair(now: number): void {
    if (isOverdue(this.#armedAt, now)) this.set(now);
  }

  /** It fired: nothing is armed until the handler sets it. */
  fired(): void {
    this.#armedAt = null;
  }

  set(at: number | null): void {
    this.#armedAt = at;
    if (at === null) void this.#storage.deleteAlarm();
    else void this.#storage.setAlarm(at);
  }
}

/** The earliest due fact of the whole board, or null: then it may sleep. */
export function earliestDue(
  sql: Sql,
  board: Board,
  someoneWaits: boolean,
  nextWebhookAt: number | null,
): number | null {
  return nextAlarm({
    oldestBeatAt: board.archived ? null : oldestBeat(sql),
    leaseTtlMs: board.settings.leaseTtlMs,
    lastSweepAt: board.lastSweepAt,
    sweepEveryMs: board.settings.sweepEveryMs,
    oldestReplyAt: oldestReplyAt(sql),
    oldestImportAt: oldestImportAt(sql),
    nextDeferredAt: someoneWaits ? nextDeferredAt(sql) : null,
    trimIsDue: isTrimDue(logBounds(sql), board.settings.eventRetention),
    oldestTailAt: board.archived ? null : oldestTailAt(sql),
    tailRetentionMs: board.settings.tailRetentionMs,
    oldestTokenEndAt: oldestTokenEndAt(sql),
    nextWebhookAt,
    oldestDeliveryAt: oldestDeliveryAt(sql),
  });
}
