/** What leads, reviewers and holders send to steer work: stops, changes, runs closed by hand, workspaces. */
import * as z from "zod";
import { RECOVERY_BOUND_MS } from "../limits.ts";
import { STOP_MODES, WORKSPACE_STATUSES } from "../task.ts";
import { count, filledText, label, leaseToken, longText, money, reference, text, time } from "../text.ts";

export const stopTaskBody = z
  .strictObject({ mode: z.enum(STOP_MODES), reason: filledText(2_000) })
  .meta({ id: "StopTask" });

export const requestChangesBody = z
  .strictObject({ notes: filledText(20_000) })
  .meta({ id: "RequestChanges" });

export const closeExecutionBody = z
  .strictObject({
    leaseToken: leaseToken.optional(),
    status: z.enum(["succeeded", "failed", "timed_out", "cancelled"]),
    summary: longText.optional(),
    error: longText.optional(),
    afterCommit: text(128).optional(),
    inputTokens: count.optional(),
    outputTokens: count.optional(),
    cacheRead: count.optional(),
    cacheWrite: count.optional(),
    costUsd: money.optional(),
  })
  .meta({ id: "CloseExecution" });

export const reconcileBody = z
  .strictObject({
    pass: z.enum(["stale", "orphans"]),
    staleAfterMs: z.int().min(0).max(RECOVERY_BOUND_MS).optional(),
  })
  .meta({ id: "Reconcile" });

export const createWorkspaceBody = z
  .strictObject({
    repoPath: filledText(4_096),
    branch: reference.optional(),
    worktreePath: filledText(4_096).optional(),
    baseSha: text(128).optional(),
    kind: label.optional(),
    leaseToken: leaseToken.optional(),
  })
  .meta({ id: "CreateWorkspace" });

export const changeWorkspaceBody = z
  .strictObject({
    status: z.enum(WORKSPACE_STATUSES),
    lastUsedAt: time.optional(),
    leaseToken: leaseToken.optional(),
  })
  .meta({ id: "ChangeWorkspace" });
