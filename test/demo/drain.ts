/** Watches a board until its workers are through with it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Summary } from "./board.ts";

/** Four times a second: smooth on a terminal, and far from the rate limit. */
const LOOK_EVERY_MS = 250;
/** Much longer than a lease, a sweep and a backoff together: what has not moved by then will not. */
const QUIET_MS = 20_000;

export interface Watch {
  look: () => Promise<Summary>;
  /** Tasks to be done, beyond those that are. */
  open: number;
  workersLeft: () => number;
  onProgress: (done: number) => void;
  signal: AbortSignal;
}

/** Also returns when nothing moves any more, or nobody is left to move it: the check tells what is missing. */
export async function untilDrained(watch: Watch): Promise<void> {
  let before: number | null = null;
  let seq = 0;
  let movedAt = Date.now();
  for (;;) {
    const summary = await watch.look();
    before ??= summary.counts.done;
    const done = summary.counts.done - before;
    watch.onProgress(done);
    if (done >= watch.open && summary.counts.in_progress === 0) return;
    if (summary.seq !== seq) movedAt = Date.now();
    seq = summary.seq;
    if (watch.workersLeft() === 0 || Date.now() - movedAt > QUIET_MS) return;
    await sleep(LOOK_EVERY_MS, undefined, { signal: watch.signal });
  }
}
