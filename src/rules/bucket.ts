/**
 * A leaky bucket: what was poured in and has not drained yet. It measures a pace with two numbers and no history, so
 * one is kept for every caller of a board.
 */
export interface Bucket {
  level: number;
  /** When the level was that, in epoch milliseconds. */
  at: number;
}

export const EMPTY: Bucket = { level: 0, at: 0 };

/** What is left of it by now. A clock that was set back drains nothing. */
export function levelOf({ level, at }: Bucket, perS: number, now: number): number {
  return Math.max(0, level - (Math.max(0, now - at) / 1_000) * perS);
}

export function pour(bucket: Bucket, amount: number, perS: number, now: number): Bucket {
  return { level: levelOf(bucket, perS, now) + amount, at: Math.max(bucket.at, now) };
}

/** Milliseconds until there is room for `amount` below `max`; 0: there is. */
export function waitFor(bucket: Bucket, amount: number, max: number, perS: number, now: number): number {
  const over = levelOf(bucket, perS, now) + amount - max;
  return over <= 0 ? 0 : Math.ceil((over / perS) * 1_000);
}
