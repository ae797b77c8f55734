/** Verdicts: recorded for the epoch they judged, never by who did the work. */
import { accept, type Result, refuse } from "../../contract/result.ts";
import type { LeaseProof } from "../../contract/roles.ts";
import type { Task } from "../../contract/task.ts";
import type { Verification } from "../../contract/verification.ts";
import { readCell } from "../../rules/verification.ts";
import type { Context } from "../context.ts";
import { findExecution } from "../store/executions.ts";
import { runningExecution } from "../store/running.ts";
import { saveVerification } from "../store/tasks.ts";
import { viewOne } from "../view.ts";
import { builderOf } from "./change-task.ts";
import { requireStanding, requireTask } from "./find-task.ts";
import { leaseRequired, requireLease } from "./lease-check.ts";

export interface SetVerification {
  id: string;
  /** The epoch that was judged. */
  epoch: number;
  result: Verification;
  lease: LeaseProof | null;
}

export function setVerification(ctx: Context, input: SetVerification): Result<{ task: Task }> {
  const found = requireStanding(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  const running = runningExecution(ctx.sql, task.id);
  if (input.lease !== null) {
    const held = requireLease(ctx, task, input.lease);
    if (!held.ok) return held;
  } else if (running?.agent_id === ctx.caller.sub) return leaseRequired(task);
  const judged = findExecution(ctx.sql, task.id, input.epoch);
  const stale = input.epoch !== task.epoch || judged?.status === "released" || task.status === "todo";
  if (stale)
    return refuse("stale_epoch", "The attempt this verdict judged is not the present one.", {
      epoch: task.epoch,
      taskStatus: task.status,
      hint: "Look at the task again and judge its present attempt.",
    });
  const judgesOwnWork = builderOf(ctx, task) === ctx.caller.sub;
  if (judgesOwnWork && input.result.attempts.some((attempt) => attempt.critic.ran))
    return refuse("self_review", "Nobody judges his own work; record a deterministic verdict only.", {
      hint: "Leave the critic to another verifier.",
    });
  const verification = JSON.stringify(input.result);
  // The same verdict to the letter is a request sent again.
  if (task.verification === verification) return accept({ task: viewOne(ctx, task) });
  const seq = ctx.log.reserve();
  saveVerification(ctx.sql, task.number, verification, seq);
  ctx.log.append({
    seq,
    kind: "verification_recorded",
    taskId: task.id,
    epoch: input.epoch,
    tenantId: task.tenant_id,
    data: { verification: input.result },
  });
  return accept({ task: viewOne(ctx, { ...task, verification, change_seq: seq }) });
}

export function getVerification(
  ctx: Context,
  id: string,
): Result<{ verification: Verification | null; epoch: number }> {
  const found = requireTask(ctx, id);
  if (!found.ok) return found;
  return accept({ verification: readCell(found.task.verification), epoch: found.task.epoch });
}
