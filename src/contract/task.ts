/** A task, its lease, its runs and its comments, as they look on the wire. */
import * as z from "zod";
import { TASK_STATUSES } from "../rules/status.ts";
import { CARD_REASON_CHARS, COMMAND_MAX } from "./limits.ts";
import { longText, text } from "./text.ts";
import { VERDICTS, verification } from "./verification.ts";

export const taskStatus = z.enum(TASK_STATUSES).meta({ id: "TaskStatus" });

const at = z.number().meta({ description: "Epoch milliseconds" });
const nullableText = z.string().nullable();

/** Who holds a task, without the token that proves it. */
export const heldLease = z
  .object({
    state: z.enum(["live", "expired"]),
    agentId: z.string(),
    epoch: z.number(),
    executionId: z.string(),
    expiresAt: at,
  })
  .meta({ id: "HeldLease" });

export const task = z
  .object({
    id: z.string(),
    number: z.number(),
    title: z.string(),
    description: z.string(),
    status: taskStatus,
    priority: z.number(),
    teamId: nullableText,
    assigneeAgentId: nullableText,
    assigneeRuntime: nullableText,
    parentTaskId: nullableText,
    sourceDelegationId: nullableText,
    worktreeRef: nullableText,
    branchRef: nullableText,
    costUsd: z.number().meta({ description: "Closed runs plus usage reported in beats" }),
    budgetUsd: z.number().nullable(),
    parentSessionId: nullableText,
    dropped: z.boolean(),
    tenantId: nullableText,
    verification: verification.nullable(),
    scheduledBy: nullableText,
    kind: nullableText,
    labels: z.array(z.string()),
    requiredCapabilities: z.array(z.string()),
    externalRef: nullableText,
    blockedReason: nullableText,
    notBefore: at.nullable(),
    openDependencies: z.number(),
    ready: z.boolean(),
    epoch: z.number().meta({ description: "Counts the claims; never reused" }),
    attemptStreak: z.number().meta({ description: "Attempts in a row that failed or timed out" }),
    version: z.number().meta({ description: "Counts content edits; the ETag" }),
    changeSeq: z.number().meta({ description: "The seq of the task's last event" }),
    lease: heldLease.nullable(),
    heartbeatAt: at.nullable(),
    createdBy: nullableText,
    createdAt: at,
    updatedAt: at,
    completedAt: at.nullable(),
  })
  .meta({ id: "Task" });

export type Task = z.infer<typeof task>;

/** A task as an event tells it: without what depends on the moment, or on its other events. */
export const storedTask = task.omit({
  costUsd: true,
  ready: true,
  lease: true,
  heartbeatAt: true,
  changeSeq: true,
});

export type StoredTask = z.infer<typeof storedTask>;

/** What a board shows of a task: everything but its long texts and its origins. */
export const taskCard = task
  .omit({
    description: true,
    verification: true,
    sourceDelegationId: true,
    parentSessionId: true,
    scheduledBy: true,
    tenantId: true,
    worktreeRef: true,
    branchRef: true,
  })
  .extend({
    blockedReason: nullableText.meta({ description: `Its first ${CARD_REASON_CHARS} characters` }),
    verdict: z.enum(VERDICTS).nullable().meta({ description: "The verification's status" }),
  })
  .meta({ id: "TaskCard" });

export type TaskCard = z.infer<typeof taskCard>;

/** A task named from another one. */
export const taskRef = z
  .object({ id: z.string(), number: z.number(), title: z.string(), status: taskStatus })
  .meta({ id: "TaskRef" });

export type TaskRef = z.infer<typeof taskRef>;

export type HeldLease = z.infer<typeof heldLease>;

/** What a claim grants. The token is the only proof of holding the task. */
export const lease = z
  .object({
    executionId: z.string(),
    epoch: z.number(),
    token: z.string(),
    ttlMs: z.number(),
    beatEveryMs: z.number(),
    expiresAt: at,
  })
  .meta({ id: "Lease" });

/** What one worker leaves for the next. */
export const handoff = z
  .strictObject({
    done: z.array(longText).max(100).optional(),
    broken: z.array(longText).max(100).optional(),
    next: longText.optional(),
    whyBlocked: longText.optional(),
    commands: z
      .strictObject({ init: text(COMMAND_MAX), verify: text(COMMAND_MAX), start: text(COMMAND_MAX) })
      .partial()
      .optional(),
    evidence: longText.optional(),
    warnings: z.array(longText).max(100).optional(),
    runtime: text(128).optional(),
    nativeSessionId: text(500).optional(),
  })
  .meta({ id: "Handoff" });

export type Handoff = z.infer<typeof handoff>;

export const EXECUTION_STATUSES = [
  "running",
  "succeeded",
  "failed",
  "timed_out",
  "cancelled",
  "released",
] as const;

export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

export const execution = z
  .object({
    id: z.string(),
    taskId: z.string(),
    epoch: z.number(),
    agentId: z.string(),
    runtime: nullableText,
    executorType: nullableText,
    runReason: nullableText,
    status: z.enum(EXECUTION_STATUSES),
    reason: nullableText.meta({ description: "Why it ended, where the status alone does not say" }),
    startedAt: at,
    lastBeatAt: at,
    endedAt: at.nullable(),
    progress: nullableText,
    summary: nullableText,
    error: nullableText,
    beforeCommit: nullableText,
    afterCommit: nullableText,
    inputTokens: z.number(),
    outputTokens: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    costUsd: z.number(),
    handoff: handoff.nullable(),
    recoveryTombstone: z.boolean(),
    trimmedAt: at.nullable().meta({ description: "When its long texts were emptied for their age" }),
  })
  .meta({ id: "Execution" });

export type Execution = z.infer<typeof execution>;

/** `cancel`: stop and give up; `drain`: finish what is in hand, take nothing new. */
export const STOP_MODES = ["cancel", "drain"] as const;

export const WORKSPACE_STATUSES = ["active", "archived", "stale"] as const;

/** Work that changes no files needs no place of its own. */
export const READ_ONLY_KINDS: readonly string[] = ["research", "review", "read-only"];

/** A pointer to where a task is worked on; the place itself is not the board's. */
export const workspace = z
  .object({
    id: z.string(),
    taskId: z.string(),
    repoPath: z.string(),
    worktreePath: nullableText,
    branch: nullableText,
    baseSha: nullableText,
    status: z.enum(WORKSPACE_STATUSES),
    createdBy: z.string(),
    createdAt: at,
    lastUsedAt: at,
  })
  .meta({ id: "Workspace" });

export type Workspace = z.infer<typeof workspace>;

/** How a task's attempts went, newest ones in a row; read from its runs, never stored. */
export const attempts = z
  .object({
    last: z.enum(["crash", "error", "success", "cancelled"]).nullable(),
    crashStreak: z.number(),
    errorStreak: z.number(),
    lastCrashLeftWork: z.boolean().meta({ description: "A commit or a summary" }),
  })
  .meta({ id: "Attempts" });

export type Attempts = z.infer<typeof attempts>;

export const comment = z
  .object({
    id: z.number(),
    taskId: z.string(),
    authorId: z.string(),
    body: z.string(),
    createdAt: at,
  })
  .meta({ id: "Comment" });

export type Comment = z.infer<typeof comment>;

export const ON_CANCEL = ["hold", "satisfy", "cascade"] as const;
export type OnCancel = (typeof ON_CANCEL)[number];

export const dependency = taskRef
  .extend({ onCancel: z.enum(ON_CANCEL), satisfied: z.boolean() })
  .meta({ id: "Dependency" });

export type Dependency = z.infer<typeof dependency>;

/** What a blocker left for the task that waited for it. */
export const blockerSummary = z
  .object({ id: z.string(), number: z.number(), title: z.string(), summary: nullableText })
  .meta({ id: "BlockerSummary" });

export type BlockerSummary = z.infer<typeof blockerSummary>;
