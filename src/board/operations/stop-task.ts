import { accept, type Result, refuse } from "../../contract/result.ts";
import type { Task } from "../../contract/task.ts";
import { audit, type Context } from "../context.ts";
import { runningExecution, saveDirective } from "../store/running.ts";
import { saveChangeSeq } from "../store/tasks.ts";
import { viewOne } from "../view.ts";
import { requireStanding } from "./find-task.ts";

export interface StopTask {
  id: string;
  /** `cancel`: stop and give up; `drain`: finish what is in hand, take nothing new. */
  mode: "cancel" | "drain";
  reason: string;
}

/** Asks the holder to stop, in its next beat; the lease is the holder's until it does. */
export function stopTask(ctx: Context, input: StopTask): Result<{ task: Task }> {
  const found = requireStanding(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  const running = runningExecution(ctx.sql, task.id);
  if (running === null)
    return refuse("conflict", "Nobody holds this task, so there is nobody to stop.", {
      taskStatus: task.status,
      hint: "Move it by hand instead.",
    });
  const asked = running.directive === input.mode && running.directive_reason === input.reason;
  if (asked) return accept({ task: viewOne(ctx, task) });
  const seq = ctx.log.reserve();
  saveDirective(ctx.sql, task.id, running.epoch, input.mode, input.reason);
  saveChangeSeq(ctx.sql, task.number, seq);
  audit(ctx, "stop", { task, reason: input.reason, data: { mode: input.mode, holder: running.agent_id } });
  ctx.log.append({
    seq,
    kind: "stop_requested",
    taskId: task.id,
    epoch: running.epoch,
    tenantId: task.tenant_id,
    data: { mode: input.mode, reason: input.reason, executionId: running.id },
  });
  return accept({ task: viewOne(ctx, { ...task, change_seq: seq }) });
}
