import { accept, type Result, refuse } from "../../contract/result.ts";
import type { LeaseProof } from "../../contract/roles.ts";
import type { Execution, Handoff, Task, TaskRef } from "../../contract/task.ts";
import { afterFailedAttempt } from "../../rules/attempts.ts";
import { leaseState } from "../../rules/lease.ts";
import { canTransition, legalTargets, type TaskStatus } from "../../rules/status.ts";
import { type Context, isLead } from "../context.ts";
import type { ExecutionRow, TaskRow } from "../store/rows.ts";
import { moveTasks } from "../store/tasks.ts";
import { viewExecution, viewOne } from "../view.ts";
import { attemptsOf } from "./attempts.ts";
import { openBlockers, unverified } from "./done-gate.ts";
import { endExecution } from "./end-execution.ts";
import { requireStanding } from "./find-task.ts";
import { endedByCaller, requireLease } from "./lease-check.ts";
import { moved } from "./move-task.ts";
import { NOTHING_SETTLED, type Settled, settleDone } from "./settle-dependents.ts";
import { tellRun } from "./spending.ts";

export interface CompleteTask {
  id: string;
  lease: LeaseProof | null;
  outcome: "succeeded" | "failed";
  status: "in_review" | "done" | "todo" | "blocked";
  summary?: string;
  error?: string;
  /** Where the work began, for whoever did not know it when claiming. */
  beforeCommit?: string;
  afterCommit?: string;
  inputTokens?: number;
  outputTokens?: number;
  cacheRead?: number;
  cacheWrite?: number;
  costUsd?: number;
  blockedReason?: string;
  handoff?: Handoff;
}

export interface Completion {
  task: Task;
  execution: Execution;
  unblocked: TaskRef[];
  unblockedCount: number;
  /** The lease had run out and nobody else had the task yet, so the work counts. */
  late?: true;
}

/** What is kept of an accepted completion, to answer a repeat of it. */
interface Recorded extends Settled {
  asked: TaskStatus;
  late: boolean;
}

/** Ends the run with the holder's word for it. The same word again is answered again; another one is refused. */
export function completeTask(ctx: Context, input: CompleteTask): Result<Completion> {
  const found = requireStanding(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  const held = requireLease(ctx, task, input.lease);
  if (!held.ok) return repeated(ctx, task, input) ?? held;
  const { execution } = held;
  const { status } = input;
  const ownReview = task.status === "in_review" && status === "done" && !isLead(ctx);
  if (ownReview) return refuse("self_review", "Nobody moves his own work from in_review to done.");
  if (!canTransition(task.status, status))
    return refuse("illegal_transition", `A task in ${task.status} cannot move to ${status}.`, {
      legalTargets: legalTargets(task.status),
    });
  const gate = status === "done" ? (openBlockers(ctx, task) ?? unverified(ctx, task)) : null;
  return gate ?? finish(ctx, task, execution, input);
}

function finish(
  ctx: Context,
  task: TaskRow,
  execution: ExecutionRow,
  input: CompleteTask,
): Result<Completion> {
  const failed = input.outcome === "failed";
  const retry = failed
    ? afterFailedAttempt(task.attempt_streak, ctx.board.settings, ctx.now, ctx.random())
    : null;
  // A failure that asks for another try gets the next slot of the backoff, or waits for a person.
  const retried = input.status === "todo" && retry !== null;
  const limited = retried && retry.status === "blocked";
  const status: TaskStatus = retried ? retry.status : input.status;
  const seq = ctx.log.reserve();
  const after = moved(task, status, {
    now: ctx.now,
    changeSeq: seq,
    touches: true,
    blockedReason: limited ? "attempt_limit" : (input.blockedReason ?? null),
    attemptStreak: retry?.streak ?? 0,
    ...(retried ? { notBefore: retry.notBefore } : {}),
  });
  moveTasks(ctx.sql, [{ before: task, after }]);
  const settled = status === "done" ? settleDone(ctx, after) : NOTHING_SETTLED;
  const late = leaseState(execution.last_beat_at, ctx.board.settings.leaseTtlMs, ctx.now) === "expired";
  const recorded: Recorded = { ...settled, asked: input.status, late };
  const closed = endExecution(ctx, execution, {
    status: input.outcome,
    report: {
      summary: input.summary ?? null,
      error: input.error ?? null,
      before_commit: input.beforeCommit ?? execution.before_commit,
      after_commit: input.afterCommit ?? null,
      input_tokens: input.inputTokens ?? 0,
      output_tokens: input.outputTokens ?? 0,
      cache_read: input.cacheRead ?? 0,
      cache_write: input.cacheWrite ?? 0,
      cost_usd: input.costUsd ?? 0,
      handoff: input.handoff === undefined ? null : JSON.stringify(input.handoff),
      completion: JSON.stringify(recorded),
    },
  });
  ctx.log.append({
    seq,
    kind: "execution_completed",
    taskId: task.id,
    epoch: execution.epoch,
    tenantId: task.tenant_id,
    data: {
      executionId: execution.id,
      status: closed.status,
      from: task.status,
      to: status,
      summary: closed.summary,
      error: closed.error,
      beforeCommit: closed.before_commit,
      afterCommit: closed.after_commit,
      blockedReason: after.blocked_reason,
      attemptStreak: after.attempt_streak,
      notBefore: after.not_before,
      unblockedCount: settled.unblockedCount,
      ...(late ? { late } : {}),
      ...(limited ? { attempts: attemptsOf(ctx, task.id) } : {}),
    },
  });
  return accept(viewCompletion(ctx, tellRun(ctx, after, closed), closed, recorded));
}

/** After the run was completed: the same word again is fine, another word is too late. */
function repeated(ctx: Context, task: TaskRow, input: CompleteTask): Result<Completion> | null {
  const execution = endedByCaller(ctx, task, input.lease);
  if (execution === null || execution.completion === null) return null;
  const recorded: Recorded = JSON.parse(execution.completion);
  if (execution.status !== input.outcome || recorded.asked !== input.status)
    return refuse("already_closed", `This run was completed as ${execution.status} to ${recorded.asked}.`, {
      taskStatus: task.status,
      hint: "Its first outcome stands.",
    });
  return accept(viewCompletion(ctx, task, execution, recorded));
}

function viewCompletion(
  ctx: Context,
  task: TaskRow,
  execution: ExecutionRow,
  recorded: Recorded,
): Completion {
  return {
    task: viewOne(ctx, task),
    execution: viewExecution(execution),
    unblocked: recorded.unblocked,
    unblockedCount: recorded.unblockedCount,
    ...(recorded.late ? { late: true as const } : {}),
  };
}
