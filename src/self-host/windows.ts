/** How many calls of a key were seen in the present window of each limit. */

/** As wrangler.toml has it. */
export interface Limit {
  name: string;
  limit: number;
  /** Seconds. */
  period: number;
}

interface Window {
  number: number;
  counts: Map<string, number>;
}

const windows = new Map<string, Window>();

/** Counts a call, and says whether there was room for it. Of a window that is over nothing is kept. */
export function take({ name, limit, period }: Limit, key: string, now: number): boolean {
  const number = Math.floor(now / (period * 1000));
  let window = windows.get(name);
  if (window?.number !== number) {
    window = { number, counts: new Map() };
    windows.set(name, window);
  }
  const count = window.counts.get(key) ?? 0;
  if (count >= limit) return false;
  window.counts.set(key, count + 1);
  return true;
}
