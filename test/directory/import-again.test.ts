/** A source imported again: what is the same, what is newer, what is new. */
import { describe, expect, it } from "vitest";
import { call, events, newBoard, ok } from "../support/api.ts";
import { blocks, childOf, contents, DAY, day, importing, issue, NOTHING, of, START } from "./beads.ts";

describe("an import again", () => {
  const SOURCE = [
    issue("a", {
      notes: "Note",
      labels: ["x"],
      comments: [{ author: "carl", text: "Hm", created_at: day(1) }],
    }),
    issue("b", { dependencies: [...blocks("a"), childOf("a")] }),
  ];

  it("of the same source changes nothing", async () => {
    const board = await newBoard();
    await importing(board, SOURCE);
    const before = (await contents(board)).filter(([table]) => table !== "audit");
    expect(await importing(board, SOURCE)).toEqual({ ...NOTHING, unchanged: 2 });
    expect((await contents(board)).filter(([table]) => table !== "audit")).toEqual(before);
  });

  it("never overwrites what was edited here since", async () => {
    const board = await newBoard();
    await importing(board, SOURCE);
    const { task } = await of(board, "a");
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${task.id}`, { title: "Ours" }));
    const report = await importing(board, [
      { ...SOURCE[0], title: "Theirs", updated_at: day(1) },
      ...SOURCE.slice(1),
    ]);
    expect(report).toEqual({ ...NOTHING, staleSkipped: 1, unchanged: 1 });
    expect((await of(board, "a")).task.title).toBe("Ours");
  });

  it("takes over what is newer in the source, and keeps number, comments and everything of ours", async () => {
    const board = await newBoard();
    await importing(board, SOURCE);
    const { task: before } = await of(board, "a");
    ok(await call(board.lead, "POST", `${board.path}/tasks/${before.id}/comments`, { body: "Ours" }), 201);
    const report = await importing(board, [
      {
        ...SOURCE[0],
        title: "Theirs",
        priority: 0,
        labels: ["y"],
        issue_type: "bug",
        status: "closed",
        updated_at: day(2),
        closed_at: day(2),
        close_reason: "Fixed",
      },
      SOURCE[1] as object,
    ]);
    expect(report).toEqual({ ...NOTHING, updated: 1, unchanged: 1, comments: 1 });
    const { task: after, comments } = await of(board, "a", "comments");
    expect(after).toMatchObject({
      id: before.id,
      number: before.number,
      title: "Theirs",
      priority: 4,
      labels: ["y"],
      kind: "bug",
      status: "done",
      updatedAt: START + 2 * DAY,
      completedAt: START + 2 * DAY,
      createdAt: START,
      version: before.version + 1,
    });
    expect(comments.map(({ body }: { body: string }) => body)).toEqual(["Note", "Hm", "Ours", "Fixed"]);
    expect((await of(board, "b")).task).toMatchObject({ openDependencies: 0, ready: true });
    const { counts } = ok(await call(board.lead, "GET", board.path));
    expect(counts).toMatchObject({ todo: 1, done: 1 });
  });

  it("does not say a comment twice, however often a newer source brings it", async () => {
    const board = await newBoard();
    await importing(board, SOURCE);
    for (const n of [1, 2, 3])
      expect(await importing(board, [{ ...SOURCE[0], updated_at: day(n) }])).toMatchObject({
        updated: 1,
        comments: 0,
      });
    expect((await of(board, "a", "comments")).comments).toHaveLength(2);
  });

  it("tells each task it updates in one event", async () => {
    const board = await newBoard();
    await importing(board, SOURCE);
    const { seq } = ok(await call(board.lead, "GET", board.path));
    await importing(board, [
      { ...SOURCE[0], status: "closed", updated_at: day(1) },
      { ...SOURCE[1], title: "New", updated_at: day(1) },
    ]);
    const told = await events(board, `&after=${seq}`);
    const ids = [(await of(board, "a")).task.id, (await of(board, "b")).task.id];
    expect(told.map((event) => [event.kind, event.taskId])).toEqual([
      ["status_changed", ids[0]],
      ["task_edited", ids[1]],
    ]);
    expect(told[0].data).toMatchObject({ from: "todo", to: "done" });
    expect(told[1].data.fields).toMatchObject({ title: "New" });
  });

  it("tells the edges and comments an update brought, as it does for a new task", async () => {
    const board = await newBoard();
    await importing(board, [issue("a"), issue("b")]);
    const { seq } = ok(await call(board.lead, "GET", board.path));
    await importing(board, [issue("a", { dependencies: blocks("b"), notes: "Later", updated_at: day(1) })]);
    const b = (await of(board, "b")).task;
    const [told] = await events(board, `&after=${seq}`);
    expect(told.data.dependsOn).toEqual([b.id]);
    expect(told.data.comments).toMatchObject([{ body: "Later" }]);
  });

  it("adds what is new next to what is known", async () => {
    const board = await newBoard();
    await importing(board, [issue("a")]);
    const report = await importing(board, [
      issue("a"),
      issue("n", { dependencies: [...blocks("a"), childOf("a")] }),
    ]);
    expect(report).toEqual({ ...NOTHING, created: 1, unchanged: 1, edges: 1 });
    const [a, n] = [await of(board, "a"), await of(board, "n")];
    expect(n.task).toMatchObject({ number: 2, openDependencies: 1, parentTaskId: a.task.id });
  });

  it("may name tasks that are on the board and not in the source", async () => {
    const board = await newBoard();
    await importing(board, [issue("a"), issue("done", { status: "closed" })]);
    expect(
      await importing(board, [issue("n", { dependencies: [...blocks("a", "done"), childOf("a")] })]),
    ).toMatchObject({
      created: 1,
      edges: 2,
    });
    expect((await of(board, "n")).task.openDependencies).toBe(1);
  });

  it("deletes nothing that the source no longer has", async () => {
    const board = await newBoard();
    await importing(board, SOURCE);
    expect(await importing(board, [{ ...issue("b"), updated_at: day(1) }])).toMatchObject({ updated: 1 });
    expect((await of(board, "a")).task.status).toBe("todo");
    expect((await of(board, "b")).task.openDependencies).toBe(1);
  });

  it("makes a new task where the old one was dropped", async () => {
    const board = await newBoard();
    await importing(board, [issue("a")]);
    const { task } = await of(board, "a");
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${task.id}`));
    expect(await importing(board, [issue("a")])).toMatchObject({ created: 1 });
    expect((await of(board, "a")).task.id).not.toBe(task.id);
  });

  it("leaves a task that is worked on with its holder, whatever status the source has", async () => {
    const board = await newBoard();
    await importing(board, [issue("a"), issue("b")]);
    const worker = await board.mint("ada");
    const { task } = await of(board, "a");
    const { lease } = await board.claim(task.id, worker);
    const far = new Date(Date.now() + DAY).toISOString();
    const report = await importing(board, [
      issue("a", { title: "Theirs", status: "closed", updated_at: far }),
      issue("b", { title: "Theirs", updated_at: far }),
    ]);
    expect(report).toMatchObject({ updated: 2 });
    expect(await board.get(task.id)).toMatchObject({
      title: "Theirs",
      status: "in_progress",
      assigneeAgentId: "ada",
      completedAt: null,
      lease: { state: "live", epoch: 1 },
    });
    ok(await call(worker, "POST", `${board.path}/tasks/${task.id}/heartbeat`, { leaseToken: lease.token }));
  });

  it("leaves a finished task finished, whatever status the source has", async () => {
    const board = await newBoard();
    await importing(board, [issue("a", { status: "closed", closed_at: day(0) })]);
    await importing(board, [issue("a", { title: "Reopened", updated_at: day(1) })]);
    expect((await of(board, "a")).task).toMatchObject({
      title: "Reopened",
      status: "done",
      completedAt: START,
    });
  });

  it("that moves a blocked task to todo frees it for whoever comes next", async () => {
    const board = await newBoard();
    await importing(board, [issue("a")]);
    const worker = await board.mint("ada");
    const { task } = await of(board, "a");
    const { lease } = await board.claim(task.id, worker);
    ok(
      await call(worker, "PATCH", `${board.path}/tasks/${task.id}`, {
        status: "blocked",
        blockedReason: "No key",
        leaseToken: lease.token,
      }),
    );
    await importing(board, [issue("a", { updated_at: new Date(Date.now() + DAY).toISOString() })]);
    expect(await board.get(task.id)).toMatchObject({
      status: "todo",
      assigneeAgentId: null,
      blockedReason: null,
      ready: true,
    });
    await board.claim(task.id, await board.mint("bert"));
  });
});
