import assert from "node:assert/strict";
import { test } from "node:test";
import { call, type Json, newBoard, ok, refused } from "./board.ts";

test("a task keeps its text exactly, and is named by its uuid or its number", async () => {
  const board = await newBoard();
  const title = "  Ünïcode 👩‍👩‍👧‍👦 \u202e <b> '; -- ";
  const task = await board.add({ title, description: "a\r\nb\tc", labels: ["x", "y"], priority: 9 });
  const read = (await board.get(`n${task.number}`)).task;
  assert.deepEqual([read.id, read.title, read.description], [task.id, title, "a\r\nb\tc"]);
  assert.deepEqual([read.labels, read.priority, read.status], [["x", "y"], 9, "todo"]);
  refused(await board.ask("GET", "/tasks/n99"), "404 task_not_found");
});

test("a list is walked by cursor: newest first, none twice, none left out", async () => {
  const board = await newBoard();
  const tasks = Array.from({ length: 25 }, (_, n) => ({ ref: `r${n}`, title: `t${n}` }));
  ok(await board.ask("POST", "/plans", { tasks }), 201);
  const seen: number[] = [];
  let cursor = "";
  for (let more = true; more; ) {
    const page = ok(await board.ask("GET", `/tasks?limit=10${cursor}`));
    seen.push(...page.tasks.map(({ number }: Json) => number));
    // What is made meanwhile is newer than all that is still to come.
    await board.add({ title: "meanwhile" });
    more = page.hasMore;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 25 }, (_, n) => 25 - n),
  );
});

test("a cursor that a list cannot have handed out is refused", async () => {
  const board = await newBoard();
  for (const list of ["tasks", "events", "executions", "audit", "tokens", "stuck"])
    refused(await board.ask("GET", `/${list}?cursor=made%20up`), "400 invalid_request");
});

test("an edit under If-Match is made on the version it was meant for, or not at all", async () => {
  const board = await newBoard();
  const { id } = await board.add({ title: "x" });
  const read = await board.ask("GET", `/tasks/${id}`);
  const edit = (title: string, headers: Record<string, string>) =>
    call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { title }, headers);
  const etag = read.headers.get("etag") as string;
  assert.equal(ok(await edit("y", { "if-match": etag })).task.version, read.json.task.version + 1);
  const { task } = refused(await edit("z", { "if-match": etag }), "412 version_mismatch");
  assert.equal(task.title, "y");
  refused(await edit("z", { "if-match-seq": String(read.json.task.changeSeq) }), "412 version_mismatch");
});

test("a move and an edit are both made or neither", async () => {
  const board = await newBoard();
  const { id } = await board.add({ title: "x" });
  const before = await board.get(id);
  const moved = await board.ask("PATCH", `/tasks/${id}`, { title: "y", status: "done" });
  assert.deepEqual(refused(moved, "409 illegal_transition").legalTargets.includes("in_progress"), true);
  assert.deepEqual(await board.get(id), before);
  const { task } = ok(await board.ask("PATCH", `/tasks/${id}`, { title: "y", status: "backlog" }));
  assert.deepEqual([task.title, task.status], ["y", "backlog"]);
});

test("an agent edits what it may of its own task, and nothing of another's", async () => {
  const board = await newBoard();
  const [maker, other] = [await board.mint("maker"), await board.mint("other")];
  const { id } = await board.add({ title: "x" }, maker);
  const edit = (token: string, body: object) => call(token, "PATCH", `${board.path}/tasks/${id}`, body);
  ok(await edit(maker, { title: "y", priority: 3 }));
  refused(await edit(maker, { budgetUsd: 5 }), "403 forbidden");
  refused(await edit(other, { title: "z" }), "403 forbidden");
  refused(await edit(maker, { status: "in_progress" }), "409 claim_required");
});

test("a plan is made whole or not at all, and can be tried first", async () => {
  const board = await newBoard();
  const tasks = [
    { ref: "a", title: "a" },
    { ref: "b", title: "b", dependsOn: ["a"], parentRef: "a" },
  ];
  ok(await board.ask("POST", "/plans", { tasks, dryRun: true }));
  const ring = tasks.with(0, { ref: "a", title: "a", dependsOn: ["b"] } as (typeof tasks)[0]);
  refused(await board.ask("POST", "/plans", { tasks: ring }), "409 task_dependency_cycle");
  assert.deepEqual(ok(await board.ask("GET", "/tasks")).tasks, []);
  const plan = ok(await board.ask("POST", "/plans", { tasks }), 201);
  assert.deepEqual([plan.tasks.length, plan.edges], [2, 1]);
});

test("a task that was dropped is gone from the lists, and comes back as it was", async () => {
  const board = await newBoard();
  const { id } = await board.add({ title: "x" });
  ok(await board.ask("DELETE", `/tasks/${id}`));
  assert.deepEqual(ok(await board.ask("GET", "/tasks")).tasks, []);
  refused(await board.ask("POST", `/tasks/${id}/claim`, {}), "404 task_not_found");
  const { task } = ok(await board.ask("POST", `/tasks/${id}/restore`, {}));
  assert.deepEqual([task.dropped, task.status], [false, "todo"]);
});

test("search finds every term literally, in titles, descriptions and comments", async () => {
  const board = await newBoard();
  const { id } = await board.add({ title: "Write the PARSER", description: "100% of it" });
  await board.add({ title: "Test the parser" });
  ok(await board.ask("POST", `/tasks/${id}/comments`, { body: "see foo(bar)" }), 201);
  const found = async (q: string) =>
    ok(await board.ask("GET", `/tasks?q=${encodeURIComponent(q)}`)).tasks.map(({ number }: Json) => number);
  assert.deepEqual(await found("parser"), [2, 1]);
  assert.deepEqual(await found("parser 100%"), [1]);
  assert.deepEqual(await found("foo(bar) write"), [1]);
  assert.deepEqual(await found("parser OR nothing"), []);
});

test("one externalRef is one task", async () => {
  const board = await newBoard();
  const { id } = await board.add({ title: "x", externalRef: "X-1" });
  const twin = refused(
    await board.ask("POST", "/tasks", { title: "y", externalRef: "X-1" }),
    "409 duplicate",
  );
  assert.equal(twin.taskId, id);
});
