import { MAX_DEPENDENTS } from "../../contract/limits.ts";
import { accept, type Refusal, type Result, refuse } from "../../contract/result.ts";
import type { OnCancel, Task } from "../../contract/task.ts";
import { findCycle } from "../../rules/graph.ts";
import { isEdgeSatisfied } from "../../rules/readiness.ts";
import { isTerminal } from "../../rules/status.ts";
import { type Context, isLead } from "../context.ts";
import {
  addOpen,
  countDependents,
  deleteDependency,
  findDependency,
  insertDependencies,
  isUpstream,
  upstreamEdges,
} from "../store/dependencies.ts";
import type { TaskRow } from "../store/rows.ts";
import { findTask, saveChangeSeq } from "../store/tasks.ts";
import { viewOne } from "../view.ts";
import { dependentCap } from "./create-task.ts";
import { requireStanding } from "./find-task.ts";

export interface LinkDependency {
  id: string;
  dependsOnTaskId: string;
  onCancel: OnCancel;
}

export interface Linked {
  task: Task;
  created: boolean;
}

/** Makes a task wait for another. Probe and insert share the transaction, so no two links close a cycle. */
export function linkDependency(ctx: Context, input: LinkDependency): Result<Linked> {
  const found = requireStanding(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  const blocker = findTask(ctx.sql, input.dependsOnTaskId);
  if (blocker === null) return refuse("dependency_not_found", "The task to wait for is not on this board.");
  const stranger = mayLink(ctx, task);
  if (stranger !== null) return stranger;
  if (findDependency(ctx.sql, task.id, blocker.id) !== null)
    return accept({ task: viewOne(ctx, task), created: false });
  if (isTerminal(task.status))
    return refuse("terminal", `The task is ${task.status}; nothing can hold it up any more.`, {
      taskStatus: task.status,
    });
  if (task.id === blocker.id) return cycle([task.id, task.id]);
  if (isUpstream(ctx.sql, blocker.id, task.id)) return cycle(cyclePath(ctx, task, blocker));
  if ((countDependents(ctx.sql, [blocker.id]).get(blocker.id) ?? 0) >= MAX_DEPENDENTS)
    return dependentCap(blocker);
  const seq = ctx.log.reserve();
  insertDependencies(ctx.sql, [
    {
      task_id: task.id,
      depends_on_task_id: blocker.id,
      on_cancel: input.onCancel,
      created_at: ctx.now,
      tenant_id: task.tenant_id,
    },
  ]);
  const open = !isEdgeSatisfied(blocker.status, input.onCancel);
  if (open) addOpen(ctx.sql, task.id, 1, task.ready_since);
  return accept({
    task: record(ctx, task, seq, "dependency_linked", blocker.id, input.onCancel),
    created: true,
  });
}

/** Takes the edge away; without one, nothing changes. */
export function unlinkDependency(
  ctx: Context,
  input: { id: string; dependsOnTaskId: string },
): Result<{ task: Task }> {
  const found = requireStanding(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  const blocker = findTask(ctx.sql, input.dependsOnTaskId);
  if (blocker === null) return refuse("dependency_not_found", "The task to wait for is not on this board.");
  const stranger = mayLink(ctx, task);
  if (stranger !== null) return stranger;
  const edge = deleteDependency(ctx.sql, task.id, blocker.id);
  if (edge === null) return accept({ task: viewOne(ctx, task) });
  const seq = ctx.log.reserve();
  const open = !isEdgeSatisfied(blocker.status, edge.on_cancel);
  if (open) addOpen(ctx.sql, task.id, -1, ctx.now);
  return accept({ task: record(ctx, task, seq, "dependency_unlinked", blocker.id) });
}

function record(
  ctx: Context,
  task: TaskRow,
  seq: number,
  kind: "dependency_linked" | "dependency_unlinked",
  dependsOnTaskId: string,
  onCancel?: OnCancel,
): Task {
  saveChangeSeq(ctx.sql, task.number, seq);
  const after = findTask(ctx.sql, task.id) as TaskRow;
  ctx.log.append({
    seq,
    kind,
    taskId: task.id,
    tenantId: task.tenant_id,
    data: {
      dependsOnTaskId,
      ...(onCancel === undefined ? {} : { onCancel }),
      openDependencies: after.open_deps,
    },
  });
  return viewOne(ctx, after);
}

/** A worker links the tasks it holds or created. */
function mayLink(ctx: Context, task: TaskRow): Refusal | null {
  const own = task.assignee_agent_id === ctx.caller.sub || task.created_by === ctx.caller.sub;
  if (own || isLead(ctx)) return null;
  return refuse("forbidden", "You may link only tasks you hold or created.", { hint: "Ask a lead." });
}

function cycle(path: string[]): Refusal {
  return refuse("task_dependency_cycle", "These tasks would wait for each other for ever.", {
    path,
    hint: "Unlink one edge of the path first.",
  });
}

function cyclePath(ctx: Context, task: TaskRow, blocker: TaskRow): string[] {
  const edges = upstreamEdges(ctx.sql, [blocker.id]);
  edges.set(task.id, [...(edges.get(task.id) ?? []), blocker.id]);
  return findCycle(new Map([[task.id, [blocker.id]], ...edges])) ?? [task.id, blocker.id, task.id];
}
