/** A status move that has passed every check: the row, the run it ends, the dependents, one event. */
import { accept, type Result } from "../../contract/result.ts";
import type { ExecutionStatus } from "../../contract/task.ts";
import type { TaskStatus } from "../../rules/status.ts";
import { isLocked } from "../../rules/status.ts";
import { audit, type Context } from "../context.ts";
import type { ExecutionRow, TaskRow } from "../store/rows.ts";
import { moveTasks } from "../store/tasks.ts";
import type { ContentChange } from "./edit-content.ts";
import { endExecution } from "./end-execution.ts";
import { moved } from "./move-task.ts";
import { NOTHING_SETTLED, settleCancelled, settleDone } from "./settle-dependents.ts";

export interface StatusChange {
  running: ExecutionRow | null;
  /** The caller proved its lease; otherwise a running execution is somebody else's. */
  heldByCaller: boolean;
  override: boolean;
  reason: string | null;
  blockedReason: string | null;
  /** What the same request edited, told in the same event. */
  fields: ContentChange | null;
}

export function changeStatus(
  ctx: Context,
  task: TaskRow,
  to: TaskStatus,
  change: StatusChange,
): Result<TaskRow> {
  const { running } = change;
  const displaced = running !== null && !change.heldByCaller;
  const ends = running !== null && (displaced || !isLocked(to));
  const seq = ctx.log.reserve();
  const after = moved(task, to, {
    now: ctx.now,
    changeSeq: seq,
    touches: true,
    blockedReason: change.blockedReason,
    ...(to === "in_progress" ? { holder: ctx.caller.sub } : {}),
    ...(task.status === "blocked" && to === "todo" ? { attemptStreak: 0 } : {}),
    ...(to === "done" && change.heldByCaller ? { attemptStreak: 0 } : {}),
  });
  moveTasks(ctx.sql, [{ before: task, after }]);
  const ended = ends ? endExecution(ctx, running, endingFor(to, displaced)) : null;
  const settled =
    to === "done"
      ? settleDone(ctx, after)
      : to === "cancelled"
        ? settleCancelled(ctx, [after])
        : NOTHING_SETTLED;
  if ("ok" in settled) return settled;
  recordPrivileges(ctx, task, to, change, displaced);
  const released = displaced && (to === "todo" || to === "blocked");
  ctx.log.append({
    seq,
    kind: released ? "task_released" : "status_changed",
    taskId: task.id,
    epoch: task.epoch,
    tenantId: task.tenant_id,
    data: {
      ...(released ? { via: "displace" } : {}),
      from: task.status,
      to,
      reason: change.reason,
      blockedReason: after.blocked_reason,
      attemptStreak: after.attempt_streak,
      unblockedCount: settled.unblockedCount,
      ...(to === "in_progress" ? { holder: ctx.caller.sub } : {}),
      ...(change.override ? { override: true } : {}),
      ...(ended === null ? {} : { execution: { id: ended.id, status: ended.status } }),
      ...(change.fields === null ? {} : { fields: change.fields, version: after.version }),
    },
  });
  return accept(after);
}

function endingFor(
  to: TaskStatus,
  displaced: boolean,
): { status: Exclude<ExecutionStatus, "running">; reason: string | null } {
  if (to === "cancelled") return { status: "cancelled", reason: null };
  if (displaced) return { status: "cancelled", reason: "displaced" };
  return { status: to === "done" ? "succeeded" : "released", reason: null };
}

function recordPrivileges(
  ctx: Context,
  task: TaskRow,
  to: TaskStatus,
  change: StatusChange,
  displaced: boolean,
): void {
  const about = { task, reason: change.reason, data: { to } };
  if (change.override) audit(ctx, "human_override", about);
  if (displaced)
    audit(ctx, to === "cancelled" ? "cancel_held" : "displace", {
      ...about,
      data: { to, holder: change.running?.agent_id, epoch: change.running?.epoch },
    });
}
