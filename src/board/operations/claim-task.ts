import { accept, type Result, refuse } from "../../contract/result.ts";
import { audit, type Context, isLead } from "../context.ts";
import { explainConflict, refusalsOfClaim } from "./claim-refusal.ts";
import { requireStanding } from "./find-task.ts";
import { type Grant, grantTask } from "./grant.ts";

export interface ClaimTask {
  id: string;
  runtime?: string;
  executorType?: string;
  runReason?: string;
  beforeCommit?: string;
  /** A lead claims for an agent. */
  assigneeAgentId?: string;
  ignoreDependencies?: boolean;
  ignoreDepth?: boolean;
}

/** Claims one task: in progress, assigned and running in the same write, or nothing at all. */
export function claimTask(ctx: Context, input: ClaimTask): Result<Grant> {
  const found = requireStanding(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  const agentId = input.assigneeAgentId ?? ctx.caller.sub;
  if (!isLead(ctx)) {
    if (agentId !== ctx.caller.sub)
      return refuse("identity_mismatch", "Only a lead may claim for another agent.");
    if (input.ignoreDependencies === true || input.ignoreDepth === true)
      return refuse("forbidden", "Only a lead may ignore dependencies or depth.");
  }
  const runtime = input.runtime ?? ctx.caller.runtime;
  const ignoreDependencies = input.ignoreDependencies === true;
  const claimant = { runtime, capabilities: ctx.caller.capabilities, ignoreDependencies };
  const [refusal] = refusalsOfClaim(ctx, task, claimant, input.ignoreDepth === true);
  if (refusal !== undefined) return refusal;
  const grant = grantTask(ctx, task, { ...input, agentId, runtime });
  if (grant === null) return explainConflict(ctx, task);
  if (agentId !== ctx.caller.sub) audit(ctx, "claim_for", { task, data: { agentId } });
  if (input.ignoreDepth === true) audit(ctx, "ignore_depth", { task });
  if (ignoreDependencies && task.open_deps > 0) audit(ctx, "ignore_dependencies", { task });
  return accept(grant);
}
