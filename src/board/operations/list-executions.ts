import { accept, type Result } from "../../contract/result.ts";
import type { Execution } from "../../contract/task.ts";
import type { Context } from "../context.ts";
import { lastSeq } from "../store/events.ts";
import { executionsOf } from "../store/executions.ts";
import { viewExecution } from "../view.ts";
import { requireTask } from "./find-task.ts";

export interface ExecutionPage {
  executions: Execution[];
  hasMore: boolean;
  nextCursor: string | null;
  seq: number;
}

/** A task's runs, oldest first. */
export function listExecutions(
  ctx: Context,
  input: { id: string; after: number; limit: number },
): Result<ExecutionPage> {
  const found = requireTask(ctx, input.id);
  if (!found.ok) return found;
  const rows = executionsOf(ctx.sql, found.task.id, input.after, input.limit + 1);
  const shown = rows.slice(0, input.limit);
  const hasMore = rows.length > input.limit;
  return accept({
    executions: shown.map(viewExecution),
    hasMore,
    nextCursor: hasMore ? String(shown.at(-1)?.epoch) : null,
    seq: lastSeq(ctx.sql),
  });
}
