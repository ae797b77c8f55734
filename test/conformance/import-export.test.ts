import assert from "node:assert/strict";
import { test } from "node:test";
import { type Board, call, complete, newBoard, ok, refused } from "./board.ts";

const TEXT = { "content-type": "application/x-ndjson" };
const AT = "2025-01-01T00:00:00Z";

const bead = (id: string, fields: object = {}): string =>
  JSON.stringify({ id, title: id, status: "open", priority: 0, created_at: AT, updated_at: AT, ...fields });

const bring = (board: Board, format: string, source: string, extra = "") =>
  call(board.lead, "POST", `${board.path}/import?format=${format}${extra}`, source, TEXT);

/** Without the header, which says when and from where. */
const linesOf = (text: string): string[] => text.trim().split("\n").slice(1);

test("an export makes an empty board the same again, and changes nothing where it came from", async () => {
  const [board, copy] = [await newBoard(), await newBoard()];
  const worker = await board.mint("builder");
  const first = await board.add({
    title: "first",
    description: "Ünïcode 👩‍👩‍👧‍👦",
    labels: ["a"],
    externalRef: "X-1",
  });
  await board.add({ title: "second", dependsOn: [first.id], parentTaskId: first.id });
  ok(await board.ask("POST", `/tasks/${first.id}/comments`, { body: "said" }), 201);
  ok(await complete(board, worker, await board.claim(first.id, worker), { summary: "did it" }));
  const exported = await board.ask("GET", "/export");
  assert.equal(exported.headers.get("content-type"), "application/x-ndjson");
  assert.equal(JSON.parse(linesOf(exported.text).at(-1) as string).type, "end");
  assert.equal(ok(await bring(copy, "edgeboard", exported.text)).created, 2);
  assert.deepEqual(linesOf((await copy.ask("GET", "/export")).text), linesOf(exported.text));
  assert.equal(ok(await bring(board, "edgeboard", exported.text)).unchanged, 2);
});

test("an import is tried first, comes in whole or not at all, and a second time changes nothing", async () => {
  const board = await newBoard();
  const blocked = { dependencies: [{ depends_on_id: "bd-1", type: "blocks" }] };
  const source = [bead("bd-1"), bead("bd-2", blocked)].join("\n");
  assert.equal(ok(await bring(board, "beads", source, "&dryRun=true")).created, 2);
  const { issues } = refused(await bring(board, "beads", `${source}\n{"id":`), "422 import_invalid");
  assert.match(issues[0].message, /\w/);
  assert.deepEqual(ok(await board.ask("GET", "/tasks")).tasks, []);
  const report = ok(await bring(board, "beads", source));
  assert.deepEqual([report.created, report.edges], [2, 1]);
  const { seq } = ok(await board.ask("GET", ""));
  assert.equal(ok(await bring(board, "beads", source)).unchanged, 2);
  assert.equal(ok(await board.ask("GET", "")).seq, seq);
});

test("Task Master's file comes in with its tags and subtasks", async () => {
  const board = await newBoard();
  const task = {
    id: 1,
    title: "one",
    status: "pending",
    dependencies: [],
    subtasks: [{ id: 1, title: "part", status: "done" }],
  };
  const source = JSON.stringify({ master: { tasks: [task] } });
  assert.equal(ok(await bring(board, "taskmaster", source)).created, 2);
  const { tasks } = ok(await board.ask("GET", "/tasks?externalRef=master/1"));
  assert.equal(tasks[0].title, "one");
});

test("what is larger than a body comes in parts, in any order, and is seen by nobody before its commit", async () => {
  const board = await newBoard();
  const begun = ok(await board.ask("POST", "/imports", { format: "beads" }), 201);
  const path = `${board.path}/imports/${begun.id}`;
  const source = `${bead("bd-1")}\n${bead("bd-2")}`;
  const part = (n: number, text: string) => call(board.lead, "PUT", `${path}/parts/${n}`, text, TEXT);
  ok(await part(2, source.slice(40)));
  refused(await call(board.lead, "POST", `${path}/commit`, {}), "422 import_invalid");
  ok(await part(1, source.slice(0, 40)));
  assert.deepEqual(ok(await board.ask("GET", "/tasks")).tasks, []);
  const report = ok(await call(board.lead, "POST", `${path}/commit`, {}));
  assert.equal(report.created, 2);
  assert.deepEqual(ok(await call(board.lead, "POST", `${path}/commit`, {})), report);
  ok(await call(board.lead, "DELETE", path), 204);
  refused(await part(3, "x"), "404 import_not_found");
});
