import assert from "node:assert/strict";
import { test } from "node:test";
import { type Board, call, complete, type Json, newBoard, ok, refused } from "./board.ts";

const link = (board: Board, id: string, dependsOnTaskId: string, extra = {}) =>
  board.ask("POST", `/tasks/${id}/dependencies`, { dependsOnTaskId, ...extra });

const readyOn = async (board: Board): Promise<string[]> =>
  ok(await board.ask("GET", "/tasks?ready=true")).tasks.map(({ title }: Json) => title);

test("a task is ready once all it waits for is done", async () => {
  const board = await newBoard();
  const worker = await board.mint("builder");
  const [a, b] = [await board.add({ title: "a" }), await board.add({ title: "b" })];
  await board.add({ title: "c", dependsOn: [a.id, b.id] });
  for (const [task, ready] of [
    [a, ["b"]],
    [b, ["c"]],
  ] as const) {
    ok(await complete(board, worker, await board.claim(task.id, worker)));
    assert.deepEqual(await readyOn(board), ready);
  }
});

test("an edge that would close a cycle is refused with its path, however long; the same edge twice is one", async () => {
  const board = await newBoard();
  const tasks = Array.from({ length: 50 }, (_, n) => ({
    ref: `${n}`,
    title: `t${n}`,
    dependsOn: n === 0 ? [] : [`${n - 1}`],
  }));
  const plan = ok(await board.ask("POST", "/plans", { tasks }), 201).tasks;
  const [first, last] = [plan[0].id, plan[49].id];
  const { path } = refused(await link(board, first, last), "409 task_dependency_cycle");
  assert.equal(new Set(path).size, 50);
  refused(await link(board, first, first), "409 task_dependency_cycle");
  ok(await link(board, last, first), 201);
  ok(await link(board, last, first));
});

test("a blocker that is cancelled holds, satisfies or cascades, as its edge says", async () => {
  const board = await newBoard();
  const blocker = await board.add({ title: "blocker" });
  const ids: Record<string, string> = {};
  for (const onCancel of ["hold", "satisfy", "cascade"]) {
    ids[onCancel] = (await board.add({ title: onCancel })).id;
    ok(await link(board, ids[onCancel] as string, blocker.id, { onCancel }), 201);
  }
  ok(await board.ask("PATCH", `/tasks/${blocker.id}`, { status: "cancelled" }));
  assert.deepEqual(await readyOn(board), ["satisfy"]);
  assert.equal((await board.get(ids["cascade"] as string)).task.status, "cancelled");
  const { stuck } = ok(await board.ask("GET", "/stuck?reason=unreachable"));
  assert.deepEqual(
    stuck.map(({ task }: Json) => task.id),
    [ids["hold"]],
  );
});

test("a holder cannot finish what has come to wait for something", async () => {
  const board = await newBoard();
  const worker = await board.mint("builder");
  const claim = await board.claim((await board.add({ title: "x" })).id, worker);
  ok(await link(board, claim.task.id, (await board.add({ title: "first" })).id), 201);
  refused(await complete(board, worker, claim), "409 not_ready");
  assert.equal((await board.get(claim.task.id)).task.lease.state, "live");
});

test("parents never go round in a ring, and have no say in what is ready", async () => {
  const board = await newBoard();
  const parent = await board.add({ title: "parent" });
  const child = await board.add({ title: "child", parentTaskId: parent.id });
  const moved = await board.ask("PATCH", `/tasks/${parent.id}`, { parentTaskId: child.id });
  refused(moved, "409 parent_cycle");
  assert.deepEqual((await readyOn(board)).toSorted(), ["child", "parent"]);
  const { ancestors } = ok(await board.ask("GET", `/tasks/${child.id}/ancestors`));
  assert.deepEqual(
    ancestors.map(({ id }: Json) => id),
    [parent.id],
  );
});

test("explain says what a task waits for, and who must act", async () => {
  const board = await newBoard();
  const worker = await board.mint("builder");
  const blocker = await board.add({ title: "blocker" });
  const { id } = await board.add({ title: "x", dependsOn: [blocker.id] });
  await board.claim(blocker.id, worker);
  const told = ok(await call(worker, "GET", `${board.path}/tasks/${id}/explain`));
  assert.equal(JSON.stringify(told).includes("not_ready"), true);
  assert.deepEqual(
    [told.chain[0].id, told.chain[0].state, told.chain[0].mustAct.who],
    [blocker.id, "running", "holder"],
  );
});
