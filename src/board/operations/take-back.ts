/** Ends somebody's run and gives the task back: what a revoked token or a dead fleet leaves behind. */
import type { ReleasedVia } from "../../contract/events.ts";
import type { Context } from "../context.ts";
import type { ExecutionRow } from "../store/rows.ts";
import { findTask, moveTasks } from "../store/tasks.ts";
import { type Ending, endExecution } from "./end-execution.ts";
import { moved } from "./move-task.ts";

export interface TakeBack extends Ending {
  via: ReleasedVia;
  /** A task in review otherwise stays there, free for its reviewer. */
  evenInReview?: boolean;
}

export function takeBack(ctx: Context, execution: ExecutionRow, ending: TakeBack): void {
  endExecution(ctx, execution, ending);
  const task = findTask(ctx.sql, execution.task_id);
  if (task === null) return;
  const seq = ctx.log.reserve();
  const released =
    task.status === "in_progress" || (task.status === "in_review" && ending.evenInReview === true);
  const to = released ? "todo" : task.status;
  const after = moved(task, to, { now: ctx.now, changeSeq: seq, touches: false });
  moveTasks(ctx.sql, [{ before: task, after }]);
  ctx.log.append({
    seq,
    kind: "task_released",
    taskId: task.id,
    epoch: execution.epoch,
    tenantId: task.tenant_id,
    data: {
      via: ending.via,
      from: task.status,
      to,
      execution: { id: execution.id, status: ending.status },
    },
  });
}
