/** The crash harness counts what it finds, and misses nothing of what it has to find. */
import { describe, expect, it } from "vitest";
import type { BoardEvent } from "../../src/contract/events.ts";
import { commentLine, edgeLine, runLine, taskLine } from "../support/export-lines.ts";
import { checkLog, checkProofs, checkRecovery, checkWrites } from "./crash-check.ts";
import type { Tables } from "./read-board.ts";
import { linkMark, type Write } from "./writes.ts";

const actor = { type: "agent", id: "ann" } as const;
const event = (seq: number, kind: BoardEvent["kind"], taskId: string, data: object, epoch?: number) =>
  ({ seq, at: 0, kind, taskId, actor, data, ...(epoch === undefined ? {} : { epoch }) }) as BoardEvent;

const LOG = [
  event(1, "task_created", "task-1", { task: { title: "one", status: "todo", priority: 0 }, dependsOn: [] }),
  event(2, "task_created", "task-2", { task: { title: "two", status: "todo", priority: 0 }, dependsOn: [] }),
  event(3, "dependency_linked", "task-2", { dependsOnTaskId: "task-1" }),
  event(4, "task_claimed", "task-1", { runtime: "claim", agentId: "ann" }, 1),
  event(5, "comment_added", "task-1", { comment: { body: "words" } }),
];
const TABLES: Tables = {
  seq: 5,
  tasks: [
    taskLine(1, { title: "one", status: "in_progress", assigneeAgentId: "ann", epoch: 1 }),
    taskLine(2, { title: "two" }),
  ],
  edges: [edgeLine("task-2", "task-1")],
  comments: [commentLine(1, "task-1", { body: "words" })],
  runs: [runLine("task-1", 1, { runtime: "claim", lastBeatAt: 1_000, status: "running", endedAt: null })],
};
const write = (
  verb: Write["verb"],
  mark: string,
  state: Write["state"],
  rest: Partial<Write> = {},
): Write => ({
  ...{ verb, mark, state, lost: 0 },
  ...rest,
});
const WRITES = [
  write("create", "one", "done", { taskId: "task-1" }),
  write("link", linkMark("task-2", "task-1"), "done"),
  write("claim", "claim", "sent"),
  write("comment", "words", "unsure"),
  write("comment", "unheard", "sent"),
  write("comment", "no", "refused"),
];

it("a board that kept its word has no fault", () => {
  expect(checkWrites(WRITES, LOG, TABLES)).toEqual([]);
  expect(checkLog(LOG, TABLES)).toEqual([]);
});

describe("is found:", () => {
  it.each<[string, Write[], BoardEvent[], Tables]>([
    ["an acknowledged write that is gone", [write("create", "three", "done")], LOG, TABLES],
    ["one that is only in the log", WRITES, LOG, { ...TABLES, edges: [] }],
    ["one that is only in the tables", WRITES, LOG.toSpliced(2, 1), TABLES],
    ["one that is somewhere else", [write("create", "one", "done", { taskId: "task-2" })], LOG, TABLES],
    ["one that was refused", [write("comment", "words", "refused")], LOG, TABLES],
    ["an unheard one that was done twice", WRITES, [...LOG, { ...(LOG[4] as BoardEvent), seq: 6 }], TABLES],
  ])("%s", (_what, writes, log, tables) => {
    expect(checkWrites(writes, log, tables)).not.toEqual([]);
  });

  it.each<[string, BoardEvent[], Tables]>([
    ["a gap in the log", LOG.toSpliced(4, 1, { ...(LOG[4] as BoardEvent), seq: 6 }), TABLES],
    ["an end of the log that was cut off", LOG.slice(0, 4), TABLES],
    ["a status the log does not tell", LOG, { ...TABLES, tasks: [taskLine(1), taskLine(2)] }],
    ["a task the log does not tell", LOG, { ...TABLES, tasks: [...TABLES.tasks, taskLine(3)] }],
  ])("%s", (_what, log, tables) => {
    expect(checkLog(log, tables)).not.toEqual([]);
  });

  it("a beat that was forgotten", () => {
    expect(checkProofs([{ taskId: "task-1", epoch: 1, beatAt: 1_000 }], TABLES)).toEqual([]);
    expect(checkProofs([{ taskId: "task-1", epoch: 1, beatAt: 1_001 }], TABLES)).toHaveLength(1);
  });

  it("a silent lease that stands too long, less the time the board was down", () => {
    const bounds = { leaseTtlMs: 100, withinMs: 50, readAt: 1_200 };
    expect(checkRecovery(TABLES, { ...bounds, outages: [] })).toHaveLength(1);
    expect(checkRecovery(TABLES, { ...bounds, outages: [{ from: 0, to: 1_150 }] })).toEqual([]);
  });
});
