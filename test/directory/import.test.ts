/** A first import of another tool's board. */
import { describe, expect, it } from "vitest";
import { call, events, newBoard, ok, refused } from "../support/api.ts";
import { blocks, childOf, contents, day, importing, issue, NOTHING, of, START, send } from "./beads.ts";

describe("a first import", () => {
  it("brings tasks, parents, edges and comments, and reports them", async () => {
    const board = await newBoard();
    const report = await importing(board, [
      issue("p", { issue_type: "epic", priority: 0 }),
      issue("a", { status: "closed", close_reason: "Done", dependencies: [childOf("p")] }),
      issue("b", { dependencies: [childOf("p"), ...blocks("a")], notes: "Look first" }),
      issue("c", { dependencies: [...blocks("b", "a"), { depends_on_id: "a", type: "related" }] }),
      issue("gone", { status: "tombstone" }),
    ]);
    expect(report).toEqual({
      ...NOTHING,
      created: 4,
      edges: 3,
      comments: 2,
      skipped: [
        { ref: "gone", reason: "tombstone" },
        { ref: "c → a", reason: "edge of type related" },
      ],
    });
    const [p, a, b, c] = await Promise.all(
      ["p", "a", "b", "c"].map((id) => of(board, id, "dependencies,comments")),
    );
    expect(p.task).toMatchObject({
      kind: "epic",
      priority: 4,
      status: "todo",
      createdAt: START,
      updatedAt: START,
    });
    expect(a.task).toMatchObject({ status: "done", completedAt: START, parentTaskId: p.task.id });
    expect(b.task).toMatchObject({ parentTaskId: p.task.id, openDependencies: 0, ready: true });
    expect(b.comments).toMatchObject([{ authorId: "beads", body: "Look first", createdAt: START }]);
    expect(c.task).toMatchObject({ openDependencies: 1, ready: false });
    expect(c.dependencies.map((edge: { id: string }) => edge.id).sort()).toEqual(
      [a.task.id, b.task.id].sort(),
    );
    const { counts } = ok(await call(board.lead, "GET", board.path));
    expect(counts).toMatchObject({ todo: 3, done: 1 });
  });

  it("may name dependents before their blockers and children before their parents", async () => {
    const board = await newBoard();
    await importing(board, [
      issue("leaf", { dependencies: [childOf("branch"), ...blocks("late")] }),
      issue("branch", { dependencies: [childOf("root")] }),
      issue("root"),
      issue("late", { created_at: day(5), updated_at: day(5) }),
    ]);
    const leaf = await of(board, "leaf", "ancestors");
    expect(leaf.task.openDependencies).toBe(1);
    expect(leaf.ancestors.map((row: { title: string }) => row.title)).toEqual([
      "Title of branch",
      "Title of root",
    ]);
  });

  it("keeps a child whose parent travels in a later statement, half a million characters on", async () => {
    const board = await newBoard();
    const filler = Array.from({ length: 30 }, (_, i) =>
      issue(`filler-${i}`, {
        created_at: day(1 + i),
        updated_at: day(1 + i),
        description: "d".repeat(20_000),
      }),
    );
    const report = await importing(board, [
      issue("child", { dependencies: [childOf("parent")] }),
      ...filler,
      issue("parent", { created_at: day(50), updated_at: day(50) }),
    ]);
    expect(report.created).toBe(32);
    const [child, parent] = [await of(board, "child"), await of(board, "parent")];
    expect(child.task).toMatchObject({ number: 1, parentTaskId: parent.task.id });
    expect(parent.task.number).toBe(32);
    expect((await of(board, "filler-29")).task.description).toHaveLength(20_000);
  });

  it("numbers tasks by age, and the next task made by hand goes on from there", async () => {
    const board = await newBoard();
    expect((await board.add({ title: "before" })).number).toBe(1);
    await importing(board, [
      issue("young", { created_at: day(3), updated_at: day(3) }),
      issue("old"),
      issue("middle", { created_at: day(1), updated_at: day(1) }),
    ]);
    for (const [id, number] of [
      ["old", 2],
      ["middle", 3],
      ["young", 4],
    ] as const)
      expect((await of(board, id)).task.number).toBe(number);
    expect((await board.add({ title: "after" })).number).toBe(5);
  });

  it("says each task in one event, with its edges and comments, in the order of the numbers", async () => {
    const board = await newBoard();
    const { seq } = ok(await call(board.lead, "GET", board.path));
    await importing(board, [
      issue("a", { dependencies: blocks("b"), created_at: day(1), updated_at: day(1) }),
      issue("b", { notes: "Note" }),
    ]);
    const told = await events(board, `&after=${seq}`);
    const [a, b] = [(await of(board, "a")).task, (await of(board, "b")).task];
    expect(told.map((event) => [event.seq, event.kind, event.taskId])).toEqual([
      [seq + 1, "task_created", b.id],
      [seq + 2, "task_created", a.id],
    ]);
    expect([b.changeSeq, a.changeSeq]).toEqual([seq + 1, seq + 2]);
    expect(told[0].data.comments).toMatchObject([{ body: "Note" }]);
    expect(told[1].data.dependsOn).toEqual([b.id]);
  });

  it("with reset brings every task in as todo, ready where nothing blocks it", async () => {
    const board = await newBoard();
    await importing(
      board,
      [
        issue("a", { status: "closed", close_reason: "Done" }),
        issue("b", { status: "in_progress", dependencies: blocks("a") }),
        issue("c", { status: "deferred" }),
        issue("d", { status: "blocked" }),
      ],
      "&reset=true",
    );
    const { tasks } = ok(await call(board.lead, "GET", `${board.path}/tasks`));
    expect(tasks.map((task: { status: string }) => task.status)).toEqual(["todo", "todo", "todo", "todo"]);
    expect((await of(board, "a")).task).toMatchObject({ ready: true, completedAt: null });
    expect((await of(board, "b")).task).toMatchObject({ ready: false, openDependencies: 1 });
  });

  it("of nothing changes nothing", async () => {
    const board = await newBoard();
    expect(await importing(board, [])).toEqual(NOTHING);
  });
});

describe("a dry run", () => {
  it("reports what an import would do, and stores nothing", async () => {
    const board = await newBoard();
    await importing(board, [issue("a"), issue("b")]);
    const source = [
      issue("a", { status: "closed", notes: "Note", updated_at: day(1) }),
      issue("b"),
      issue("c", { dependencies: blocks("a") }),
      issue("gone", { status: "tombstone" }),
    ];
    const before = await contents(board);
    const planned = await importing(board, source, "&dryRun=true");
    expect(await contents(board)).toEqual(before);
    expect(await importing(board, source)).toEqual(planned);
    expect(planned).toEqual({
      ...NOTHING,
      created: 1,
      updated: 1,
      unchanged: 1,
      edges: 1,
      comments: 1,
      skipped: [{ ref: "gone", reason: "tombstone" }],
    });
  });

  it("finds the faults an import would", async () => {
    const board = await newBoard();
    refused(
      await send(board, [issue("a", { dependencies: blocks("x") })], "&dryRun=true"),
      422,
      "import_invalid",
    );
    refused(
      await send(board, [issue("a", { dependencies: blocks("a") })], "&dryRun=true"),
      409,
      "task_dependency_cycle",
    );
  });

  it("does not use up an idempotency key", async () => {
    const board = await newBoard();
    const key = { "idempotency-key": "k" };
    ok(await send(board, [issue("a")], "&dryRun=true", key));
    expect(ok(await send(board, [issue("a")], "", key)).created).toBe(1);
  });
});

it("the same key answers what the first import answered, and imports once", async () => {
  const board = await newBoard();
  const key = { "idempotency-key": "k" };
  const first = await send(board, [issue("a", { notes: "Note" })], "", key);
  const again = await send(board, [issue("a", { notes: "Note" })], "", key);
  expect(ok(again)).toEqual(ok(first));
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  refused(await send(board, [issue("b")], "", key), 422, "idempotency_mismatch");
});
