/** Fencing: a write that only the holder may make carries the token of the running execution. */
import { type Refusal, refuse } from "../../contract/result.ts";
import type { LeaseProof } from "../../contract/roles.ts";
import { lostReason } from "../../rules/lease.ts";
import { type Context, isLead } from "../context.ts";
import { findExecution } from "../store/executions.ts";
import type { ExecutionRow, TaskRow } from "../store/rows.ts";

export function leaseRequired(task: TaskRow): Refusal {
  return refuse("lease_required", "Only the holder may do this, and it proves itself with its lease token.", {
    taskStatus: task.status,
    hint: "Send the leaseToken your claim returned.",
  });
}

function leaseLost(execution: ExecutionRow | null, task: TaskRow): Refusal {
  const reason = lostReason(execution, task.epoch);
  return refuse("lease_lost", `This lease token no longer holds the task: ${reason}.`, {
    reason,
    taskStatus: task.status,
    hint: "Stop working on this task; claim again if it is ready.",
  });
}

/** The execution a token of this board was signed for, running or ended; null when there is none. */
function provenExecution(ctx: Context, task: TaskRow, proof: LeaseProof): ExecutionRow | null {
  if (proof.kind !== "signed" || proof.incarnation !== ctx.board.incarnation) return null;
  const execution = findExecution(ctx.sql, task.id, proof.epoch);
  return execution?.id === proof.executionId ? execution : null;
}

export type Holding = { ok: true; execution: ExecutionRow } | Refusal;

/** The running execution this proof holds, or why it holds none. */
export function requireLease(ctx: Context, task: TaskRow, proof: LeaseProof | null): Holding {
  if (proof === null) return leaseRequired(task);
  const execution = provenExecution(ctx, task, proof);
  if (execution === null || execution.status !== "running") return leaseLost(execution, task);
  return requireIdentity(ctx, execution) ?? { ok: true, execution };
}

/** The ended run that this token held, in the hands it was given to: only they may say the last word again. */
export function endedByCaller(ctx: Context, task: TaskRow, proof: LeaseProof | null): ExecutionRow | null {
  const execution = proof === null ? null : provenExecution(ctx, task, proof);
  if (execution === null || execution.status === "running") return null;
  return requireIdentity(ctx, execution) === null ? execution : null;
}

/** A token works only in the hands it was given to; a lead may hold one for an agent. */
function requireIdentity(ctx: Context, execution: ExecutionRow): Refusal | null {
  if (execution.agent_id === ctx.caller.sub || isLead(ctx)) return null;
  return refuse("identity_mismatch", "This lease was granted to another agent.");
}
