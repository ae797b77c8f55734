/** Rows to lines and back: nothing of a board's tables is lost on the way, but what it counts by itself. */
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import * as exported from "../../src/board/operations/export-lines.ts";
import * as imported from "../../src/board/operations/import-lines.ts";
import * as rows from "../../src/board/store/rows.ts";
import type { TaskBrief } from "../../src/import-export/edgeboard.ts";
import { LINES, type LineOf, type LineType } from "../../src/import-export/edgeboard-lines.ts";
import { AT, edgeLine, runLine, taskLine } from "../support/export-lines.ts";

const NOW = AT + 1_000_000;

const VERDICT = {
  status: "pass",
  attempts: [
    {
      attempt: 1,
      at: AT,
      deterministic: {
        command: "make",
        exitCode: 0,
        passed: true,
        durationMs: 5,
        timedOut: false,
        stdoutTail: "",
        stderrTail: "",
      },
      critic: { ran: false, findings: [], reviewerRuntime: null, reviewerModel: null, reviewedSha: null },
      status: "pass",
    },
  ],
  updatedAt: AT,
  structuredError: null,
  debtNotes: [],
};

const TASK: rows.TaskRow = {
  number: 7,
  id: "id-of-7",
  title: "Title ✓",
  description: "Line one\nline two",
  status: "blocked",
  priority: 9,
  team_id: "team",
  assignee_agent_id: "ada",
  assignee_runtime: "runtime",
  parent_task_id: "parent",
  source_delegation_id: "delegation",
  worktree_ref: "../tree",
  branch_ref: "branch",
  budget_usd: 1.25,
  parent_session_id: "session",
  dropped: 0,
  verification: JSON.stringify(VERDICT),
  scheduled_by: "cron",
  kind: "bug",
  labels: '["a","b"]',
  required_capabilities: '["gpu"]',
  external_ref: "X-7",
  blocked_reason: "no key",
  not_before: NOW + 5,
  deferred: 1,
  open_deps: 0,
  ready_since: AT + 1,
  epoch: 3,
  attempt_streak: 2,
  changes_notes: "again",
  version: 5,
  change_seq: 44,
  guarded: 1,
  created_by: "bert",
  created_at: AT,
  updated_at: AT + 2,
  completed_at: null,
  tenant_id: "tenant",
};

const RUN: rows.ExecutionRow = {
  task_id: "id-of-7",
  epoch: 3,
  id: "run",
  agent_id: "ada",
  token_id: "token",
  runtime: "runtime",
  executor_type: "executor",
  run_reason: "because",
  status: "failed",
  reason: "reason",
  completion: '{"asked":"todo","late":true}',
  started_at: AT,
  last_beat_at: AT + 1,
  ended_at: AT + 2,
  progress: "half",
  summary: "summary",
  error: "error",
  before_commit: "abc",
  after_commit: "def",
  input_tokens: 1,
  output_tokens: 2,
  cache_read: 3,
  cache_write: 4,
  cost_usd: 0.5,
  beat_input_tokens: 5,
  beat_output_tokens: 6,
  beat_cost_usd: 0.25,
  handoff: '{"done":["a"],"next":"b"}',
  comments_read: 8,
  directive: "drain",
  directive_reason: "enough",
  recovery_tombstone: 1,
  waited_ms: 9,
  kept_at: null,
  trimmed_at: 10,
  tenant_id: "tenant",
};

const brief = (line: LineOf<"task">, rest: Partial<TaskBrief> = {}): TaskBrief => ({
  ...line,
  running: false,
  history: 0,
  ...rest,
});

function comeIn(
  line: LineOf<"task">,
  { running = false, reset = false, restores = true } = {},
): rows.TaskRow {
  const arrival = {
    id: line.id,
    number: line.number,
    changeSeq: 44,
    parentTaskId: line.parentTaskId,
    now: NOW,
    reset,
  };
  return imported.newRow(line, brief(line, { running }), arrival, restores);
}

/** Through the text, as a file does. */
function travelled<T extends LineType>(type: T, line: LineOf<T>): LineOf<T> {
  return LINES[type].parse(JSON.parse(JSON.stringify(line))) as LineOf<T>;
}

describe("every column travels", () => {
  const camel = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const TABLES: [LineType, z.ZodObject, Record<string, string | null>][] = [
    ["task", rows.taskRow, { deferred: null, open_deps: null, change_seq: null }],
    ["dependency", rows.dependencyRow, {}],
    ["comment", rows.commentRow, { number: "id" }],
    ["execution", rows.executionRow, { kept_at: null }],
    ["workspace", rows.workspaceRow, {}],
  ];

  it.each(TABLES)("of %s, but what the board counts by itself", (type, row, renamed) => {
    const fields = Object.keys(row.shape).flatMap((column) => {
      const field = column in renamed ? renamed[column] : camel(column);
      return field == null ? [] : [field];
    });
    expect(Object.keys(LINES[type].shape).sort()).toEqual(["type", ...fields].sort());
  });
});

describe("there and back", () => {
  it("a task is the same", () => {
    expect(comeIn(travelled("task", exported.taskLine(TASK)))).toEqual(TASK);
    const dropped = {
      ...TASK,
      dropped: 1 as const,
      verification: null,
      not_before: null,
      deferred: 0 as const,
    };
    expect(comeIn(travelled("task", exported.taskLine(dropped)))).toEqual(dropped);
    const done = { ...TASK, status: "done" as const, completed_at: AT + 3 };
    expect(comeIn(travelled("task", exported.taskLine(done)))).toEqual(done);
  });

  it("a verdict nobody can read stays what it is", () => {
    const odd = { ...TASK, verification: "not a verdict" };
    expect(comeIn(travelled("task", exported.taskLine(odd)))).toEqual(odd);
  });

  it("a run is the same", () => {
    expect(imported.executionRow(travelled("execution", exported.executionLine(RUN)), RUN.task_id)).toEqual(
      RUN,
    );
  });

  it("a comment and a workspace are the same", () => {
    const comment = { number: 4, task_id: "t", author_id: "a", body: "b\n", created_at: AT, tenant_id: null };
    expect(imported.commentRow(travelled("comment", exported.commentLine(comment)), "t")).toEqual(comment);
    const workspace: rows.WorkspaceRow = {
      id: "w",
      task_id: "t",
      repo_path: "/r",
      worktree_path: "/t",
      branch: "b",
      base_sha: "s",
      status: "stale",
      created_by: "a",
      created_at: AT,
      last_used_at: AT + 1,
      tenant_id: "x",
    };
    const line = travelled("workspace", exported.workspaceLine(workspace));
    expect(imported.workspaceRow(line, "t")).toEqual(workspace);
  });

  it("an edge keeps what a cancel means to it", () => {
    const row: rows.DependencyRow = {
      task_id: "a",
      depends_on_task_id: "b",
      on_cancel: "cascade",
      created_at: AT,
      tenant_id: null,
    };
    expect(exported.dependencyLine(row)).toEqual(edgeLine("a", "b", { onCancel: "cascade" }));
  });

  it("an export older than the time runs waited is read all the same", () => {
    const { waitedMs: _, ...line } = runLine("t", 1);
    expect(imported.executionRow(LINES.execution.parse(line), "t").waited_ms).toBeNull();
  });
});

describe("no lease survives", () => {
  it("a run that goes on comes in as released, at its last sign of life", () => {
    const line = runLine("t", 1, { status: "running", endedAt: null, reason: null });
    expect(imported.executionRow(line, "t")).toMatchObject({
      status: "released",
      reason: "import",
      ended_at: line.lastBeatAt,
    });
  });

  const held = taskLine(1, {
    status: "in_progress",
    assigneeAgentId: "ada",
    assigneeRuntime: "runtime",
    verification: "x",
    attemptStreak: 2,
    changesNotes: "again",
  });

  it("the task it worked on is open to claims: no holder, no runtime, no verdict", () => {
    expect(comeIn(held, { running: true })).toMatchObject({
      status: "todo",
      assignee_agent_id: null,
      assignee_runtime: null,
      verification: null,
      attempt_streak: 2,
      changes_notes: "again",
      ready_since: NOW,
      updated_at: held.updatedAt,
    });
  });

  it("a task in review stays there, free for its reviewer", () => {
    const line = { ...held, status: "in_review" as const };
    expect(comeIn(line, { running: true })).toMatchObject({ status: "in_review", assignee_agent_id: "ada" });
  });

  it("a card a lead holds by hand, without a lease, stays his; one that nobody holds is open", () => {
    expect(comeIn(held)).toMatchObject({ status: "in_progress", assignee_agent_id: "ada" });
    expect(comeIn({ ...held, assigneeAgentId: null })).toMatchObject({ status: "todo" });
  });

  it("a dropped task is never held, so that restoring it revives nobody", () => {
    const line = { ...held, dropped: true };
    expect(comeIn(line)).toMatchObject({ status: "todo", dropped: 1, assignee_agent_id: null });
  });

  it("a todo has no holder, whatever the line says, and keeps the runtime it is reserved for", () => {
    const line = taskLine(1, { assigneeAgentId: "ada", assigneeRuntime: "runtime" });
    expect(comeIn(line)).toMatchObject({
      status: "todo",
      assignee_agent_id: null,
      assignee_runtime: "runtime",
    });
  });
});

it("what has ended has a time it ended, and nothing else has", () => {
  expect(comeIn(taskLine(1, { status: "done", completedAt: null }))).toMatchObject({ completed_at: AT });
  expect(comeIn(taskLine(1, { status: "blocked", completedAt: AT }))).toMatchObject({ completed_at: null });
});

it("with reset every task comes in as todo, as if nobody had tried it", () => {
  for (const status of ["backlog", "in_review", "blocked", "done", "cancelled"] as const)
    expect(
      comeIn(taskLine(1, { status, attemptStreak: 3, verification: "x" }), { reset: true }),
    ).toMatchObject({
      status: "todo",
      attempt_streak: 0,
      verification: null,
      completed_at: null,
    });
});

it("only a board that is restored goes on counting the creates of its agents", () => {
  const line = taskLine(1, { guarded: true });
  expect(comeIn(line).guarded).toBe(1);
  expect(comeIn(line, { restores: false }).guarded).toBe(0);
});
