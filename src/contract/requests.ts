/** What callers send: strict, so that an unknown key is an error and not a surprise. */
import * as z from "zod";
import * as limits from "./limits.ts";
import { TOKEN_ROLES } from "./roles.ts";
import { settingsChange } from "./settings.ts";
import { handoff, ON_CANCEL, taskStatus } from "./task.ts";
import {
  agentId,
  boardId,
  count,
  filledText,
  label,
  labels,
  leaseToken,
  longText,
  money,
  priority,
  reference,
  text,
  time,
  title,
} from "./text.ts";
import { verification } from "./verification.ts";

const taskId = z.string().min(1).max(64).meta({ description: "A uuid, or n and the number" });

export const createBoardBody = z
  .strictObject({
    id: boardId.optional().meta({ description: "Made from the name when it is not given" }),
    name: filledText(limits.NAME_MAX),
    settings: settingsChange.optional(),
    locationHint: z
      .enum(["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"])
      .optional()
      .meta({ description: "Where the board is placed when it is first used" }),
  })
  .meta({ id: "CreateBoard" });

export const changeBoardBody = z
  .strictObject({
    name: filledText(limits.NAME_MAX).optional(),
    settings: settingsChange.optional(),
    paused: z.boolean().optional(),
    archived: z.boolean().optional(),
  })
  .meta({ id: "ChangeBoard" });

export const mintTokenBody = z
  .strictObject({
    agentId,
    role: z.enum(TOKEN_ROLES),
    runtime: agentId.optional(),
    capabilities: labels.optional(),
    expiresInS: z.int().min(1).max(limits.TOKEN_LIFETIME_MAX_S).optional(),
  })
  .meta({ id: "MintToken" });

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

const run = {
  runtime: agentId.optional(),
  executorType: label.optional(),
  runReason: longText.optional(),
  beforeCommit: text(128).optional(),
};

export const claimTaskBody = z
  .strictObject({
    ...run,
    assigneeAgentId: agentId.optional(),
    ignoreDependencies: z.boolean().optional(),
    ignoreDepth: z.boolean().optional(),
  })
  .meta({ id: "ClaimTask" });

export const startExecutionBody = z.strictObject(run).meta({ id: "StartExecution" });

export const claimNextBody = z
  .strictObject({
    limit: z.int().min(1).max(limits.CLAIM_MAX).default(1),
    runtime: agentId.optional(),
    teamId: reference.optional(),
    labels: labels.optional(),
    kind: label.optional(),
    parentTaskId: taskId.optional(),
    waitMs: z.int().min(0).max(limits.WAIT_MAX_MS).default(0),
  })
  .meta({ id: "ClaimNext" });

const usage = z
  .strictObject({
    inputTokens: count.optional(),
    outputTokens: count.optional(),
    costUsd: money.optional(),
  })
  .meta({ id: "Usage", description: "Since the last beat that carried usage" });

export const heartbeatBody = z
  .strictObject({
    leaseToken: leaseToken.optional(),
    progress: text(2_000).optional(),
    usage: usage.optional(),
  })
  .meta({ id: "Heartbeat" });

export const heartbeatsBody = z
  .strictObject({
    leases: z
      .array(z.strictObject({ taskId, leaseToken: leaseToken.optional(), usage: usage.optional() }))
      .min(1)
      .max(limits.HEARTBEAT_BATCH_MAX),
  })
  .meta({ id: "Heartbeats" });

export const completeTaskBody = z
  .strictObject({
    leaseToken: leaseToken.optional(),
    outcome: z.enum(["succeeded", "failed"]),
    status: z.enum(["in_review", "done", "todo", "blocked"]),
    summary: longText.optional(),
    error: longText.optional(),
    afterCommit: text(128).optional(),
    inputTokens: count.optional(),
    outputTokens: count.optional(),
    cacheRead: count.optional(),
    cacheWrite: count.optional(),
    costUsd: money.optional(),
    blockedReason: longText.optional(),
    handoff: handoff.optional(),
  })
  .superRefine((body, check) => {
    const fits =
      body.outcome === "succeeded"
        ? body.status === "in_review" || body.status === "done"
        : body.status !== "done";
    if (!fits)
      check.addIssue({
        code: "custom",
        path: ["status"],
        message:
          body.outcome === "succeeded"
            ? "succeeded goes to in_review or done"
            : "failed goes to todo, blocked or in_review",
      });
  })
  .meta({ id: "CompleteTask" });

export const releaseTaskBody = z
  .strictObject({
    leaseToken: leaseToken.optional(),
    reason: longText.optional(),
    handoff: handoff.optional(),
  })
  .meta({ id: "ReleaseTask" });

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
