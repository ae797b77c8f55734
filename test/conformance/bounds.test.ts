import assert from "node:assert/strict";
import { test } from "node:test";
import { call, newBoard, ok, refused } from "./board.ts";

test("what agents create is bounded in number, depth and time; a lead is not", async () => {
  const board = await newBoard({ caps: { maxChildren: 2, maxDepth: 1, maxRootCreates: 3 } });
  const worker = await board.mint("builder");
  const add = (token: string, body: object) =>
    call(token, "POST", `${board.path}/tasks`, { title: "x", ...body });
  const root = ok(await add(worker, {}), 201).task.id;
  const child = ok(await add(worker, { parentTaskId: root }), 201).task.id;
  ok(await add(worker, { parentTaskId: root }), 201);
  refused(await add(worker, { parentTaskId: root }), "422 child_cap");
  refused(await add(worker, { parentTaskId: child }), "422 depth_cap");
  for (const status of [201, 201]) ok(await add(worker, {}), status);
  refused(await add(worker, {}), "422 root_rate_cap");
  for (const body of [{}, { parentTaskId: root }, { parentTaskId: child }])
    ok(await add(board.lead, body), 201);
});

test("a budget that is spent tells its holder to stop, and gives out no more", async () => {
  const board = await newBoard({ budgetUsd: 10 });
  const worker = await board.mint("builder");
  const { task, lease } = await board.claim((await board.add({ title: "x" })).id, worker);
  await board.add({ title: "next" });
  const spend = async (costUsd: number) => {
    const body = { leaseToken: lease.token, usage: { costUsd } };
    return ok(await call(worker, "POST", `${board.path}/tasks/${task.id}/heartbeat`, body));
  };
  assert.deepEqual((await spend(8)).directives, []);
  assert.equal((await spend(2)).directives[0].kind, "budget_stop");
  refused(await call(worker, "POST", `${board.path}/tasks/n2/claim`, {}), "409 budget_exhausted");
  assert.equal(ok(await call(worker, "POST", `${board.path}/claims`, {})).budgetExhausted, true);
  const { events } = ok(await board.ask("GET", "/events?kind=budget_warning&kind=budget_stopped"));
  assert.deepEqual(
    events.map(({ kind }: { kind: string }) => kind),
    ["budget_warning", "budget_stopped"],
  );
});

test("a paused board gives nothing out and asks its holders to drain", async () => {
  const board = await newBoard();
  const worker = await board.mint("builder");
  const { task, lease } = await board.claim((await board.add({ title: "x" })).id, worker);
  const { id } = await board.add({ title: "next" });
  ok(await board.ask("PATCH", "", { paused: true }));
  refused(await call(worker, "POST", `${board.path}/tasks/${id}/claim`, {}), "409 board_paused");
  const empty = ok(await call(worker, "POST", `${board.path}/claims`, {}));
  assert.deepEqual([empty.claims, empty.paused], [[], true]);
  const beat = { leaseToken: lease.token };
  const told = ok(await call(worker, "POST", `${board.path}/tasks/${task.id}/heartbeat`, beat));
  assert.equal(told.directives[0].kind, "drain");
  ok(await board.ask("PATCH", "", { paused: false }));
  ok(await call(worker, "POST", `${board.path}/tasks/${id}/claim`, {}));
});

test("bodies, lists and texts have their bounds, and the bound itself is within", async () => {
  const board = await newBoard();
  const padded = (bytes: number) => '{"title":"x"}'.padEnd(bytes, " ");
  ok(await board.ask("POST", "/tasks", padded(262_144)), 201);
  assert.equal(
    refused(await board.ask("POST", "/tasks", padded(262_145)), "413 body_too_large").limit,
    262_144,
  );
  ok(await board.ask("GET", "/tasks?limit=200"));
  refused(await board.ask("GET", "/tasks?limit=201"), "400 invalid_request");
  ok(await board.ask("POST", "/tasks", { title: "😀".repeat(500) }), 201);
  for (const title of ["😀".repeat(501), "", " ", "a\u0000b", "\ud800"])
    refused(await board.ask("POST", "/tasks", { title }), "400 invalid_request");
  for (const priority of [-1, 10, 1.5, "1", null])
    refused(await board.ask("POST", "/tasks", { title: "x", priority }), "400 invalid_request");
});
