import { describe, expect, it } from "vitest";
import { readObject, readSchema, readTable } from "../../src/board/store/ddl.ts";

const names = (ddl: string) => readSchema(ddl).map(({ kind, name }) => `${kind} ${name}`);

describe("a schema text", () => {
  it("is read statement by statement, in its order", () => {
    const ddl = `
      create table if not exists a (x text);
      create table b (x text) strict;
      create index a_by_x on a (x);
      create unique index if not exists b_by_x on b (x) where x is not null;
      create view v as select x from a;
      create virtual table f using fts5(x);
    `;
    expect(names(ddl)).toEqual(["table a", "table b", "index a_by_x", "index b_by_x", "view v", "table f"]);
  });

  it("need not end in a semicolon, and may hold empty statements", () => {
    expect(names("create table a (x text)")).toEqual(["table a"]);
    expect(names(";;create table a (x text);\n;")).toEqual(["table a"]);
    expect(names("  \n")).toEqual([]);
  });

  it("may have its comments anywhere, whatever stands in them", () => {
    const ddl = `
      -- It's a comment; with (everything) that's "hard"
      create table a ( -- (((
        x text, -- don't; drop
        y text
      ); -- ';
      -- the end
    `;
    expect(names(ddl)).toEqual(["table a"]);
    expect([...readTable(readSchema(ddl)[0]?.sql ?? "").columns.keys()]).toEqual(["x", "y"]);
  });

  it("may quote its names", () => {
    expect(names('create table "a" (x text); create index [i] on a (x); create index `j` on a (x)')).toEqual([
      "table a",
      "index i",
      "index j",
    ]);
  });

  it("keeps semicolons, commas and parentheses that stand in quotes", () => {
    const ddl = `create table a (
      x text not null default ';',
      y text default '),(',
      z text default 'it''s; fine',
      "odd" text
    ); create table b (x text)`;
    expect(names(ddl)).toEqual(["table a", "table b"]);
    const [a] = readSchema(ddl);
    expect(Object.fromEntries(readTable(a?.sql ?? "").columns)).toEqual({
      x: "x text not null default ';'",
      y: "y text default '),('",
      z: "z text default 'it''s; fine'",
      odd: '"odd" text',
    });
  });

  it("keeps two dashes that stand in quotes: they begin no comment", () => {
    const ddl = "create table a (x text not null default '--', y text); create table b (x text)";
    expect(names(ddl)).toEqual(["table a", "table b"]);
    expect(readTable("create table a (x text not null default '--', y text)").columns.get("x")).toBe(
      "x text not null default '--'",
    );
  });

  it("keeps the white space that stands in quotes", () => {
    expect(readTable("create table a (x   text\n default 'two  spaces')").columns.get("x")).toBe(
      "x text default 'two  spaces'",
    );
  });

  it("keeps a trigger whole, statements and all", () => {
    const ddl = `
      create table a (x text);
      create trigger if not exists a_log after insert on a begin
        insert into log (x) values (new.x);
        update a set x = 'end; of' where x = ';';
      end;
      create index a_by_x on a (x);
    `;
    expect(names(ddl)).toEqual(["table a", "trigger a_log", "index a_by_x"]);
    expect(readSchema(ddl)[1]?.sql).toMatch(/^create trigger[\s\S]*update a[\s\S]*end$/);
  });

  it("keeps a trigger whole that decides by case", () => {
    const ddl = `
      create trigger t after update on a begin
        update b set x = case when new.x is null then 0 else 1 end;
        delete from c;
      end;
      create table d (x text);
    `;
    expect(names(ddl)).toEqual(["trigger t", "table d"]);
  });

  it("may only create", () => {
    for (const ddl of ["drop table a", "alter table a add column x text", "insert into a values (1)", "tbd"])
      expect(() => readSchema(ddl)).toThrow("not a create statement");
  });
});

describe("a statement's text for comparison", () => {
  const text = (sql: string) => readObject(sql).text;

  it("does not depend on white space, comments, `if not exists` or the case of its verb", () => {
    const wanted = "create table a ( x text, y text ) strict";
    expect(text("create table if not exists a (\n  x text, -- one\n  y text\n) strict;")).toBe(wanted);
    expect(text("CREATE TABLE a ( x text,\ty text ) strict")).toBe(wanted);
    expect(text("CREATE UNIQUE INDEX i on a (x)")).toBe(text("create unique index if not exists i on a (x)"));
  });

  it("tells a changed condition, direction, column or key from what was", () => {
    const index = "create index i on a (x, y desc) where z = 1";
    for (const other of [
      "create index i on a (x, y) where z = 1",
      "create index i on a (x, y desc) where z = 0",
      "create index i on a (x, y desc)",
      "create index i on a (y desc, x) where z = 1",
      "create unique index i on a (x, y desc) where z = 1",
      "create index i on b (x, y desc) where z = 1",
    ])
      expect(text(other)).not.toBe(text(index));
  });
});

describe("a table", () => {
  it("is its columns, its constraints and its options", () => {
    expect(
      readTable(`create table if not exists edges (
        a text not null references nodes (id) on delete cascade,
        b text not null,
        kind text not null default 'x' check (kind in ('x', 'y, z')),
        weight real not null default -1.5 check (weight > 0 and (weight < 10 or kind = 'x')),
        primary key (a, b),
        unique (b, a),
        check (a <> b),
        constraint named check (weight <> 2),
        foreign key (b) references nodes (id)
      ) strict, without rowid`),
    ).toEqual({
      name: "edges",
      columns: new Map([
        ["a", "a text not null references nodes (id) on delete cascade"],
        ["b", "b text not null"],
        ["kind", "kind text not null default 'x' check (kind in ('x', 'y, z'))"],
        ["weight", "weight real not null default -1.5 check (weight > 0 and (weight < 10 or kind = 'x'))"],
      ]),
      constraints: [
        "check (a <> b)",
        "constraint named check (weight <> 2)",
        "foreign key (b) references nodes (id)",
        "primary key (a, b)",
        "unique (b, a)",
      ],
      options: "strict, without rowid",
    });
  });

  it("may have columns whose names begin like a constraint", () => {
    expect([
      ...readTable(
        "create table a (unique_id text, checked integer, primary_key text, foreigner text)",
      ).columns.keys(),
    ]).toEqual(["unique_id", "checked", "primary_key", "foreigner"]);
  });

  it("without options has none", () => {
    expect(readTable("create table a (x text);").options).toBe("");
  });
});
