/** Why a claim lost, told so that the caller knows its next call. Never shows a token. */
import { BLOCKERS_SHOWN } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/result.ts";
import { isTooDeep } from "../../rules/caps.ts";
import { type Claimant, claimObstacle, missingCapabilities } from "../../rules/claim.ts";
import { leaseDue } from "../../rules/next-alarm.ts";
import { isTerminal } from "../../rules/status.ts";
import type { Context } from "../context.ts";
import { openBlockersOf } from "../store/dependencies.ts";
import { getAncestors } from "../store/hierarchy.ts";
import type { TaskRow } from "../store/rows.ts";
import { runningExecution } from "../store/running.ts";
import { viewLease, viewRef } from "../view.ts";

/** What keeps this claimant from a task that is open to claims, or null. */
export function obstacleToClaim(
  ctx: Context,
  task: TaskRow,
  claimant: Claimant,
  ignoreDepth: boolean,
): Refusal | null {
  const requiredCapabilities: string[] = JSON.parse(task.required_capabilities);
  const claimable = {
    openDependencies: task.open_deps,
    notBefore: task.not_before,
    requiredCapabilities,
    assigneeRuntime: task.assignee_runtime,
  };
  switch (claimObstacle(claimable, claimant, ctx.now)) {
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
        missing: missingCapabilities({ requiredCapabilities }, claimant),
        hint: "Ask for the next ready task: it skips what you may not claim.",
      });
    case "runtime_mismatch":
      return refuse("runtime_mismatch", "The task is reserved for another runtime.", {
        assigneeRuntime: task.assignee_runtime,
        hint: "Ask for the next ready task: it skips what you may not claim.",
      });
    case null:
      break;
  }
  if (task.parent_task_id !== null && !ignoreDepth) {
    const ancestors = getAncestors(ctx.sql, task.parent_task_id).length;
    if (isTooDeep(ctx.board.settings.caps, ancestors))
      return refuse("depth_cap", "The task lies deeper under its ancestors than this board lets run.", {
        ancestors,
        maxDepth: ctx.board.settings.caps.maxDepth,
        hint: "A lead may claim it with ignoreDepth, or raise caps.maxDepth.",
      });
  }
  return null;
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
      holder:
        task.assignee_agent_id === null || task.status !== "in_progress"
          ? null
          : {
              agentId: task.assignee_agent_id,
              epoch: task.epoch,
              heartbeatAt: null,
              expiresAt: null,
              state: "no_lease",
            },
      hint: "Ask for the next ready task.",
    });
  const { state, expiresAt } = viewLease(ctx, execution);
  const swept = leaseDue(
    { ...ctx.board.settings, lastSweepAt: ctx.board.lastSweepAt },
    execution.last_beat_at,
  );
  return refuse("conflict", `The task is held by ${execution.agent_id}.`, {
    taskStatus: task.status,
    holder: {
      agentId: execution.agent_id,
      epoch: execution.epoch,
      heartbeatAt: execution.last_beat_at,
      expiresAt,
      state,
    },
    ...(state === "expired" ? { retryAfterMs: Math.max(swept - ctx.now, 1_000) } : {}),
    hint:
      state === "expired"
        ? "Its lease has run out; the next sweep frees it. Ask for the next ready task meanwhile."
        : "Somebody works on it. Ask for the next ready task.",
  });
}
