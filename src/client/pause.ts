/** Waiting before the next try. */

const FIRST_MS = 500;
const MAX_MS = 30_000;

/** Longer after each failure, and somewhere in its second half, so that a thousand clients do not come back at once. */
export function backoff(failures: number, random = Math.random()): number {
  const full = Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 10), MAX_MS);
  return full * (0.5 + random / 2);
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}
