/** A board that a later release has brought up, under today's code again: while it rolls out, and after it is rolled back. */
import { evictDurableObject } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import ddl from "../../migrations-free-schema/board.sql";
import directoryDdl from "../../migrations-free-schema/directory.sql";
import { isBehind, saveLineage } from "../../src/board/store/lineage.ts";
import { fingerprint, reconcile } from "../../src/board/store/schema.ts";
import type { Sql } from "../../src/board/store/sql.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { liveTables } from "./live.ts";
import { scratch } from "./scratch.ts";

const OURS = fingerprint(ddl);
/** What the next release may do to the schema: a table, columns, an index made otherwise. */
const LATER = `${ddl.replace("title text not null,", "title text not null, mood text, urgency integer not null default 3,")}
create table if not exists moods (id text not null primary key) strict, without rowid;`;

/** The later release starts on the board, as this one does on an older. */
function later(sql: Sql): void {
  expect(isBehind(sql, "board", fingerprint(LATER))).toBe(true);
  reconcile(sql, LATER);
  saveLineage(sql, "board", fingerprint(LATER));
}

const visit = (board: TestBoard, change: (sql: Sql) => void) =>
  inside(board, ({ sql, storage }) => storage.transactionSync(() => change(sql))).then(() =>
    evictDurableObject(board.stub()),
  );

const stored = (board: TestBoard) =>
  inside(board, ({ sql }) => sql.first("select schema_fingerprint, schema_before from board"));

it("is used as it stands: everything of it works, and what the later release added is left alone", async () => {
  const board = await newBoard();
  const worker = await board.mint("worker");
  const first = await board.add({ title: "first" });
  await visit(board, (sql) => {
    later(sql);
    sql.run("update tasks set mood = 'calm'");
  });
  const second = await board.add({ title: "second", dependsOn: [first.id] });
  const { lease } = await board.claim(first.id, worker);
  const word = { leaseToken: lease.token, outcome: "succeeded", status: "done" };
  const done = ok(await call(worker, "POST", `${board.path}/tasks/${first.id}/complete`, word));
  expect(done.unblocked.map(({ id }: { id: string }) => id)).toEqual([second.id]);
  await inside(board, ({ sql }) => {
    expect(sql.all("select title, mood, urgency from tasks order by number")).toEqual([
      { title: "first", mood: "calm", urgency: 3 },
      { title: "second", mood: null, urgency: 3 },
    ]);
    expect([...liveTables(sql).keys()]).toContain("moods");
  });
});

it("is known to have been used by today's release when the later one comes back", async () => {
  const board = await newBoard();
  await visit(board, later);
  expect(ok(await call(board.lead, "GET", board.path)).board.id).toBe(board.id);
  expect(await stored(board)).toEqual({ schema_fingerprint: OURS, schema_before: JSON.stringify([OURS]) });
  await visit(board, (sql) => {
    later(sql);
    expect(isBehind(sql, "board", fingerprint(LATER))).toBe(false);
  });
  ok(await call(board.lead, "GET", board.path));
});

it("is refused all the same where it never was ours", async () => {
  const board = await newBoard();
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  await visit(board, (sql) => {
    sql.run("alter table tasks add column mood text");
    sql.run("update board set schema_fingerprint = 'foreign', schema_before = '[\"other\"]'");
  });
  expect((await call(board.lead, "GET", board.path)).status).toBe(500);
  expect(log.mock.calls.flat().join()).toContain("tasks.mood");
  log.mockRestore();
});

it("the directory keeps to the same", async () => {
  await scratch(({ sql }) => {
    const ours = fingerprint(directoryDdl);
    reconcile(sql, directoryDdl);
    sql.run("insert into directory (id, schema_fingerprint) values ('directory', ?)", ours);
    saveLineage(sql, "directory", "later");
    expect(isBehind(sql, "directory", ours)).toBe(false);
    expect(isBehind(sql, "directory", "later")).toBe(true);
    expect(isBehind(sql, "directory", "older")).toBe(true);
  });
});
