import { accept, type Result } from "../../contract/result.ts";
import type { Execution } from "../../contract/task.ts";
import { fitting } from "../answer-size.ts";
import type { Context } from "../context.ts";
import { lastSeq } from "../store/events.ts";
import {
  executionsOf,
  findExecutionById,
  type RunFilter,
  listRuns as readRuns,
} from "../store/executions.ts";
import { viewExecution } from "../view.ts";
import { badCursor } from "./bad-cursor.ts";
import { requireTask } from "./find-task.ts";

export interface ExecutionPage {
  executions: Execution[];
  hasMore: boolean;
  nextCursor: string | null;
  seq: number;
}

/** All runs of the board, newest first, for timelines. */
export function listRuns(
  ctx: Context,
  input: RunFilter & { before: string | null; limit: number },
): Result<ExecutionPage> {
  // Imported runs keep their ids, whatever those look like: only the table knows which there are.
  if (input.before !== null && findExecutionById(ctx.sql, input.before) === null) return badCursor();
  const rows = readRuns(ctx.sql, input, input.before ?? "~", input.limit + 1);
  const shown = fitting(rows.slice(0, input.limit));
  const hasMore = rows.length > shown.length;
  return accept({
    executions: shown.map(viewExecution),
    hasMore,
    nextCursor: hasMore ? (shown.at(-1)?.id ?? null) : null,
    seq: lastSeq(ctx.sql),
  });
}

/** A task's runs, oldest first. */
export function listExecutions(
  ctx: Context,
  input: { id: string; after: number; limit: number },
): Result<ExecutionPage> {
  const found = requireTask(ctx, input.id);
  if (!found.ok) return found;
  const rows = executionsOf(ctx.sql, found.task.id, input.after, input.limit + 1);
  const shown = fitting(rows.slice(0, input.limit));
  const hasMore = rows.length > shown.length;
  return accept({
    executions: shown.map(viewExecution),
    hasMore,
    nextCursor: hasMore ? String(shown.at(-1)?.epoch) : null,
    seq: lastSeq(ctx.sql),
  });
}
