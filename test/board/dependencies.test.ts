/** Who waits for whom, and what the end of a task means for those that wait. */
import { describe, expect, it } from "vitest";
import type { Task } from "../../src/contract/task.ts";
import { call, events, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";

async function finish(board: TestBoard, worker: string, id: string) {
  const { lease } = await board.claim(id, worker);
  return ok(
    await call(worker, "POST", `${board.path}/tasks/${id}/complete`, {
      leaseToken: lease.token,
      outcome: "succeeded",
      status: "done",
    }),
  );
}

const link = (board: TestBoard, id: string, dependsOnTaskId: string, more = {}) =>
  call(board.lead, "POST", `${board.path}/tasks/${id}/dependencies`, { dependsOnTaskId, ...more });

const ids = (tasks: { id: string }[]) => tasks.map((task) => task.id);

describe("a task that waits", () => {
  it("is ready only after every blocker is done, and the last completion names it", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const a = await board.add({ title: "a" });
    const [b, c] = [
      await board.add({ title: "b", dependsOn: [a.id] }),
      await board.add({ title: "c", dependsOn: [`n${a.number}`] }),
    ];
    const d = await board.add({ title: "d", dependsOn: [b.id, c.id] });
    expect(ids((await finish(board, worker, a.id)).unblocked)).toEqual([b.id, c.id]);
    expect((await finish(board, worker, b.id)).unblocked).toEqual([]);
    const problem = refused(
      await call(worker, "POST", `${board.path}/tasks/${d.id}/claim`, {}),
      409,
      "not_ready",
    );
    expect(ids(problem.openBlockers)).toEqual([c.id]);
    expect(await finish(board, worker, c.id)).toMatchObject({ unblockedCount: 1, unblocked: [{ id: d.id }] });
    expect(await board.get(d.id)).toMatchObject({ ready: true, openDependencies: 0 });
  });

  it("cannot be completed while held back by a link made meanwhile, unless a lead overrides", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const [task, blocker] = [await board.add({ title: "t" }), await board.add({ title: "late blocker" })];
    const { lease } = await board.claim(task.id, worker);
    ok(await link(board, task.id, blocker.id), 201);
    const path = `${board.path}/tasks/${task.id}`;
    const done = { leaseToken: lease.token, outcome: "succeeded", status: "done" };
    refused(await call(worker, "POST", `${path}/complete`, done), 409, "not_ready");
    const override = { status: "done", displace: true, humanOverride: true, overrideReason: "good enough" };
    ok(await call(board.lead, "PATCH", path, override));
    const { entries } = ok(await call(board.lead, "GET", `${board.path}/audit?kind=human_override`));
    expect(entries).toMatchObject([{ taskId: task.id, priorStatus: "in_progress", reason: "good enough" }]);
  });

  it("is refused a link once it has ended", async () => {
    const board = await newBoard();
    const [a, b] = [await board.add({ title: "a" }), await board.add({ title: "b" })];
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${a.id}`, { status: "cancelled" }));
    refused(await link(board, a.id, b.id), 409, "terminal");
  });

  it("is ready again when unlinked; unlinking what is not linked changes nothing", async () => {
    const board = await newBoard();
    const a = await board.add({ title: "a" });
    const b = await board.add({ title: "b", dependsOn: [a.id] });
    const path = `${board.path}/tasks/${b.id}/dependencies/${a.id}`;
    expect(ok(await call(board.lead, "DELETE", path)).task).toMatchObject({
      ready: true,
      openDependencies: 0,
    });
    const before = (await events(board)).length;
    ok(await call(board.lead, "DELETE", path));
    expect(await events(board)).toHaveLength(before);
  });
});

describe("an edge", () => {
  it("that stands already is linked again without an event", async () => {
    const board = await newBoard();
    const [a, b] = [await board.add({ title: "a" }), await board.add({ title: "b" })];
    ok(await link(board, b.id, a.id), 201);
    const before = (await events(board)).length;
    expect(ok(await link(board, b.id, a.id)).task.openDependencies).toBe(1);
    expect(await events(board)).toHaveLength(before);
  });

  it("onto itself, or that closes a cycle of any length, is refused with the path", async () => {
    const board = await newBoard();
    const tasks: Task[] = [];
    for (const title of ["a", "b", "c", "d"]) tasks.push(await board.add({ title }));
    const [a, b, c, d] = tasks as [Task, Task, Task, Task];
    for (const [from, to] of [
      [b, a],
      [c, b],
      [d, c],
    ] as const)
      ok(await link(board, from.id, to.id), 201);
    expect(refused(await link(board, a.id, a.id), 409, "task_dependency_cycle").path).toEqual([a.id, a.id]);
    expect(refused(await link(board, a.id, d.id), 409, "task_dependency_cycle").path).toEqual([
      a.id,
      d.id,
      c.id,
      b.id,
      a.id,
    ]);
  });

  it("and its opposite, linked at once, never both stand", async () => {
    const board = await newBoard();
    for (let pair = 0; pair < 20; pair++) {
      const [a, b] = [await board.add({ title: "a" }), await board.add({ title: "b" })];
      const replies = await Promise.all([link(board, a.id, b.id), link(board, b.id, a.id)]);
      expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409]);
    }
  });

  it("between a task and its parent is legal: hierarchy never affects readiness", async () => {
    const board = await newBoard();
    const parent = await board.add({ title: "parent" });
    const child = await board.add({ title: "child", parentTaskId: parent.id });
    ok(await link(board, parent.id, child.id), 201);
    expect((await board.get(child.id)).ready).toBe(true);
    expect((await board.get(parent.id)).ready).toBe(false);
  });

  it("is a worker's to make on tasks it holds or created only", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const [other, own] = [await board.add({ title: "other" }), await board.add({ title: "own" }, worker)];
    const as = (id: string, dependsOnTaskId: string) =>
      call(worker, "POST", `${board.path}/tasks/${id}/dependencies`, { dependsOnTaskId });
    refused(await as(other.id, own.id), 403, "forbidden");
    ok(await as(own.id, other.id), 201);
    refused(await as(own.id, crypto.randomUUID()), 422, "dependency_not_found");
  });
});

describe("a cancelled blocker", () => {
  it("holds, satisfies or cascades, as each edge says", async () => {
    const board = await newBoard();
    const [blocker, held, freed, cancelled, behind] = (await Promise.all(
      ["blocker", "held", "freed", "cancelled", "behind"].map((title) => board.add({ title })),
    )) as [Task, Task, Task, Task, Task];
    ok(await link(board, held.id, blocker.id), 201);
    ok(await link(board, freed.id, blocker.id, { onCancel: "satisfy" }), 201);
    ok(await link(board, cancelled.id, blocker.id, { onCancel: "cascade" }), 201);
    ok(await link(board, behind.id, cancelled.id, { onCancel: "cascade" }), 201);
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${blocker.id}`, { status: "cancelled" }));
    expect(await board.get(held.id)).toMatchObject({ status: "todo", ready: false, openDependencies: 1 });
    expect(await board.get(freed.id)).toMatchObject({ status: "todo", ready: true, openDependencies: 0 });
    expect((await board.get(cancelled.id)).status).toBe("cancelled");
    expect((await board.get(behind.id)).status).toBe("cancelled");
    const cascaded = (await events(board)).filter((event) => event.data.reason === "cascade");
    expect(cascaded.map((event) => event.taskId).sort()).toEqual([cancelled.id, behind.id].sort());
    expect(ok(await call(board.lead, "GET", board.path)).counts).toMatchObject({ cancelled: 3, todo: 2 });
  });
});

describe("cancel-dependents", () => {
  it("cancels what is pending downstream, leaves the rest, and ends on a corrupt cycle", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const a = await board.add({ title: "a" });
    const b = await board.add({ title: "b", dependsOn: [a.id] });
    const c = await board.add({ title: "c", dependsOn: [b.id], status: "backlog" });
    const running = await board.add({ title: "running" });
    await board.claim(running.id, worker);
    ok(await link(board, running.id, a.id), 201);
    await inside(board, ({ sql }) =>
      sql.run("insert into task_deps (task_id, depends_on_task_id, created_at) values (?, ?, 1)", a.id, c.id),
    );
    const { cancelled } = ok(
      await call(board.lead, "POST", `${board.path}/tasks/${a.id}/cancel-dependents`, {}),
    );
    expect(ids(cancelled)).toEqual([b.id, c.id]);
    expect((await board.get(running.id)).status).toBe("in_progress");
    const { tasks } = ok(await call(board.lead, "GET", `${board.path}/tasks/${a.id}/dependents`));
    expect(ids(tasks)).toEqual([b.id, c.id, running.id]);
  });
});

describe("a drop", () => {
  it("of a blocker holds its dependents until it is restored and done", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const a = await board.add({ title: "a" });
    const b = await board.add({ title: "b", dependsOn: [a.id] });
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${a.id}`));
    expect((await board.get(b.id)).ready).toBe(false);
    ok(await call(board.lead, "POST", `${board.path}/tasks/${a.id}/restore`, {}));
    await finish(board, worker, a.id);
    expect((await board.get(b.id)).ready).toBe(true);
  });

  it("of held work ends the run and keeps the task as todo, so that restoring revives no holder", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const { id } = await board.add({ title: "t" });
    const { lease } = await board.claim(id, worker);
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${id}`));
    const beat = await call(worker, "POST", `${board.path}/tasks/${id}/heartbeat`, {
      leaseToken: lease.token,
    });
    expect(refused(beat, 409, "lease_lost").reason).toBe("cancelled");
    refused(await call(worker, "POST", `${board.path}/tasks/${id}/claim`, {}), 404, "task_not_found");
    const { task } = ok(await call(board.lead, "POST", `${board.path}/tasks/${id}/restore`, {}));
    expect(task).toMatchObject({
      status: "todo",
      assigneeAgentId: null,
      lease: null,
      ready: true,
      dropped: false,
    });
  });
});

describe("ancestors", () => {
  it("are listed nearest first, also where damage made them a cycle", async () => {
    const board = await newBoard();
    const root = await board.add({ title: "root" });
    const mid = await board.add({ title: "mid", parentTaskId: root.id });
    const leaf = await board.add({ title: "leaf", parentTaskId: mid.id });
    const read = async () =>
      ids(ok(await call(board.lead, "GET", `${board.path}/tasks/${leaf.id}/ancestors`)).ancestors);
    expect(await read()).toEqual([mid.id, root.id]);
    refused(
      await call(board.lead, "PATCH", `${board.path}/tasks/${root.id}`, { parentTaskId: leaf.id }),
      409,
      "parent_cycle",
    );
    await inside(board, ({ sql }) =>
      sql.run("update tasks set parent_task_id = ? where id = ?", leaf.id, root.id),
    );
    expect(await read()).toEqual([mid.id, root.id, leaf.id]);
  });
});
