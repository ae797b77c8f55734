import assert from "node:assert/strict";
import { test } from "node:test";
import { call, type Json, newBoard, OPERATOR, ok, refused } from "./board.ts";

test("a board is made, listed, renamed, archived and deleted for good", async () => {
  const board = await newBoard();
  refused(await call(OPERATOR, "POST", "/boards", { id: board.id, name: "x" }), "409 board_exists");
  const listed: string[] = [];
  for (let cursor = ""; ; ) {
    const page = ok(await call(OPERATOR, "GET", `/boards?limit=200${cursor}`));
    listed.push(...page.boards.map(({ id }: Json) => id));
    if (!page.hasMore) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  assert.equal(listed.filter((id) => id === board.id).length, 1);
  assert.equal(ok(await board.ask("PATCH", "", { name: "Renamed" })).board.name, "Renamed");
  ok(await board.ask("PATCH", "", { archived: true }));
  refused(await board.ask("POST", "/tasks", { title: "x" }), "409 board_archived");
  ok(await board.ask("GET", "/tasks"));
  refused(await call(OPERATOR, "DELETE", `${board.path}?confirm=another`), "400 invalid_request");
  ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
  refused(await call(OPERATOR, "GET", board.path), "404 board_not_found");
});

test("a token of a board that was deleted is no good on its successor", async () => {
  const board = await newBoard();
  ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
  ok(await call(OPERATOR, "POST", "/boards", { id: board.id, name: "Successor" }), 201);
  refused(await board.ask("GET", ""), "401 token_revoked");
});

test("settings are checked together, and each fault is named", async () => {
  const board = await newBoard({ maxAttempts: 5 });
  const { settings } = ok(await board.ask("GET", "")).board;
  assert.deepEqual([settings.maxAttempts, settings.leaseTtlMs], [5, 180_000]);
  const wrong = { beatEveryMs: 170_000, backoff: { stepMs: 10, maxMs: 5 } };
  const { issues } = refused(await board.ask("PATCH", "", { settings: wrong }), "422 invalid_settings");
  assert.equal(issues.length, 2);
  refused(await board.ask("PATCH", "", { settings: { surprise: 1 } }), "400 invalid_request");
  assert.deepEqual(ok(await board.ask("GET", "")).board.settings, settings);
});

test("counts, snapshot, graph and statistics tell of the same tasks", async () => {
  const board = await newBoard();
  const worker = await board.mint("builder");
  const first = await board.add({ title: "first" });
  await board.add({ title: "second", dependsOn: [first.id] });
  await board.claim(first.id, worker);
  const { counts } = ok(await board.ask("GET", ""));
  assert.deepEqual([counts.in_progress, counts.todo], [1, 1]);
  const snapshot = ok(await board.ask("GET", "/snapshot"));
  assert.deepEqual(snapshot.counts, counts);
  assert.equal(snapshot.columns.in_progress.tasks[0].id, first.id);
  const graph = ok(await board.ask("GET", "/graph"));
  assert.deepEqual([graph.nodes.length, graph.edges.length], [2, 1]);
  const { agents } = ok(await board.ask("GET", "/agents"));
  assert.equal(agents.find(({ agentId }: Json) => agentId === "builder").held, 1);
  ok(await board.ask("GET", "/stats?days=1"));
});

test("a scraper with a viewer's token reads the board's metrics, in Prometheus' text format", async () => {
  const board = await newBoard();
  await board.add({ title: "ready" });
  const viewer = await board.mint("eyes", "viewer");
  const { status, text, headers } = await call(viewer, "GET", `${board.path}/metrics`);
  assert.deepEqual([status, headers.get("content-type")], [200, "text/plain; version=0.0.4; charset=utf-8"]);
  assert.match(text, /^# HELP edgeboard_tasks .+\n# TYPE edgeboard_tasks gauge\n/);
  assert.match(text, /^edgeboard_tasks\{status="todo"\} 1$/m);
  assert.match(text, /^edgeboard_ready_tasks 1$/m);
  assert.ok(!text.includes(board.id));
  refused(await call(null, "GET", `${board.path}/metrics`), "401 unauthenticated");
});
