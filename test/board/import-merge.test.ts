/** An export into a board that has tasks of its own: the newer row wins, nothing is said twice or lost. */
import { describe, expect, it } from "vitest";
import { call, events, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import {
  AT,
  commentLine,
  edgeLine,
  exportOf,
  runLine,
  taskLine,
  workspaceLine,
} from "../support/export-lines.ts";
import { exported, holds, importing, linesOf, sendImport, tablesOf } from "../support/exports.ts";
import { fullBoard } from "./full-board.ts";

const NOTHING = {
  created: 0,
  updated: 0,
  unchanged: 0,
  staleSkipped: 0,
  edges: 0,
  comments: 0,
  executions: 0,
  workspaces: 0,
  skipped: [],
  issues: [],
};

const LATER = Date.UTC(2030, 0, 1);

/** A board with one task of its own, so that it is not empty. */
async function otherBoard(): Promise<TestBoard> {
  const board = await newBoard();
  await board.add({ title: "its own" });
  return board;
}

const refOf = async (board: TestBoard, externalRef: string) =>
  ok(await call(board.lead, "GET", `${board.path}/tasks?externalRef=${externalRef}`)).tasks[0];

describe("an export into a board of other tasks", () => {
  it("brings everything under the next numbers, ids and epochs kept, and a second time nothing", async () => {
    const { board, ids } = await fullBoard();
    const text = await exported(board);
    const other = await otherBoard();
    ok(await call(other.lead, "POST", `${other.path}/tasks/n1/comments`, { body: "its own" }), 201);
    expect(await importing(other, text)).toMatchObject({
      created: 9,
      edges: 4,
      comments: 4,
      executions: 4,
      workspaces: 1,
    });
    expect(await other.get(ids.done)).toMatchObject({ number: 2, epoch: 2, externalRef: "X-1" });
    const { comments } = ok(await call(other.lead, "GET", `${other.path}/tasks/${ids.done}/comments`));
    expect(comments.map(({ id, body }: { id: number; body: string }) => [id, body])).toEqual([
      [2, "first"],
      [3, "second\nwith a line"],
      [4, "✓"],
    ]);
    expect(ok(await call(other.lead, "GET", other.path)).board).toMatchObject({
      settings: { leaseTtlMs: 180_000 },
    });
    await holds(other);
    expect(await importing(other, text)).toEqual({ ...NOTHING, unchanged: 9 });
    await holds(other);
  });

  it("takes over what is newer, and tells it in one event a task", async () => {
    const board = await newBoard();
    await importing(board, exportOf(taskLine(1), taskLine(2), taskLine(3)));
    const { seq } = ok(await call(board.lead, "GET", board.path));
    const changed = taskLine(1, {
      title: "Newer",
      status: "done",
      epoch: 2,
      version: 7,
      labels: ["x"],
      parentTaskId: "task-3",
      updatedAt: AT + 5,
      completedAt: AT + 5,
    });
    const text = exportOf(
      changed,
      taskLine(2, { title: "Older", updatedAt: AT - 1 }),
      taskLine(3, { description: "New words", updatedAt: AT + 1 }),
      edgeLine("task-3", "task-1", { onCancel: "satisfy" }),
      edgeLine("task-2", "task-1"),
      runLine("task-1", 2),
    );
    expect(await importing(board, text)).toEqual({
      ...NOTHING,
      updated: 2,
      staleSkipped: 1,
      edges: 1,
      executions: 1,
    });
    expect(await board.get("task-1")).toMatchObject({
      title: "Newer",
      status: "done",
      epoch: 2,
      version: 7,
      labels: ["x"],
      parentTaskId: "task-3",
      completedAt: AT + 5,
      updatedAt: AT + 5,
    });
    expect(await board.get("task-2")).toMatchObject({ title: "Title of 2", openDependencies: 0 });
    expect(await board.get("task-3")).toMatchObject({
      description: "New words",
      version: 2,
      openDependencies: 0,
      ready: true,
    });
    const told = await events(board, `&after=${seq}`);
    expect(told.map(({ kind, taskId }) => [kind, taskId])).toEqual([
      ["status_changed", "task-1"],
      ["task_edited", "task-3"],
      ["task_edited", "task-1"],
    ]);
    expect(told[0].data).toMatchObject({
      from: "todo",
      to: "done",
      fields: { title: "Newer", epoch: 2 },
      reason: "import",
    });
    expect(told[1].data).toMatchObject({ fields: { description: "New words" }, dependsOn: ["task-1"] });
    expect(told[2].data).toMatchObject({ execution: { epoch: 2, agentId: "carl" } });
    await holds(board);
    expect(await importing(board, text)).toMatchObject({ updated: 0, unchanged: 2, staleSkipped: 1 });
  });

  it("finds a task by its reference where the id is another, and adds to it what is not known", async () => {
    const board = await otherBoard();
    const mine = await board.add({ title: "mine", externalRef: "X-1" });
    ok(await call(board.lead, "POST", `${board.path}/tasks/${mine.id}/comments`, { body: "known" }), 201);
    const [known] = ok(await call(board.lead, "GET", `${board.path}/tasks/${mine.id}/comments`)).comments;
    const text = exportOf(
      taskLine(1, { externalRef: "X-1", title: "theirs", updatedAt: LATER }),
      taskLine(2, { parentTaskId: "task-1" }),
      edgeLine("task-2", "task-1"),
      commentLine(9, "task-1", { authorId: "lead", body: "known", createdAt: known.createdAt }),
      commentLine(7, "task-1", { body: "new" }),
      runLine("task-1", 1),
      workspaceLine("task-1"),
    );
    expect(await importing(board, text)).toEqual({
      ...NOTHING,
      created: 1,
      updated: 1,
      edges: 1,
      comments: 1,
      executions: 1,
      workspaces: 1,
    });
    expect(await refOf(board, "X-1")).toMatchObject({ id: mine.id, number: 2, title: "theirs", epoch: 1 });
    expect(await board.get("task-2")).toMatchObject({
      number: 3,
      parentTaskId: mine.id,
      openDependencies: 1,
    });
    await holds(board);
    expect(await importing(board, text)).toEqual({ ...NOTHING, unchanged: 2 });
    expect(linesOf(await exported(board)).filter(({ type }) => type === "comment")).toHaveLength(2);
  });

  it("lets tasks trade their references, and refuses one that somebody else keeps", async () => {
    const board = await newBoard();
    await importing(board, exportOf(taskLine(1, { externalRef: "A" }), taskLine(2, { externalRef: "B" })));
    const later = { updatedAt: AT + 1 };
    const traded = exportOf(
      taskLine(1, { externalRef: "B", ...later }),
      taskLine(2, { externalRef: "C", ...later }),
      taskLine(3, { externalRef: "A" }),
    );
    expect(await importing(board, traded)).toMatchObject({ created: 1, updated: 2 });
    expect([(await refOf(board, "A")).id, (await refOf(board, "B")).id]).toEqual(["task-3", "task-1"]);
    const before = await tablesOf(board);
    const taken = exportOf(
      taskLine(2, { externalRef: "A", updatedAt: AT + 2 }),
      taskLine(3, { externalRef: "A" }),
    );
    refused(await sendImport(board, taken), 422, "import_invalid");
    const kept = exportOf(taskLine(2, { externalRef: "A", updatedAt: AT + 2 }));
    expect(refused(await sendImport(board, kept), 409, "duplicate")).toMatchObject({ taskId: "task-3" });
    expect(await tablesOf(board)).toEqual(before);
  });

  it("leaves who works on a task with it, and what is finished finished", async () => {
    const board = await newBoard();
    await importing(board, exportOf(taskLine(1), taskLine(2, { status: "done" })));
    const worker = await board.mint("ada");
    const { lease } = await board.claim("task-1", worker);
    const text = exportOf(
      taskLine(1, { title: "Newer", status: "blocked", epoch: 9, updatedAt: LATER }),
      taskLine(2, { title: "Newer", status: "todo", updatedAt: LATER }),
      runLine("task-1", 1),
      runLine("task-1", 9),
    );
    expect(await importing(board, text)).toMatchObject({
      updated: 2,
      executions: 0,
      skipped: [
        { ref: "run-task-1-9", reason: expect.stringContaining("worked on") },
        { ref: "run-task-1-1", reason: expect.stringContaining("epoch 1") },
      ],
    });
    expect(await board.get("task-1")).toMatchObject({
      title: "Newer",
      status: "in_progress",
      epoch: 1,
      assigneeAgentId: "ada",
    });
    expect(await board.get("task-2")).toMatchObject({ title: "Newer", status: "done", completedAt: AT });
    await holds(board);
    const leaseToken = lease.token;
    ok(
      await call(worker, "POST", `${board.path}/tasks/task-1/complete`, {
        leaseToken,
        outcome: "succeeded",
        status: "done",
      }),
    );
  });

  it("opens what waited for a task that is done elsewhere", async () => {
    const board = await newBoard();
    await importing(board, exportOf(taskLine(1), taskLine(2), edgeLine("task-2", "task-1")));
    expect((await board.get("task-2")).ready).toBe(false);
    await importing(board, exportOf(taskLine(1, { status: "done", updatedAt: AT + 1 })));
    expect(await board.get("task-2")).toMatchObject({ ready: true, openDependencies: 0 });
    await holds(board);
  });
});
