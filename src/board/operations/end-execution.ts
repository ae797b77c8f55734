/** Ends a run. The first terminal status stands; the row is immutable from then on. */
import type { ExecutionStatus } from "../../contract/task.ts";
import type { Context } from "../context.ts";
import { closeExecution } from "../store/executions.ts";
import type { ExecutionRow } from "../store/rows.ts";

export interface Ending {
  status: Exclude<ExecutionStatus, "running">;
  reason?: string | null;
  /** What a holder reported with its last word. */
  report?: Partial<
    Pick<
      ExecutionRow,
      | "summary"
      | "error"
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
}

/** The closed row. */
export function endExecution(ctx: Context, execution: ExecutionRow, ending: Ending): ExecutionRow {
  const closed: ExecutionRow = {
    ...execution,
    ...ending.report,
    status: ending.status,
    reason: ending.reason ?? null,
    ended_at: ctx.now,
  };
  if (!closeExecution(ctx.sql, closed)) throw new Error("an execution was closed twice in one transaction");
  return closed;
}
