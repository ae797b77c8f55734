/** Sums over counted runs, and how they are told. */
import { SUM_MAX } from "../../contract/limits.ts";
import type { Outcomes, RunNumbers } from "../../contract/stats.ts";
import { toUsd } from "../../rules/budget.ts";
import { averageOf } from "../../rules/run-stats.ts";
import type { RunStatsRow } from "../store/rows.ts";

/** Times are milliseconds, cost is micro-dollars. */
export type RunSums = Omit<RunStatsRow, "agent_id" | "day" | "runtime" | "tenant_id">;

const NO_RUNS: RunSums = {
  succeeded: 0,
  failed: 0,
  timed_out: 0,
  cancelled: 0,
  released: 0,
  cycle_ms: 0,
  waits: 0,
  waited_ms: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read: 0,
  cache_write: 0,
  cost_micros: 0,
};

const COUNTERS = Object.keys(NO_RUNS) as (keyof RunSums)[];

/** A sum stops at what can be counted exactly. */
export function sumRuns(runs: Iterable<RunSums>): RunSums {
  const sums = { ...NO_RUNS };
  for (const run of runs)
    for (const counter of COUNTERS) sums[counter] = Math.min(sums[counter] + run[counter], SUM_MAX);
  return sums;
}

/** Runs that ended, however they did. */
export function countOf({ succeeded, failed, timed_out, cancelled, released }: RunSums): number {
  return succeeded + failed + timed_out + cancelled + released;
}

export function outcomesOf({ succeeded, failed, timed_out, cancelled, released }: RunSums): Outcomes {
  return { succeeded, failed, timed_out, cancelled, released };
}

export function viewRuns(runs: RunSums): RunNumbers {
  return {
    outcomes: outcomesOf(runs),
    retries: runs.failed + runs.timed_out,
    cycle: averageOf(runs.cycle_ms, runs.succeeded),
    wait: averageOf(runs.waited_ms, runs.waits),
    costUsd: toUsd(runs.cost_micros),
    inputTokens: runs.input_tokens,
    outputTokens: runs.output_tokens,
    cacheRead: runs.cache_read,
    cacheWrite: runs.cache_write,
  };
}
