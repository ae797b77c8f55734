/** What a failed or lost attempt does to its task: wait and try again, or wait for a person. */
import type { Settings } from "../contract/settings.ts";

export interface NextAttempt {
  streak: number;
  /** `blocked` when the streak has reached the board's limit. */
  status: "todo" | "blocked";
  /** Not before this time; null: at once. */
  notBefore: number | null;
}

/**
 * `random` in [0, 1) spreads tasks that died together. The first retry comes fast, each further one waits
 * about twice as long, up to a bound.
 */
export function afterFailedAttempt(
  streak: number,
  settings: Pick<Settings, "maxAttempts" | "backoff">,
  now: number,
  random: number,
): NextAttempt {
  const next = streak + 1;
  if (settings.maxAttempts > 0 && next >= settings.maxAttempts)
    return { streak: next, status: "blocked", notBefore: null };
  const delay = backoffMs(next, settings.backoff, random);
  return { streak: next, status: "todo", notBefore: delay > 0 ? now + delay : null };
}

export function backoffMs(streak: number, backoff: Settings["backoff"], random: number): number {
  if (streak <= 1) return Math.floor(backoff.firstMs * random);
  const full = Math.min(backoff.stepMs * 2 ** Math.min(streak - 2, 30), backoff.maxMs);
  return Math.floor(full * (0.5 + random / 2));
}

export interface Attempt {
  status: string;
  recoveryTombstone: boolean;
}

/** How many of the last `streak` attempts crashed and how many reported an error. `released` counts as neither. */
export function classifyStreak(attempts: readonly Attempt[]): { crashes: number; errors: number } {
  let crashes = 0;
  let errors = 0;
  for (const attempt of [...attempts].reverse()) {
    if (attempt.status === "released" || attempt.status === "running") continue;
    if (attempt.status === "timed_out" || attempt.recoveryTombstone) crashes++;
    else if (attempt.status === "failed") errors++;
    else break;
  }
  return { crashes, errors };
}
