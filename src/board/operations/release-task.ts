import { accept, type Result } from "../../contract/result.ts";
import type { LeaseProof } from "../../contract/roles.ts";
import type { Handoff, Task } from "../../contract/task.ts";
import type { Context } from "../context.ts";
import { moveTasks } from "../store/tasks.ts";
import { viewOne } from "../view.ts";
import { endExecution } from "./end-execution.ts";
import { requireStanding } from "./find-task.ts";
import { endedByCaller, requireLease } from "./lease-check.ts";
import { moved } from "./move-task.ts";

export interface ReleaseTask {
  id: string;
  lease: LeaseProof | null;
  reason?: string;
  handoff?: Handoff;
}

/**
 * Gives the task back. It is neutral: no attempt is counted. A task in progress goes to todo; one that waits
 * for its review stays there, without a holder. Releasing again what this token released changes nothing.
 */
export function releaseTask(ctx: Context, input: ReleaseTask): Result<{ task: Task }> {
  const found = requireStanding(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  const held = requireLease(ctx, task, input.lease);
  if (!held.ok) {
    const ended = endedByCaller(ctx, task, input.lease);
    const released = ended?.status === "released" && ended.epoch === task.epoch;
    return released ? accept({ task: viewOne(ctx, task) }) : held;
  }
  const { execution } = held;
  const seq = ctx.log.reserve();
  const to = task.status === "in_review" ? "in_review" : "todo";
  const after = moved(task, to, { now: ctx.now, changeSeq: seq, touches: true });
  moveTasks(ctx.sql, [{ before: task, after }]);
  endExecution(ctx, execution, {
    status: "released",
    reason: input.reason ?? null,
    report: { handoff: input.handoff === undefined ? null : JSON.stringify(input.handoff) },
  });
  ctx.log.append({
    seq,
    kind: "task_released",
    taskId: task.id,
    epoch: execution.epoch,
    tenantId: task.tenant_id,
    data: {
      via: "release",
      from: task.status,
      to,
      reason: input.reason ?? null,
      execution: { id: execution.id, status: "released" },
    },
  });
  return accept({ task: viewOne(ctx, after) });
}
