/** Lines of an Edgeboard export, written by hand: the least that each type has to say. */
import type { LineOf } from "../../src/import-export/edgeboard-lines.ts";

export const AT = Date.UTC(2026, 2, 1);

export const boardLine = (rest: Partial<LineOf<"board">> = {}): LineOf<"board"> => ({
  type: "board",
  version: 1,
  id: "elsewhere",
  name: "Test",
  settings: {},
  exportedAtSeq: 1,
  ...rest,
});

export const taskLine = (number: number, rest: Partial<LineOf<"task">> = {}): LineOf<"task"> => ({
  type: "task",
  id: `task-${number}`,
  number,
  title: `Title of ${number}`,
  description: "",
  status: "todo",
  priority: 0,
  teamId: null,
  assigneeAgentId: null,
  assigneeRuntime: null,
  parentTaskId: null,
  sourceDelegationId: null,
  worktreeRef: null,
  branchRef: null,
  budgetUsd: null,
  parentSessionId: null,
  dropped: false,
  verification: null,
  scheduledBy: null,
  kind: null,
  labels: [],
  requiredCapabilities: [],
  externalRef: null,
  blockedReason: null,
  notBefore: null,
  readySince: AT,
  epoch: 0,
  attemptStreak: 0,
  changesNotes: null,
  version: 1,
  guarded: false,
  createdBy: "ada",
  createdAt: AT,
  updatedAt: AT,
  completedAt: null,
  tenantId: null,
  ...rest,
});

export const edgeLine = (
  taskId: string,
  dependsOnTaskId: string,
  rest: Partial<LineOf<"dependency">> = {},
): LineOf<"dependency"> => ({
  type: "dependency",
  taskId,
  dependsOnTaskId,
  onCancel: "hold",
  createdAt: AT,
  tenantId: null,
  ...rest,
});

export const commentLine = (
  id: number,
  taskId: string,
  rest: Partial<LineOf<"comment">> = {},
): LineOf<"comment"> => ({
  type: "comment",
  id,
  taskId,
  authorId: "bert",
  body: `Comment ${id}`,
  createdAt: AT,
  tenantId: null,
  ...rest,
});

export const runLine = (
  taskId: string,
  epoch: number,
  rest: Partial<LineOf<"execution">> = {},
): LineOf<"execution"> => ({
  type: "execution",
  taskId,
  epoch,
  id: `run-${taskId}-${epoch}`,
  agentId: "carl",
  tokenId: null,
  runtime: null,
  executorType: null,
  runReason: null,
  status: "succeeded",
  reason: null,
  completion: null,
  startedAt: AT,
  lastBeatAt: AT + 1,
  endedAt: AT + 2,
  progress: null,
  summary: null,
  error: null,
  beforeCommit: null,
  afterCommit: null,
  inputTokens: 0,
  outputTokens: 0,
  cacheRead: 0,
  cacheWrite: 0,
  costUsd: 0,
  beatInputTokens: 0,
  beatOutputTokens: 0,
  beatCostUsd: 0,
  handoff: null,
  commentsRead: 0,
  directive: null,
  directiveReason: null,
  recoveryTombstone: false,
  waitedMs: null,
  trimmedAt: null,
  tenantId: null,
  ...rest,
});

export const workspaceLine = (
  taskId: string,
  rest: Partial<LineOf<"workspace">> = {},
): LineOf<"workspace"> => ({
  type: "workspace",
  id: `workspace-${taskId}`,
  taskId,
  repoPath: "/repo",
  worktreePath: null,
  branch: null,
  baseSha: null,
  status: "active",
  createdBy: "carl",
  createdAt: AT,
  lastUsedAt: AT,
  tenantId: null,
  ...rest,
});

/** What the importer does not add up: whoever wrote the file did. */
export const endLine: LineOf<"end"> = {
  type: "end",
  tasks: 0,
  dependencies: 0,
  comments: 0,
  executions: 0,
  workspaces: 0,
};

/** A whole export around these lines. */
export function exportOf(...lines: object[]): string {
  return [boardLine(), ...lines, endLine].map((line) => JSON.stringify(line)).join("\n");
}
