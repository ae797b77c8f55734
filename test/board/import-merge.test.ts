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
import {
  contentsOf,
  exported,
  holds,
  importing,
  linesOf,
  sendImport,
  tablesOf,
  textOf,
} from "../support/exports.ts";
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

describe("an export back into the board it came from", () => {
  it("changes nothing, runs under way included, however often", async () => {
    const { board, worker, ids, leaseToken } = await fullBoard();
    const text = await exported(board);
    const before = await contentsOf(board);
    for (let time = 0; time < 2; time++)
      expect(await importing(board, text)).toEqual({ ...NOTHING, unchanged: 9 });
    expect(await contentsOf(board)).toEqual(before);
    await holds(board);
    ok(await call(worker, "POST", `${board.path}/tasks/${ids.held}/heartbeat`, { leaseToken }));
  });

  it("keeps what was changed since, and says how much that is", async () => {
    const { board, ids } = await fullBoard();
    const text = await exported(board);
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${ids.waiting}`, { title: "Newer" }));
    expect(await importing(board, text)).toEqual({ ...NOTHING, unchanged: 8, staleSkipped: 1 });
    expect((await board.get(ids.waiting)).title).toBe("Newer");
  });

  it("deletes nothing that came since, and brings no unlinked edge back", async () => {
    const { board, ids } = await fullBoard();
    const text = await exported(board);
    const added = await board.add({ title: "since" });
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${ids.waiting}/dependencies/${ids.held}`));
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${ids.old}`));
    expect(await importing(board, text)).toMatchObject({ unchanged: 8, staleSkipped: 1, edges: 0 });
    expect((await board.get(added.id)).title).toBe("since");
    expect((await board.get(ids.waiting)).openDependencies).toBe(0);
    expect((await board.get(ids.old)).dropped).toBe(true);
    await holds(board);
  });
});

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
    expect(told[2].data).toMatchObject({ execution: { epoch: 2, agent_id: "carl" } });
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

describe("an import is refused whole", () => {
  async function nothingStored(board: TestBoard, text: string, status: number, code: string) {
    const before = await tablesOf(board);
    const problem = refused(await sendImport(board, text), status, code);
    expect(await tablesOf(board)).toEqual(before);
    return problem;
  }

  it("when it names tasks that are nowhere, each told with who names it", async () => {
    const text = exportOf(
      taskLine(1, { parentTaskId: "lost" }),
      edgeLine("task-1", "gone"),
      edgeLine("stranger", "task-1"),
      commentLine(1, "talked-of"),
    );
    for (const board of [await newBoard(), await otherBoard()]) {
      const { issues } = await nothingStored(board, text, 422, "import_invalid");
      expect(issues.map(({ path }: { path: string }) => path)).toEqual([
        "task-1.parentTaskId",
        "task-1.dependencies",
        "stranger",
        "talked-of",
      ]);
    }
  });

  it("when tasks would wait for each other or lie under each other, with the way round", async () => {
    const tasks = [taskLine(1, { externalRef: "X-1" }), taskLine(2), taskLine(3)];
    const ring = exportOf(
      ...tasks,
      edgeLine("task-1", "task-2"),
      edgeLine("task-2", "task-3"),
      edgeLine("task-3", "task-1"),
    );
    for (const board of [await newBoard(), await otherBoard()]) {
      const { path } = await nothingStored(board, ring, 409, "task_dependency_cycle");
      expect(path).toHaveLength(4);
      expect(new Set(path)).toEqual(new Set(["X-1", "task-2", "task-3"]));
      const under = exportOf(
        taskLine(1, { parentTaskId: "task-2" }),
        taskLine(2, { parentTaskId: "task-1" }),
      );
      expect((await nothingStored(board, under, 409, "parent_cycle")).path).toHaveLength(3);
    }
  });

  it("when it closes a ring with edges or parents that stand on the board", async () => {
    const board = await newBoard();
    await importing(
      board,
      exportOf(taskLine(1), taskLine(2, { parentTaskId: "task-1" }), edgeLine("task-1", "task-2")),
    );
    const edge = exportOf(taskLine(2, { updatedAt: AT + 1 }), edgeLine("task-2", "task-1"));
    await nothingStored(board, edge, 409, "task_dependency_cycle");
    await nothingStored(
      board,
      exportOf(taskLine(1, { parentTaskId: "task-2", updatedAt: AT + 1 })),
      409,
      "parent_cycle",
    );
  });

  it("when it was cut short, or is no export at all", async () => {
    const board = await newBoard();
    const whole = exportOf(taskLine(1), taskLine(2));
    await nothingStored(board, whole.slice(0, whole.lastIndexOf("\n")), 422, "import_invalid");
    await nothingStored(board, textOf([{ id: "bd-1", title: "beads" }]), 422, "import_invalid");
    await nothingStored(board, "", 422, "import_invalid");
  });
});

it("a dry run reports what an import would do, and stores nothing", async () => {
  const { board } = await fullBoard();
  const text = await exported(board);
  for (const target of [await newBoard(), await otherBoard()]) {
    const before = await tablesOf(target);
    const planned = await importing(target, text, "format=edgeboard&dryRun=true");
    expect(await tablesOf(target)).toEqual(before);
    expect(await importing(target, text)).toEqual(planned);
  }
});
