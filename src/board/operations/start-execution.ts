import { accept, type Result, refuse } from "../../contract/result.ts";
import { isTerminal } from "../../rules/status.ts";
import type { Context } from "../context.ts";
import { runningExecution } from "../store/running.ts";
import { moveTasks } from "../store/tasks.ts";
import { explainConflict } from "./claim-refusal.ts";
import { requireStanding } from "./find-task.ts";
import { type Grant, handoffFor, openExecution, viewGrant } from "./grant.ts";
import { leaseRequired } from "./lease-check.ts";
import { budgetObstacles } from "./spending.ts";

export interface StartExecution {
  id: string;
  runtime?: string;
  executorType?: string;
  runReason?: string;
  beforeCommit?: string;
}

/** A lease, under a new epoch, for whoever holds a task without one: a lead who moved the card by hand. */
export function startExecution(ctx: Context, input: StartExecution): Result<Grant> {
  const found = requireStanding(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  if (runningExecution(ctx.sql, task.id) !== null)
    return refuse("already_running", "The task has a running execution.", { taskStatus: task.status });
  if (isTerminal(task.status)) return explainConflict(ctx, task);
  if (task.status !== "in_progress") return leaseRequired(task);
  if (task.assignee_agent_id !== ctx.caller.sub)
    return refuse("forbidden", "Only the one who holds the task may start a run of it.");
  const [spent] = budgetObstacles(ctx, task);
  if (spent !== undefined) return spent;
  const seq = ctx.log.reserve();
  const runtime = input.runtime ?? ctx.caller.runtime;
  const after = {
    ...task,
    epoch: task.epoch + 1,
    assignee_runtime: runtime,
    changes_notes: null,
    change_seq: seq,
  };
  moveTasks(ctx.sql, [{ before: task, after }]);
  const execution = openExecution(ctx, after, { ...input, agentId: ctx.caller.sub, runtime }, null);
  ctx.log.append({
    seq,
    kind: "execution_started",
    taskId: task.id,
    epoch: after.epoch,
    tenantId: task.tenant_id,
    data: { executionId: execution.id, agentId: ctx.caller.sub, runtime },
  });
  return accept(viewGrant(ctx, after, execution, handoffFor(ctx, task)));
}
