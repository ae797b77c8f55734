/** Counts runs that have ended: one row for each agent and runtime among them, in one statement. */
import { toMicros } from "../../rules/budget.ts";
import { dayOf } from "../../rules/run-stats.ts";
import type { Context } from "../context.ts";
import type { ExecutionRow } from "../store/rows.ts";
import { addRuns } from "../store/run-stats.ts";
import { type RunSums, sumRuns } from "./run-sums.ts";

export function countRuns(ctx: Context, ended: readonly ExecutionRow[]): void {
  if (ended.length === 0) return;
  const groups = Map.groupBy(ended, ({ agent_id, runtime }) => JSON.stringify([agent_id, runtime]));
  const rows = [...groups.values()].map((runs) => ({
    day: dayOf(ctx.now),
    agent_id: runs[0]?.agent_id ?? "",
    runtime: runs[0]?.runtime ?? "",
    ...sumRuns(runs.map((run) => countsOf(ctx, run))),
    tenant_id: null,
  }));
  addRuns(ctx.sql, rows);
}

function countsOf(ctx: Context, run: ExecutionRow): RunSums {
  const ended = (status: ExecutionRow["status"]) => (run.status === status ? 1 : 0);
  return {
    succeeded: ended("succeeded"),
    failed: ended("failed"),
    timed_out: ended("timed_out"),
    cancelled: ended("cancelled"),
    released: ended("released"),
    cycle_ms: run.status === "succeeded" ? Math.max(0, ctx.now - run.started_at) : 0,
    waits: run.waited_ms === null ? 0 : 1,
    waited_ms: run.waited_ms ?? 0,
    input_tokens: run.input_tokens + run.beat_input_tokens,
    output_tokens: run.output_tokens + run.beat_output_tokens,
    cache_read: run.cache_read,
    cache_write: run.cache_write,
    cost_micros: toMicros(run.cost_usd) + toMicros(run.beat_cost_usd),
  };
}
