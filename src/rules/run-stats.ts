/** What the counters of ended runs mean: days, waits, averages and rates. Times are milliseconds. */
import { DAY_MS } from "../contract/limits.ts";

/** Days since the epoch, in UTC. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** When a day begins, in epoch milliseconds. */
export function startOfDay(day: number): number {
  return day * DAY_MS;
}

/** How long a task had been open to claims when it was claimed; null where it was not: a lead took it before. */
export function waitedFor(
  task: { openDependencies: number; readySince: number; notBefore: number | null },
  now: number,
): number | null {
  if (task.openDependencies > 0) return null;
  return Math.max(0, now - Math.max(task.readySince, task.notBefore ?? 0));
}

export interface Average {
  /** Null where there is nothing to average. */
  averageMs: number | null;
  count: number;
}

export function averageOf(sumMs: number, count: number): Average {
  return { averageMs: count === 0 ? null : Math.round(sumMs / count), count };
}

/** Of the runs that ended by themselves; null where none did. A cancel or a release says nothing of the agent. */
export function successRate(outcomes: {
  succeeded: number;
  failed: number;
  timed_out: number;
}): number | null {
  const told = outcomes.succeeded + outcomes.failed + outcomes.timed_out;
  return told === 0 ? null : outcomes.succeeded / told;
}
