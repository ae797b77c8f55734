/** What callers send about claims and runs. A `leaseToken` is optional throughout: its absence is a 409, not a 400. */
import * as z from "zod";
import * as limits from "../limits.ts";
import { handoff } from "../task.ts";
import {
  agentId,
  count,
  label,
  labels,
  leaseToken,
  longText,
  money,
  reference,
  taskId,
  text,
} from "../text.ts";

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
    beforeCommit: text(128).optional(),
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
