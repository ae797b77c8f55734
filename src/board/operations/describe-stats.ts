import { STATS_GROUPS_MAX, STATS_ROWS_MAX } from "../../contract/limits.ts";
import { accept, type Result } from "../../contract/result.ts";
import type { Spent, Stats } from "../../contract/stats.ts";
import { toUsd } from "../../rules/budget.ts";
import { dayOf, startOfDay } from "../../rules/run-stats.ts";
import type { Context } from "../context.ts";
import { readCounts } from "../store/counts.ts";
import { lastSeq } from "../store/events.ts";
import type { RunStatsRow } from "../store/rows.ts";
import { runsSince } from "../store/run-stats.ts";
import { readUsage } from "../store/usage.ts";
import { countOf, type RunSums, sumRuns, viewRuns } from "./run-sums.ts";

/** The board in numbers, over so many days, today included: kept counters only, however many tasks and runs. */
export function describeStats(ctx: Context, { days }: { days: number }): Result<Stats> {
  const since = dayOf(ctx.now) - days + 1;
  const rows = runsSince(ctx.sql, since, STATS_ROWS_MAX);
  return accept({
    days,
    since: startOfDay(since),
    counts: readCounts(ctx.sql),
    spent: viewSpent(ctx),
    total: viewRuns(sumRuns(rows)),
    throughput: grouped(rows, (row) => row.day)
      .sort(([a], [b]) => b - a)
      .map(([day, runs]) => ({ day: startOfDay(day), ...viewRuns(runs) })),
    byAgent: mostRuns(grouped(rows, (row) => row.agent_id)).map(([agentId, runs]) => ({
      agentId,
      ...viewRuns(runs),
    })),
    byRuntime: mostRuns(grouped(rows, (row) => row.runtime)).map(([runtime, runs]) => ({
      runtime: runtime === "" ? null : runtime,
      ...viewRuns(runs),
    })),
    ...(rows.length === STATS_ROWS_MAX ? { truncated: true } : {}),
    seq: lastSeq(ctx.sql),
  });
}

function viewSpent(ctx: Context): Spent {
  const usage = readUsage(ctx.sql);
  return {
    costUsd: toUsd(usage.cost_micros),
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheRead: usage.cache_read,
    cacheWrite: usage.cache_write,
  };
}

function grouped<Key>(rows: RunStatsRow[], keyOf: (row: RunStatsRow) => Key): [Key, RunSums][] {
  return [...Map.groupBy(rows, keyOf)].map(([key, group]) => [key, sumRuns(group)]);
}

function mostRuns<Key extends string>(groups: [Key, RunSums][]): [Key, RunSums][] {
  return groups
    .sort(([a, runsOfA], [b, runsOfB]) => countOf(runsOfB) - countOf(runsOfA) || (a < b ? -1 : 1))
    .slice(0, STATS_GROUPS_MAX);
}
