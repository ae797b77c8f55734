import { accept, type Result } from "../../contract/result.ts";
import type { Task } from "../../contract/task.ts";
import { isLocked } from "../../rules/status.ts";
import { audit, type Context } from "../context.ts";
import type { TaskRow } from "../store/rows.ts";
import { runningExecution } from "../store/running.ts";
import { moveTasks } from "../store/tasks.ts";
import { viewOne } from "../view.ts";
import { takenReference } from "./edit-content.ts";
import { endExecution } from "./end-execution.ts";
import { requireTask } from "./find-task.ts";
import { moved } from "./move-task.ts";

/** A soft delete. A task somebody works on is stored as `todo`, so that a restore never revives a holder. */
export function dropTask(ctx: Context, id: string): Result<{ task: Task }> {
  const found = requireTask(ctx, id);
  if (!found.ok) return found;
  const { task } = found;
  if (task.dropped === 1) return accept({ task: viewOne(ctx, task) });
  const running = runningExecution(ctx.sql, task.id);
  const seq = ctx.log.reserve();
  const kept = isLocked(task.status)
    ? moved(task, "todo", { now: ctx.now, changeSeq: seq, touches: true })
    : { ...task, updated_at: ctx.now, change_seq: seq };
  const after: TaskRow = { ...kept, dropped: 1 };
  moveTasks(ctx.sql, [{ before: task, after }]);
  if (running !== null) {
    endExecution(ctx, running, { status: "cancelled", reason: "dropped" });
    audit(ctx, "drop_held", { task, data: { holder: running.agent_id, epoch: running.epoch } });
  } else audit(ctx, "task_dropped", { task });
  ctx.log.append({
    seq,
    kind: "task_dropped",
    taskId: task.id,
    tenantId: task.tenant_id,
    data: {
      from: task.status,
      to: after.status,
      ...(running === null ? {} : { execution: { id: running.id, status: "cancelled" } }),
    },
  });
  return accept({ task: viewOne(ctx, after) });
}

export function restoreTask(ctx: Context, id: string): Result<{ task: Task }> {
  const found = requireTask(ctx, id);
  if (!found.ok) return found;
  const { task } = found;
  if (task.dropped === 0) return accept({ task: viewOne(ctx, task) });
  const clash = task.external_ref === null ? null : takenReference(ctx, task.external_ref);
  if (clash !== null) return clash;
  const seq = ctx.log.reserve();
  const after: TaskRow = {
    ...task,
    dropped: 0,
    updated_at: ctx.now,
    ready_since: ctx.now,
    change_seq: seq,
  };
  moveTasks(ctx.sql, [{ before: task, after }]);
  audit(ctx, "task_restored", { task });
  ctx.log.append({
    seq,
    kind: "task_restored",
    taskId: task.id,
    tenantId: task.tenant_id,
    data: { status: after.status },
  });
  return accept({ task: viewOne(ctx, after) });
}
