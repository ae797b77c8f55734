import { INCLUDED_MAX } from "../../contract/limits.ts";
import type { Attempts } from "../../contract/task.ts";
import { summarizeAttempts } from "../../rules/attempts.ts";
import type { Context } from "../context.ts";
import { latestExecutions } from "../store/executions.ts";

/** How a task's attempts went, read from its runs. */
export function attemptsOf(ctx: Context, taskId: string): Attempts {
  return summarizeAttempts(
    latestExecutions(ctx.sql, taskId, INCLUDED_MAX).map((row) => ({
      status: row.status,
      recoveryTombstone: row.recovery_tombstone === 1,
      leftWork: row.after_commit !== null || row.summary !== null,
    })),
  );
}
