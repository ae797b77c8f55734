/**
 * Edgeboard's own format: NDJSON, one thing a line, each with its `type`. A header and an end stand around the
 * rest. Left out is what another board has to find out by itself: log positions, counters, who may come in.
 */
import * as z from "zod";
import { TEXT_MAX, TIME_MAX_MS } from "../contract/limits.ts";
import { settingsChange } from "../contract/settings.ts";
import { EXECUTION_STATUSES, handoff, ON_CANCEL, taskStatus, WORKSPACE_STATUSES } from "../contract/task.ts";
import { filledText, labels, money, priority, reference, text, title } from "../contract/text.ts";
import { verification } from "../contract/verification.ts";

/** Counts the shapes of this format; a reader refuses what it does not know. */
export const FORMAT_VERSION = 1;

/** A uuid, as boards make them. `n12` is how a task's number is written, and can be nobody's id. */
const id = z.string().regex(/^(?!n\d+$)[\w.:-]{1,64}$/, "is no id");
const words = text(TEXT_MAX);
const who = filledText(TEXT_MAX);
const at = z.int().min(0).max(TIME_MAX_MS);
const count = z.int().min(0).max(1e12);
/** Whoever goes on counting from there needs room above. */
const ordinal = z.int().min(1).max(1e9);
const amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const record = z.record(z.string(), z.unknown());

export const boardLine = z.strictObject({
  type: z.literal("board"),
  version: z.literal(FORMAT_VERSION, `must be ${FORMAT_VERSION}`),
  id: words,
  name: filledText(TEXT_MAX),
  /** Those that the exporting board knew. */
  settings: settingsChange,
  exportedAtSeq: count,
});

export const taskLine = z.strictObject({
  type: z.literal("task"),
  id,
  number: ordinal,
  title,
  description: words,
  status: taskStatus,
  priority,
  teamId: words.nullable(),
  assigneeAgentId: who.nullable(),
  assigneeRuntime: who.nullable(),
  parentTaskId: id.nullable(),
  sourceDelegationId: words.nullable(),
  worktreeRef: words.nullable(),
  branchRef: words.nullable(),
  budgetUsd: money.nullable(),
  parentSessionId: words.nullable(),
  dropped: z.boolean(),
  /** A cell that holds no verdict travels as the text it is. */
  verification: z.union([verification, z.string()]).nullable(),
  scheduledBy: words.nullable(),
  kind: words.nullable(),
  labels,
  requiredCapabilities: labels,
  externalRef: reference.nullable(),
  blockedReason: words.nullable(),
  notBefore: at.nullable(),
  readySince: at,
  epoch: count,
  attemptStreak: count,
  changesNotes: words.nullable(),
  version: count,
  guarded: z.boolean(),
  createdBy: words.nullable(),
  createdAt: at,
  updatedAt: at,
  completedAt: at.nullable(),
  tenantId: words.nullable(),
});

export const dependencyLine = z.strictObject({
  type: z.literal("dependency"),
  taskId: id,
  dependsOnTaskId: id,
  onCancel: z.enum(ON_CANCEL),
  createdAt: at,
  tenantId: words.nullable(),
});

export const commentLine = z.strictObject({
  type: z.literal("comment"),
  id: ordinal,
  taskId: id,
  authorId: who,
  body: words,
  createdAt: at,
  tenantId: words.nullable(),
});

export const executionLine = z.strictObject({
  type: z.literal("execution"),
  taskId: id,
  epoch: ordinal,
  id,
  agentId: who,
  tokenId: words.nullable(),
  runtime: words.nullable(),
  executorType: words.nullable(),
  runReason: words.nullable(),
  status: z.enum(EXECUTION_STATUSES),
  reason: words.nullable(),
  completion: record.nullable(),
  startedAt: at,
  lastBeatAt: at,
  endedAt: at.nullable(),
  progress: words.nullable(),
  summary: words.nullable(),
  error: words.nullable(),
  beforeCommit: words.nullable(),
  afterCommit: words.nullable(),
  inputTokens: amount,
  outputTokens: amount,
  cacheRead: amount,
  cacheWrite: amount,
  costUsd: z.number().min(0),
  beatInputTokens: amount,
  beatOutputTokens: amount,
  beatCostUsd: z.number().min(0),
  handoff: handoff.nullable(),
  commentsRead: count,
  directive: z.enum(["cancel", "drain"]).nullable(),
  directiveReason: words.nullable(),
  recoveryTombstone: z.boolean(),
  /** Younger than the format: an export may be without them. */
  waitedMs: amount.nullish(),
  trimmedAt: at.nullish(),
  tenantId: words.nullable(),
});

export const workspaceLine = z.strictObject({
  type: z.literal("workspace"),
  id,
  taskId: id,
  repoPath: words,
  worktreePath: words.nullable(),
  branch: words.nullable(),
  baseSha: words.nullable(),
  status: z.enum(WORKSPACE_STATUSES),
  createdBy: words,
  createdAt: at,
  lastUsedAt: at,
  tenantId: words.nullable(),
});

/** The last line: without it a file was cut short. It counts what was written, for whoever looks. */
export const endLine = z.strictObject({
  type: z.literal("end"),
  tasks: count,
  dependencies: count,
  comments: count,
  executions: count,
  workspaces: count,
});

export const LINES = {
  board: boardLine,
  task: taskLine,
  dependency: dependencyLine,
  comment: commentLine,
  execution: executionLine,
  workspace: workspaceLine,
  end: endLine,
} as const;

export type LineType = keyof typeof LINES;
export type Line = z.infer<(typeof LINES)[LineType]>;
export type LineOf<T extends LineType> = z.infer<(typeof LINES)[T]>;
