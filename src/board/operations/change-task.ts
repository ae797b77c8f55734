/** Moves and edits by hand: both in one transaction, in the order of checks the interface promises. */
import { accept, type Refusal, type Result, refuse } from "../../contract/result.ts";
import type { LeaseProof } from "../../contract/roles.ts";
import type { Task } from "../../contract/task.ts";
import { editObstacle } from "../../rules/authority.ts";
import { canTransition, legalTargets, type TaskStatus } from "../../rules/status.ts";
import { type Context, isLead } from "../context.ts";
import { findExecution } from "../store/executions.ts";
import type { ExecutionRow, TaskRow } from "../store/rows.ts";
import { runningExecution } from "../store/running.ts";
import { viewOne } from "../view.ts";
import { changeStatus } from "./change-status.ts";
import { holderOf } from "./claim-refusal.ts";
import { openBlockers, unverified } from "./done-gate.ts";
import { type ContentChange, editContent } from "./edit-content.ts";
import { requireStanding } from "./find-task.ts";
import { leaseRequired, requireLease } from "./lease-check.ts";
import { tellTaskBudget } from "./spending.ts";

export interface ChangeTask {
  id: string;
  status?: TaskStatus;
  content: ContentChange;
  lease: LeaseProof | null;
  humanOverride: boolean;
  overrideReason: string | null;
  displace: boolean;
  ifVersion: number | null;
  ifChangeSeq: number | null;
}

export function changeTask(ctx: Context, input: ChangeTask): Result<{ task: Task }> {
  const found = requireStanding(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  if (input.humanOverride && !isLead(ctx))
    return refuse("override_forbidden", "Only a lead may override.", {
      hint: "Ask a lead, or have a verifier record a passing verdict.",
    });
  const to = input.status === task.status ? null : (input.status ?? null);
  // A reason given with the move to blocked belongs to the move, not to the content.
  const { blockedReason, ...rest } = input.content;
  const content = to === "blocked" ? rest : input.content;
  const fields = Object.keys(content);
  if (to === null && fields.length === 0) return accept({ task: viewOne(ctx, task) });
  if (to === "in_progress" && !isLead(ctx))
    return refuse("claim_required", "An agent gets into in_progress by a claim.", {
      hint: "Claim the task, or ask for the next ready one.",
    });
  const running = runningExecution(ctx.sql, task.id);
  const holding = checkLease(ctx, task, running, input, to);
  if (!holding.ok) return holding;
  const refusal =
    forbidden(ctx, task, running, holding.holds, to, fields) ??
    outdated(ctx, task, input) ??
    (to === null ? null : blockedMove(ctx, task, to, input.humanOverride));
  if (refusal !== null) return refusal;
  const edited = fields.length === 0 ? accept(task) : editContent(ctx, task, content, to !== null);
  if (!edited.ok) return edited;
  if (to === null) return accept({ task: viewOne(ctx, tellTaskBudget(ctx, task, edited.value)) });
  const changed = changeStatus(ctx, edited.value, to, {
    running,
    heldByCaller: holding.holds,
    override: input.humanOverride,
    reason: input.overrideReason,
    blockedReason: blockedReason ?? null,
    fields: fields.length === 0 ? null : content,
  });
  return changed.ok ? accept({ task: viewOne(ctx, tellTaskBudget(ctx, task, changed.value)) }) : changed;
}

type Held = { ok: true; holds: boolean } | Refusal;

/** A token that is sent has to be good. On a leased task, one is needed unless a lead displaces or cancels. */
function checkLease(
  ctx: Context,
  task: TaskRow,
  running: ExecutionRow | null,
  input: ChangeTask,
  to: TaskStatus | null,
): Held {
  if (input.lease !== null) {
    const held = requireLease(ctx, task, input.lease);
    return held.ok ? { ok: true, holds: true } : held;
  }
  if (running === null) return { ok: true, holds: false };
  if (!isLead(ctx)) return leaseRequired(task);
  const leadMay = to === null || to === "cancelled" || input.displace;
  if (leadMay) return { ok: true, holds: false };
  return refuse("lease_required", "The task is held; this move would take it from its holder.", {
    taskStatus: task.status,
    hint: "Say displace: true to end the holder's lease.",
  });
}

function forbidden(
  ctx: Context,
  task: TaskRow,
  running: ExecutionRow | null,
  holds: boolean,
  to: TaskStatus | null,
  fields: string[],
): Refusal | null {
  if (isLead(ctx)) return null;
  const { sub, role } = ctx.caller;
  const obstacle = editObstacle({
    role: role === "verifier" ? "verifier" : "worker",
    holds,
    ownsUnheld: task.created_by === sub && holderOf(ctx, task, running) === null,
    builtIt: builderOf(ctx, task) === sub,
    from: task.status,
    to,
    fields,
  });
  if (obstacle === "self_review")
    return refuse("self_review", "Nobody moves his own work from in_review to done.");
  if (obstacle === "forbidden")
    return refuse("forbidden", "Your role does not allow this change of this task.", {
      hint: "Claim the task to work on it, or ask a lead.",
    });
  return null;
}

/** Who held the task's present epoch. */
export function builderOf(ctx: Context, task: TaskRow): string | null {
  return findExecution(ctx.sql, task.id, task.epoch)?.agent_id ?? task.assignee_agent_id;
}

function outdated(ctx: Context, task: TaskRow, input: ChangeTask): Refusal | null {
  const behind =
    (input.ifVersion !== null && input.ifVersion !== task.version) ||
    (input.ifChangeSeq !== null && input.ifChangeSeq !== task.change_seq);
  if (!behind) return null;
  return refuse("version_mismatch", "The task has changed since you read it.", {
    task: viewOne(ctx, task),
    hint: "Look at the current task and decide anew.",
  });
}

function blockedMove(ctx: Context, task: TaskRow, to: TaskStatus, override: boolean): Refusal | null {
  if (!canTransition(task.status, to))
    return refuse("illegal_transition", `A task in ${task.status} cannot move to ${to}.`, {
      legalTargets: legalTargets(task.status),
    });
  if (override) return null;
  const needsBlockersDone = to === "done" || to === "in_progress";
  const waiting = needsBlockersDone ? openBlockers(ctx, task) : null;
  return waiting ?? (to === "done" ? unverified(ctx, task) : null);
}
