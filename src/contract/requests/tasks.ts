/** What callers send about tasks, their edges, comments and verdicts. */
import * as z from "zod";
import * as limits from "../limits.ts";
import { ON_CANCEL, taskStatus } from "../task.ts";
import {
  agentId,
  filledText,
  label,
  labels,
  leaseToken,
  longText,
  money,
  priority,
  reference,
  taskId,
  text,
  time,
  title,
} from "../text.ts";
import { verification } from "../verification.ts";

const newTaskFields = {
  title,
  description: longText.optional(),
  status: z.enum(["backlog", "todo", "blocked"]).optional(),
  priority: priority.optional(),
  labels: labels.optional(),
  kind: label.optional(),
  requiredCapabilities: labels.optional(),
  notBefore: time.optional(),
  budgetUsd: money.optional(),
  teamId: reference.optional(),
  assigneeRuntime: agentId.optional(),
  sourceDelegationId: reference.optional(),
  parentSessionId: reference.optional(),
  scheduledBy: reference.optional(),
  externalRef: reference.optional(),
  tenantId: reference.optional(),
};

export const createTaskBody = z
  .strictObject({
    ...newTaskFields,
    parentTaskId: taskId.optional(),
    dependsOn: z.array(taskId).max(limits.INCLUDED_MAX).optional(),
  })
  .meta({ id: "CreateTask" });

const planRef = filledText(200);

export const createPlanBody = z
  .strictObject({
    tasks: z
      .array(
        z.strictObject({
          ref: planRef.meta({ description: "Names the task within this plan" }),
          ...newTaskFields,
          parentRef: planRef.optional(),
          parentTaskId: taskId.optional(),
          dependsOn: z
            .array(planRef)
            .max(limits.PLAN_MAX_EDGES)
            .optional()
            .meta({ description: "Refs of this plan, or ids of tasks on the board" }),
        }),
      )
      .min(1)
      .max(limits.PLAN_MAX_TASKS),
    dryRun: z.boolean().optional(),
  })
  .superRefine((plan, check) => {
    const seen = new Set<string>();
    let edges = 0;
    for (const [index, task] of plan.tasks.entries()) {
      const fault = (field: string, message: string) =>
        check.addIssue({ code: "custom", path: ["tasks", index, field], message });
      if (seen.has(task.ref)) fault("ref", "stands twice in the plan");
      seen.add(task.ref);
      if (task.parentRef !== undefined && task.parentTaskId !== undefined)
        fault("parentRef", "goes without parentTaskId");
      edges += task.dependsOn?.length ?? 0;
    }
    if (edges > limits.PLAN_MAX_EDGES)
      check.addIssue({
        code: "custom",
        path: ["tasks"],
        message: `may have at most ${limits.PLAN_MAX_EDGES} edges together`,
      });
  })
  .meta({ id: "CreatePlan" });

export const changeTaskBody = z
  .strictObject({
    status: taskStatus.optional(),
    title: title.optional(),
    description: longText.optional(),
    priority: priority.optional(),
    labels: labels.optional(),
    kind: label.nullable().optional(),
    teamId: reference.nullable().optional(),
    requiredCapabilities: labels.optional(),
    notBefore: time.nullable().optional(),
    parentTaskId: taskId.nullable().optional(),
    externalRef: reference.nullable().optional(),
    budgetUsd: money.nullable().optional(),
    blockedReason: text(limits.TEXT_MAX).nullable().optional(),
    leaseToken: leaseToken.optional(),
    humanOverride: z.boolean().optional(),
    overrideReason: longText.optional(),
    displace: z.boolean().optional(),
  })
  .meta({ id: "ChangeTask" });

export const linkDependencyBody = z
  .strictObject({ dependsOnTaskId: taskId, onCancel: z.enum(ON_CANCEL).default("hold") })
  .meta({ id: "LinkDependency" });

export const emptyBody = z.strictObject({}).meta({ id: "Empty" });

export const addCommentBody = z
  .strictObject({ body: filledText(limits.TEXT_MAX) })
  .meta({ id: "AddComment" });

export const setVerificationBody = z
  .strictObject({
    epoch: z.int().min(0),
    result: verification,
    leaseToken: leaseToken.optional(),
  })
  .meta({ id: "SetVerification" });
