import assert from "node:assert/strict";
import { test } from "node:test";
import { call, complete, newBoard, ok, refused } from "./board.ts";

test("the same key and body are answered again, done once; another body is refused", async () => {
  const board = await newBoard();
  const add = (title: string, key: string) =>
    call(board.lead, "POST", `${board.path}/tasks`, { title }, { "idempotency-key": key });
  const twins = await Promise.all(Array.from({ length: 20 }, () => add("once", "key-1")));
  assert.equal(new Set(twins.map((twin) => ok(twin, 201).task.id)).size, 1);
  assert.equal(ok(await board.ask("GET", "/tasks")).tasks.length, 1);
  const again = await add("once", "key-1");
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  refused(await add("another", "key-1"), "422 idempotency_mismatch");
  ok(await add("once", "key-2"), 201);
});

test("a key is its caller's own", async () => {
  const board = await newBoard();
  const keyed = { "idempotency-key": "same" };
  for (const name of ["ann", "ben"]) {
    const token = await board.mint(name);
    ok(await call(token, "POST", `${board.path}/tasks`, { title: "x" }, keyed), 201);
  }
  assert.equal(ok(await board.ask("GET", "/tasks")).tasks.length, 2);
});

test("what was refused is not recorded, and may be asked again under its key", async () => {
  const board = await newBoard();
  const keyed = { "idempotency-key": "later" };
  const add = () =>
    call(board.lead, "POST", `${board.path}/tasks`, { title: "x", parentTaskId: "n1" }, keyed);
  refused(await add(), "422 parent_not_found");
  await board.add({ title: "parent" });
  ok(await add(), 201);
});

test("a claim is answered again while its lease runs, and is lease_lost afterwards, never a fresh grant", async () => {
  const board = await newBoard();
  const worker = await board.mint("builder");
  const { id } = await board.add({ title: "x" });
  const claim = () =>
    call(worker, "POST", `${board.path}/tasks/${id}/claim`, {}, { "idempotency-key": "claim-1" });
  const first = ok(await claim());
  assert.deepEqual(ok(await claim()).lease.token, first.lease.token);
  ok(await complete(board, worker, first, { outcome: "failed", status: "blocked" }));
  ok(await board.ask("PATCH", `/tasks/${id}`, { status: "todo" }));
  assert.equal(refused(await claim(), "409 lease_lost").reason, "completed");
  assert.equal((await board.get(id)).task.status, "todo");
});
