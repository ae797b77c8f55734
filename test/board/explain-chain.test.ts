/** What a task waits for, directly or not: what has to move now, and who moves it. */
import { describe, expect, it } from "vitest";
import type { Explanation } from "../../src/contract/insight.ts";
import type { Task } from "../../src/contract/task.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";

const explain = async (board: TestBoard, id: string): Promise<Explanation> =>
  ok(await call(board.lead, "GET", `${board.path}/tasks/${id}/explain`));

const patch = async (board: TestBoard, id: string, body: object): Promise<Task> =>
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, body)).task;

const drop = async (board: TestBoard, id: string) =>
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${id}`));

const states = (explanation: Explanation) =>
  explanation.chain.map(({ number, state, mustAct }) => [number, state, mustAct.who]);

describe("the chain", () => {
  it("names, of all a task waits for, what has to move now, and who moves it", async () => {
    const board = await newBoard();
    const add = (title: string, dependsOn: Task[] = [], more = {}) =>
      board.add({ title, dependsOn: dependsOn.map(({ id }) => id), ...more });
    const ready = await add("ready");
    const running = await add("running");
    const blocked = await add("blocked", [], { status: "blocked" });
    const later = await add("later", [], { notBefore: Date.now() + 3_600_000 });
    const backlog = await add("backlog", [], { status: "backlog" });
    const done = await add("done");
    const middle = await add("middle", [ready, running, done]);
    const top = await add("top", [middle, blocked, later, backlog]);
    await board.claim(running.id, await board.mint("worker"));
    await patch(board, done.id, { status: "in_progress" });
    await patch(board, done.id, { status: "done" });
    const told = await explain(board, top.id);
    expect(told.blockers.map(({ number, onCancel }) => [number, onCancel])).toEqual(
      [blocked, later, backlog, middle].map(({ number }) => [number, "hold"]),
    );
    expect(states(told)).toEqual([
      [ready.number, "ready", "agent"],
      [running.number, "running", "holder"],
      [blocked.number, "blocked", "lead"],
      [later.number, "deferred", "clock"],
      [backlog.number, "backlog", "lead"],
    ]);
    expect(told.chain[1]?.holder).toMatchObject({ agentId: "worker", state: "live" });
    expect(told.chain[3]?.notBefore).toBe(later.notBefore);
    expect(told.reasons[0]?.mustAct.action).toContain(`n${blocked.number}`);
    expect(told.notes).toEqual([]);
  });

  it("puts what cannot finish first, and goes no further there: cancelled and held, or dropped", async () => {
    const board = await newBoard();
    const behind = await board.add({ title: "behind" });
    const open = await board.add({ title: "open" });
    const cancelled = await board.add({ title: "cancelled", dependsOn: [behind.id] });
    const dropped = await board.add({ title: "dropped" });
    const fine = await board.add({ title: "cancelled, and that is fine" });
    const middle = await board.add({ title: "middle", dependsOn: [cancelled.id, dropped.id] });
    const top = await board.add({ title: "top", dependsOn: [open.id, middle.id] });
    const link = { dependsOnTaskId: fine.id, onCancel: "satisfy" };
    ok(await call(board.lead, "POST", `${board.path}/tasks/${top.id}/dependencies`, link), 201);
    for (const { id } of [cancelled, fine]) await patch(board, id, { status: "cancelled" });
    await drop(board, dropped.id);
    const told = await explain(board, top.id);
    expect(states(told)).toEqual([
      [cancelled.number, "unreachable", "lead"],
      [dropped.number, "unreachable", "lead"],
      [open.number, "ready", "agent"],
    ]);
    expect(told.chain.map((link) => link.dropped)).toEqual([false, true, false]);
    expect(told.reasons[0]?.mustAct.action).toContain(`Unlink n${cancelled.number}`);
  });

  it("ends on damaged edges that go round in a circle, and says so", async () => {
    const board = await newBoard();
    const a = await board.add({ title: "a" });
    const b = await board.add({ title: "b", dependsOn: [a.id] });
    const c = await board.add({ title: "c", dependsOn: [b.id] });
    await inside(board, ({ sql }) => {
      sql.run("insert into task_deps (task_id, depends_on_task_id, created_at) values (?, ?, 1)", a.id, b.id);
      sql.run("update tasks set open_deps = 1 where id = ?", a.id);
    });
    for (const [task, name] of [
      [a, `n${a.number} waits for itself`],
      [c, `What n${c.number} waits for waits for itself`],
    ] as const) {
      const told = await explain(board, task.id);
      expect(told.chain).toEqual([]);
      expect(told.notes).toMatchObject([{ kind: "cycle", detail: expect.stringContaining(name) }]);
      expect(told.reasons).toMatchObject([{ code: "not_ready", mustAct: { who: "lead" } }]);
    }
  });

  it("shows two hundred links of a wide plan and says that there are more", async () => {
    const board = await newBoard();
    const refs = Array.from({ length: 250 }, (_, index) => ({ ref: `r${index}`, title: "wide" }));
    const tasks = [...refs, { ref: "top", title: "top", dependsOn: refs.map(({ ref }) => ref) }];
    const made = ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201).tasks;
    const told = await explain(board, made.at(-1).id);
    expect([told.chain.length, told.blockers.length, told.truncated]).toEqual([200, 100, true]);
    expect(told.reasons[0]?.openDependencies).toBe(250);
  });
});

it("a wait between relatives is mentioned from either end, and holds nobody back but the one who waits", async () => {
  const board = await newBoard();
  const parent = await board.add({ title: "parent" });
  const child = await board.add({ title: "child", parentTaskId: parent.id });
  const between = await board.add({ title: "between", dependsOn: [child.id] });
  const link = { dependsOnTaskId: between.id };
  ok(await call(board.lead, "POST", `${board.path}/tasks/${parent.id}/dependencies`, link), 201);
  const [above, below] = [await explain(board, parent.id), await explain(board, child.id)];
  expect(above.notes).toMatchObject([
    {
      kind: "family",
      task: { id: child.id },
      detail: expect.stringMatching(/^n1 waits for n2, its own descendant/),
    },
  ]);
  expect(above.chain).toMatchObject([{ id: child.id, state: "ready" }]);
  expect(below).toMatchObject({ ready: true, claimable: true, notes: [] });
  const grandchild = await board.add({ title: "grandchild", parentTaskId: child.id, dependsOn: [parent.id] });
  expect((await explain(board, grandchild.id)).notes).toMatchObject([
    { task: { id: parent.id }, detail: expect.stringMatching(/^n4 waits for n1, its own ancestor/) },
    { task: { id: child.id }, detail: expect.stringMatching(/^n4 waits for n2, its own ancestor/) },
  ]);
  expect((await explain(board, parent.id)).notes).toMatchObject([
    { task: { id: child.id } },
    { task: { id: grandchild.id }, detail: expect.stringMatching(/^n4 waits for n1, its own ancestor/) },
  ]);
});
