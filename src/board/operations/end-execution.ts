/**
 * Ends a run and counts it: its day's statistics, and what the board has spent. The first terminal status
 * stands; the row is immutable from then on.
 */
import type { ExecutionStatus } from "../../contract/task.ts";
import { roundUsd, toMicros } from "../../rules/budget.ts";
import { tailsDue } from "../../rules/next-alarm.ts";
import type { Context } from "../context.ts";
import { closeExecution } from "../store/executions.ts";
import type { ExecutionRow } from "../store/rows.ts";
import { addUsage, type Usage } from "../store/usage.ts";
import { countRuns } from "./count-runs.ts";

export interface Ending {
  status: Exclude<ExecutionStatus, "running">;
  reason?: string | null;
  report?: Report;
}

/** What a holder reported with its last word. */
type Report = Partial<
  Pick<
    ExecutionRow,
    | "summary"
    | "error"
    | "before_commit"
    | "after_commit"
    | "input_tokens"
    | "output_tokens"
    | "cache_read"
    | "cache_write"
    | "cost_usd"
    | "handoff"
    | "completion"
  >
>;

/** The closed row. */
export function endExecution(ctx: Context, execution: ExecutionRow, ending: Ending): ExecutionRow {
  const closed: ExecutionRow = {
    ...execution,
    ...ending.report,
    cost_usd: roundUsd(ending.report?.cost_usd ?? execution.cost_usd),
    status: ending.status,
    reason: ending.reason ?? null,
    ended_at: ctx.now,
  };
  if (!closeExecution(ctx.sql, closed)) throw new Error("an execution was closed twice in one transaction");
  const dueAt = tailsDue(ctx.now, ctx.board.settings.tailRetentionMs);
  if (dueAt !== null) ctx.due(dueAt);
  countRuns(ctx, [closed]);
  if (ending.report !== undefined) spend(ctx, ending.report);
  return closed;
}

/** What the holder used since its last beat, which added what it reported then. */
function spend(ctx: Context, report: Report): void {
  const used: Usage = {
    cost_micros: toMicros(report.cost_usd ?? 0),
    input_tokens: report.input_tokens ?? 0,
    output_tokens: report.output_tokens ?? 0,
    cache_read: report.cache_read ?? 0,
    cache_write: report.cache_write ?? 0,
  };
  if (Object.values(used).some((amount) => amount > 0)) addUsage(ctx.sql, used);
}
