/** Why a claim lost, told so that the caller knows its next call. Never shows a token. */
import type { Holder } from "../../contract/insight.ts";
import { BLOCKERS_SHOWN } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/result.ts";
import { isTooDeep } from "../../rules/caps.ts";
import { type Claimant, type ClaimObstacle, claimObstacles, missingCapabilities } from "../../rules/claim.ts";
import { expiresAt, leaseState } from "../../rules/lease.ts";
import { leaseDue } from "../../rules/next-alarm.ts";
import { isTerminal } from "../../rules/status.ts";
import type { Context } from "../context.ts";
import { openBlockersOf } from "../store/dependencies.ts";
import { getAncestors } from "../store/hierarchy.ts";
import type { ExecutionRow, TaskRow } from "../store/rows.ts";
import { runningExecution } from "../store/running.ts";
import { viewRef } from "../view.ts";
import { budgetObstacles } from "./spending.ts";

/**
 * Everything a claim of this task is refused for, in the order it is told: a claim tells the first, `explain` all
 * of it. What only a task on offer can be refused for is told of one in another status as if it were on offer.
 */
export function* refusalsOfClaim(
  ctx: Context,
  task: TaskRow,
  claimant: Claimant,
  ignoreDepth: boolean,
): Generator<Refusal> {
  if (ctx.board.paused) yield refuse("board_paused", "The board is paused: nothing is handed out.");
  const open = task.status === "todo" && task.assignee_agent_id === null;
  if (!open) yield explainConflict(ctx, task);
  // A terminal task has nothing more to be refused for; any other gives its runtime up on its way to todo.
  if (isTerminal(task.status)) return;
  yield* obstaclesToClaim(ctx, open ? task : { ...task, assignee_runtime: null }, claimant, ignoreDepth);
}

/** What keeps this claimant from a task that is open to claims, or null. */
export function obstacleToClaim(
  ctx: Context,
  task: TaskRow,
  claimant: Claimant,
  ignoreDepth: boolean,
): Refusal | null {
  const [first = null] = obstaclesToClaim(ctx, task, claimant, ignoreDepth);
  return first;
}

/** All that does, in the order it is told; each is worked out only when it is asked for. */
function* obstaclesToClaim(
  ctx: Context,
  task: TaskRow,
  claimant: Claimant,
  ignoreDepth: boolean,
): Generator<Refusal> {
  const requiredCapabilities: string[] = JSON.parse(task.required_capabilities);
  const claimable = {
    openDependencies: task.open_deps,
    notBefore: task.not_before,
    requiredCapabilities,
    assigneeRuntime: task.assignee_runtime,
  };
  for (const obstacle of claimObstacles(claimable, claimant, ctx.now))
    yield refuseFor(ctx, obstacle, task, missingCapabilities({ requiredCapabilities }, claimant));
  if (task.parent_task_id !== null && !ignoreDepth) {
    const ancestors = getAncestors(ctx.sql, task.parent_task_id).length;
    if (isTooDeep(ctx.board.settings.caps, ancestors))
      yield refuse("depth_cap", "The task lies deeper under its ancestors than this board lets run.", {
        ancestors,
        maxDepth: ctx.board.settings.caps.maxDepth,
        hint: "A lead may claim it with ignoreDepth, or raise caps.maxDepth.",
      });
  }
  yield* budgetObstacles(ctx, task);
}

function refuseFor(ctx: Context, obstacle: ClaimObstacle, task: TaskRow, missing: string[]): Refusal {
  switch (obstacle) {
    case "not_ready":
      return refuse("not_ready", "The task waits for tasks that are not done.", {
        openBlockers: openBlockersOf(ctx.sql, task.id, BLOCKERS_SHOWN).map(viewRef),
        hint: "Work on one of its open blockers, or ask for the next ready task.",
      });
    case "not_before":
      return refuse("not_before", "The task is not offered before its time.", {
        notBefore: task.not_before,
        retryAfterMs: Math.max(0, (task.not_before ?? ctx.now) - ctx.now),
        hint: "Ask for the next ready task.",
      });
    case "capability_mismatch":
      return refuse("capability_mismatch", "The task needs capabilities your token does not have.", {
        missing,
        hint: "Ask for the next ready task: it skips what you may not claim.",
      });
    case "runtime_mismatch":
      return refuse("runtime_mismatch", "The task is reserved for another runtime.", {
        assigneeRuntime: task.assignee_runtime,
        hint: "Ask for the next ready task: it skips what you may not claim.",
      });
  }
}

/** The task is not open to claims: held, finished, blocked or not on offer. */
export function explainConflict(ctx: Context, task: TaskRow): Refusal {
  if (isTerminal(task.status))
    return refuse("terminal", `The task is ${task.status}.`, {
      taskStatus: task.status,
      hint: "Ask for the next ready task.",
    });
  const execution = runningExecution(ctx.sql, task.id);
  if (execution === null)
    return refuse("conflict", `The task is ${task.status} and not open to claims.`, {
      taskStatus: task.status,
      holder: holderOf(ctx, task, null),
      hint: "Ask for the next ready task.",
    });
  const holder = holderOf(ctx, task, execution);
  const expired = holder?.state === "expired";
  const swept = leaseDue(
    { ...ctx.board.settings, lastSweepAt: ctx.board.lastSweepAt },
    execution.last_beat_at,
  );
  return refuse("conflict", `The task is held by ${execution.agent_id}.`, {
    taskStatus: task.status,
    holder,
    ...(expired ? { retryAfterMs: Math.max(swept - ctx.now, 1_000) } : {}),
    hint: expired
      ? "Its lease has run out; the next sweep frees it. Ask for the next ready task meanwhile."
      : "Somebody works on it. Ask for the next ready task.",
  });
}

/** Who works on a task: whose run it is, or who took the card by hand. */
export function holderOf(
  ctx: Context,
  task: Pick<TaskRow, "status" | "assignee_agent_id" | "epoch">,
  execution: Pick<ExecutionRow, "agent_id" | "epoch" | "last_beat_at"> | null,
): Holder | null {
  if (execution !== null) {
    const { agent_id: agentId, epoch, last_beat_at: heartbeatAt } = execution;
    const { leaseTtlMs } = ctx.board.settings;
    const state = leaseState(heartbeatAt, leaseTtlMs, ctx.now);
    return { agentId, epoch, heartbeatAt, expiresAt: expiresAt(heartbeatAt, leaseTtlMs), state };
  }
  if (task.assignee_agent_id === null || task.status !== "in_progress") return null;
  const agentId = task.assignee_agent_id;
  return { agentId, epoch: task.epoch, heartbeatAt: null, expiresAt: null, state: "no_lease" };
}
