/** When the board has to wake by itself. One alarm, at the earliest due fact; none due, no alarm. */
import * as limits from "../contract/limits.ts";

export interface DueFacts {
  /** The oldest beat among running executions; null: nothing runs. */
  oldestBeatAt: number | null;
  leaseTtlMs: number;
  lastSweepAt: number;
  sweepEveryMs: number;
  /** When the oldest recorded reply was stored. */
  oldestReplyAt: number | null;
  /** When the oldest import in parts was begun. */
  oldestImportAt: number | null;
  /** The next deferred task, told only while somebody waits for work. */
  nextDeferredAt: number | null;
  /** The change log holds more than is kept. */
  trimIsDue: boolean;
  /** Since when the oldest long texts of an ended run age, and how long they may; null: no limit, or none there. */
  oldestTailAt: number | null;
  tailRetentionMs: number | null;
  /** When the token that was the first to end was good for the last time; it may be still. */
  oldestTokenEndAt: number | null;
  /** The next attempt to send something to a webhook. */
  nextWebhookAt: number | null;
  /** When the oldest entry of the delivery log was queued. */
  oldestDeliveryAt: number | null;
}

/** The earliest due time, or null. It may lie in the past: then the alarm is due now. */
export function nextAlarm(facts: DueFacts): number | null {
  const due = [
    facts.oldestBeatAt === null ? null : leaseDue(facts, facts.oldestBeatAt),
    facts.oldestReplyAt === null ? null : facts.oldestReplyAt + limits.IDEMPOTENCY_TTL_MS,
    facts.oldestImportAt === null ? null : facts.oldestImportAt + limits.IMPORT_TTL_MS,
    facts.nextDeferredAt,
    facts.trimIsDue ? 0 : null,
    tailsDue(facts.oldestTailAt, facts.tailRetentionMs),
    facts.oldestTokenEndAt === null ? null : tokenDue(facts.oldestTokenEndAt),
    facts.nextWebhookAt,
    facts.oldestDeliveryAt === null ? null : facts.oldestDeliveryAt + limits.WEBHOOK_LOG_MS,
  ].filter((time) => time !== null);
  return due.length === 0 ? null : Math.min(...due);
}

/** A lease that runs out is swept then, but sweeps keep their distance. */
export function leaseDue(
  settings: { leaseTtlMs: number; lastSweepAt: number; sweepEveryMs: number },
  lastBeatAt: number,
): number {
  return Math.max(lastBeatAt + settings.leaseTtlMs, settings.lastSweepAt + settings.sweepEveryMs);
}

/** When long texts that age since `from` are emptied, with those of the day that follows. */
export function tailsDue(from: number | null, retentionMs: number | null): number | null {
  return from === null || retentionMs === null ? null : from + retentionMs + limits.TAIL_SLACK_MS;
}

/** When the row of a token that ends at this time is let go. */
export function tokenDue(endsAt: number): number {
  return endsAt + limits.TOKEN_KEPT_MS + limits.TOKEN_SLACK_MS;
}

/** A mutation may only bring the alarm forward. Null: leave it as it is. */
export function bringForward(armedAt: number | null, dueAt: number): number | null {
  return armedAt === null || dueAt < armedAt ? dueAt : null;
}

/** An alarm the platform lost: long past, and not firing. */
export function isOverdue(armedAt: number | null, now: number): boolean {
  return armedAt !== null && now - armedAt > limits.ALARM_OVERDUE_MS;
}

/** After the n-th failure in a row (from 1): later each time, never sooner than the sweep interval. */
export function retryAfterFailure(failures: number, sweepEveryMs: number, now: number): number {
  const backoff = Math.min(
    limits.ALARM_RETRY_MS * 2 ** Math.min(failures - 1, 30),
    limits.ALARM_RETRY_MAX_MS,
  );
  return now + Math.max(sweepEveryMs, backoff);
}
