import { accept, type Result, refuse } from "../../contract/result.ts";
import type { Task } from "../../contract/task.ts";
import { legalTargets } from "../../rules/status.ts";
import { type Context, isLead } from "../context.ts";
import { insertComments, nextCommentNumber, viewComment } from "../store/comments.ts";
import type { CommentRow } from "../store/rows.ts";
import { runningExecution } from "../store/running.ts";
import { moveTasks } from "../store/tasks.ts";
import { viewOne } from "../view.ts";
import { builderOf } from "./change-task.ts";
import { requireStanding } from "./find-task.ts";
import { moved } from "./move-task.ts";

/**
 * Sends a task back from its review. A holder who waits goes on with it; without one it is offered again, and
 * the notes are what the next claim is handed.
 */
export function requestChanges(ctx: Context, input: { id: string; notes: string }): Result<{ task: Task }> {
  const found = requireStanding(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  if (builderOf(ctx, task) === ctx.caller.sub && !isLead(ctx))
    return refuse("self_review", "Nobody reviews his own work.");
  if (task.status !== "in_review")
    return refuse(
      "illegal_transition",
      `Changes are requested of a task in review; this one is ${task.status}.`,
      {
        legalTargets: legalTargets(task.status),
      },
    );
  const running = runningExecution(ctx.sql, task.id);
  const seq = ctx.log.reserve();
  const to = running === null ? "todo" : "in_progress";
  const move = { now: ctx.now, changeSeq: seq, touches: true };
  // in_review to todo takes two legal steps, in one write.
  const after = { ...moved(task, to, move), changes_notes: running === null ? input.notes : null };
  moveTasks(ctx.sql, [{ before: task, after }]);
  const comment: CommentRow = {
    number: nextCommentNumber(ctx.sql),
    task_id: task.id,
    author_id: ctx.caller.sub,
    body: input.notes,
    created_at: ctx.now,
    tenant_id: task.tenant_id,
  };
  insertComments(ctx.sql, [comment]);
  ctx.log.append({
    seq,
    kind: running === null ? "task_released" : "changes_requested",
    taskId: task.id,
    epoch: task.epoch,
    tenantId: task.tenant_id,
    data: {
      ...(running === null ? { via: "changes" } : {}),
      from: task.status,
      to,
      notes: input.notes,
      comment: viewComment(comment),
    },
  });
  return accept({ task: viewOne(ctx, after) });
}
