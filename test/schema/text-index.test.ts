/** The index of texts as part of the schema: made, missed, drifted, filled anew, and never in the way of rows. */
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import ddl from "../../migrations-free-schema/board.sql";
import { readSchema } from "../../src/board/store/ddl.ts";
import { install, reconcile, SchemaRefused } from "../../src/board/store/schema.ts";
import type { Sql } from "../../src/board/store/sql.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { schemaOf, scratch } from "./scratch.ts";

const INDEX = readSchema(ddl).filter(({ text }) => /\btask_(?:search|texts|trigrams)\b/.test(text));

async function found(board: TestBoard, q: string): Promise<string[]> {
  const { tasks } = ok(await call(board.lead, "GET", `${board.path}/tasks?q=${encodeURIComponent(q)}`));
  return tasks.map(({ title }: { title: string }) => title).sort();
}

/** A board with texts, changed behind its back, and started anew with another schema than it remembers. */
async function aged(change: (sql: Sql) => void): Promise<TestBoard> {
  const board = await newBoard();
  await board.add({ title: "heron", description: "stands in the 川" });
  const egret = await board.add({ title: "egret" });
  ok(
    await call(board.lead, "POST", `${board.path}/tasks/${egret.id}/comments`, {
      body: "seen at the 川 too",
    }),
    201,
  );
  await inside(board, ({ sql, storage }) =>
    storage.transactionSync(() => {
      change(sql);
      sql.run("update board set schema_fingerprint = 'old'");
    }),
  );
  await evictDurableObject(board.stub());
  return board;
}

/** Everything is found, and what is written from now on, too. */
async function finds(board: TestBoard): Promise<void> {
  expect([await found(board, "stands"), await found(board, "seen"), await found(board, "川")]).toEqual([
    ["heron"],
    ["egret"],
    ["egret", "heron"],
  ]);
  const stork = await board.add({ title: "stork" });
  ok(
    await call(board.lead, "POST", `${board.path}/tasks/${stork.id}/comments`, { body: "above the 川" }),
    201,
  );
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/n1`, { title: "grey heron" }));
  expect([await found(board, "above"), await found(board, "川"), await found(board, "grey")]).toEqual([
    ["stork"],
    ["egret", "grey heron", "stork"],
    ["grey heron"],
  ]);
  await inside(board, ({ sql }) =>
    sql.run("insert into task_search (task_search, rank) values ('integrity-check', 1)"),
  );
}

const dropIndex = (sql: Sql) => {
  for (const { kind, name } of INDEX.toReversed()) sql.run(`drop ${kind} ${name}`);
};

describe("a board that is opened by this release", () => {
  it("and has no index at all gains it, with all its texts in it", async () => {
    const board = await aged(dropIndex);
    await finds(board);
    const schema = await inside(board, ({ sql }) => schemaOf(sql));
    expect(schema).toEqual(await inside(await newBoard(), ({ sql }) => schemaOf(sql)));
  });

  it("and has another index gains this one", async () => {
    await finds(
      await aged((sql) => {
        dropIndex(sql);
        sql.run(
          "create virtual table task_search using fts5 (text, content = 'task_texts', content_rowid = 'id')",
        );
      }),
    );
  });

  it.each([
    ["whose triggers are missing", (sql: Sql) => sql.run("drop trigger task_search_said")],
    [
      "whose triggers wrote something else",
      (sql: Sql) => {
        sql.run("drop trigger task_search_created");
        sql.run("create trigger task_search_created after insert on tasks begin select 1; end");
      },
    ],
    [
      "whose source read something else",
      (sql: Sql) => {
        sql.run("drop view task_texts");
        sql.run("create view task_texts as select number << 32 as id, title as text from tasks");
      },
    ],
  ])("and has an index %s has it filled anew", async (_what, change) => {
    await finds(
      await aged((sql) => {
        change(sql);
        sql.run("insert into task_search (task_search) values ('delete-all')");
      }),
    );
  });

  it("and has this index keeps it as it is", async () => {
    const board = await aged((sql) => sql.run("insert into task_search (task_search) values ('delete-all')"));
    expect(await found(board, "stands")).toEqual([]);
  });
});

describe("reconciling", () => {
  const TEXTS = `create table if not exists notes (id integer primary key, body text not null) strict;
    create virtual table if not exists notes_index using fts5 (body, content = 'notes', content_rowid = 'id');`;

  it("with the same text writes nothing, and looks past the tables an index is kept in", () =>
    scratch(({ sql, costs }) => {
      install(sql, ddl);
      costs.length = 0;
      reconcile(sql, ddl);
      expect(costs.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)).toBe(0);
    }));

  it("fills an index over a plain table, and makes it anew where its text drifted", () =>
    scratch(({ sql }) => {
      install(sql, TEXTS.split(";")[0] as string);
      sql.run("insert into notes (body) values ('a heron'), ('an egret')");
      const count = (q: string) =>
        sql.number("select count(*) from notes_index where notes_index match ?", q);
      reconcile(sql, TEXTS);
      expect([count("heron"), count("her")]).toEqual([1, 0]);
      reconcile(sql, TEXTS.replace("content_rowid = 'id'", "content_rowid = 'id', tokenize = 'trigram'"));
      expect([count("heron"), count("her")]).toEqual([1, 1]);
    }));

  it.each([
    ["a virtual table with rows of its own", "create virtual table notes_index using fts5 (body)"],
    ["a table", "create table notes_index (body text) strict"],
  ])("never drops %s", (_what, standing) =>
    scratch(({ sql, storage }) => {
      sql.run(standing);
      sql.run("insert into notes_index (body) values ('kept')");
      expect(() => storage.transactionSync(() => reconcile(sql, TEXTS))).toThrow(SchemaRefused);
      expect(sql.all("select body from notes_index")).toEqual([{ body: "kept" }]);
    }),
  );

  it("never makes a table of what was an index", () =>
    scratch(({ sql }) => {
      install(sql, TEXTS);
      expect(() => reconcile(sql, "create table if not exists notes_index (body text) strict")).toThrow(
        SchemaRefused,
      );
    }));
});
