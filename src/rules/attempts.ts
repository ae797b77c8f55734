/** What a failed or lost attempt does to its task: wait and try again, or wait for a person. */
import type { Settings } from "../contract/settings.ts";
import type { Attempts, ExecutionStatus } from "../contract/task.ts";

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
  status: ExecutionStatus;
  recoveryTombstone: boolean;
  /** A commit or a summary. */
  leftWork: boolean;
}

/** How one attempt ended; null where it says nothing: it runs, or was given back. */
export function classify(attempt: Attempt): Attempts["last"] {
  if (attempt.recoveryTombstone || attempt.status === "timed_out") return "crash";
  switch (attempt.status) {
    case "failed":
      return "error";
    case "succeeded":
      return "success";
    case "cancelled":
      return "cancelled";
    case "running":
    case "released":
      return null;
  }
}

/** What the attempts tell, oldest first: the trailing streak of failures, broken by success and cancel. */
export function summarizeAttempts(attempts: readonly Attempt[]): Attempts {
  const told = attempts.flatMap((attempt) => {
    const ended = classify(attempt);
    return ended === null ? [] : [{ ended, leftWork: attempt.leftWork }];
  });
  const broken = told.findLastIndex(({ ended }) => ended === "success" || ended === "cancelled");
  const streak = told.slice(broken + 1);
  return {
    last: told.at(-1)?.ended ?? null,
    crashStreak: streak.filter(({ ended }) => ended === "crash").length,
    errorStreak: streak.filter(({ ended }) => ended === "error").length,
    lastCrashLeftWork: told.findLast(({ ended }) => ended === "crash")?.leftWork ?? false,
  };
}
