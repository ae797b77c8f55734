import { MAX_DEPENDENTS } from "../../contract/limits.ts";
import { accept, type Result, refuse } from "../../contract/result.ts";
import type { TaskRef } from "../../contract/task.ts";
import { audit, type Context } from "../context.ts";
import { getDependents } from "../store/dependencies.ts";
import { viewRef } from "../view.ts";
import { requireTask } from "./find-task.ts";
import { cancelPending, isPending, settleCancelled } from "./settle-dependents.ts";

/** Cancels everything downstream that nobody has started; what runs or has ended is left as it is. */
export function cancelDependents(ctx: Context, id: string): Result<{ cancelled: TaskRef[] }> {
  const found = requireTask(ctx, id);
  if (!found.ok) return found;
  const dependents = getDependents(ctx.sql, found.task.id, MAX_DEPENDENTS + 1);
  if (dependents.length > MAX_DEPENDENTS)
    return refuse("dependent_cap", `At most ${MAX_DEPENDENTS} dependents can be cancelled at once.`);
  const cancelled = cancelPending(ctx, dependents.filter(isPending), "cancel-dependents");
  const settled = settleCancelled(ctx, cancelled);
  if ("ok" in settled) return settled;
  if (cancelled.length > 0)
    audit(ctx, "cancel_dependents", { task: found.task, data: { cancelled: cancelled.length } });
  return accept({ cancelled: cancelled.map(viewRef) });
}
