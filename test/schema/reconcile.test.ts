/** What installing makes, and what reconciling adds and re-creates. */
import { describe, expect, it } from "vitest";
import { fingerprint, install, isInstalled, reconcile } from "../../src/board/store/schema.ts";
import type { Sql } from "../../src/board/store/sql.ts";
import { liveIndexes, liveOthers, liveTables } from "./live.ts";
import { schemaOf, scratch } from "./scratch.ts";
import { BASE } from "./small-schema.ts";

/** The same schema with one part of its text exchanged. */
function changed(from: string, to: string): string {
  expect(BASE).toContain(from);
  return BASE.replace(from, to);
}

const columnsOf = (sql: Sql, table: string) =>
  liveTables(sql)
    .get(table)
    ?.columns.map(({ name }) => name);

/** Installs the base with a row in each table, then brings it up to `ddl`. */
function upgraded<T>(ddl: string, look: (sql: Sql) => T): Promise<T> {
  return scratch(({ sql }) => {
    install(sql, BASE);
    sql.run("insert into items (id, amount, note) values ('a', 3, 'kept')");
    sql.run("insert into tags (item_id, tag) values ('a', 'red')");
    reconcile(sql, ddl);
    return look(sql);
  });
}

describe("installing", () => {
  it("makes every object, and a second time changes nothing", () =>
    scratch(({ sql, costs }) => {
      expect(isInstalled(sql, "items")).toBe(false);
      install(sql, BASE);
      expect(isInstalled(sql, "items")).toBe(true);
      const first = schemaOf(sql);
      expect(first).toHaveLength(3);
      sql.run("insert into items (id) values ('a')");
      costs.length = 0;
      install(sql, BASE);
      expect(costs.map(({ rowsWritten }) => rowsWritten)).toEqual([0, 0, 0]);
      expect(schemaOf(sql)).toEqual(first);
      expect(sql.number("select count(*) from items")).toBe(1);
    }));

  it("looks for a table, not for anything of that name", () =>
    scratch(({ sql }) => {
      sql.run("create table other (x text)");
      sql.run("create index items on other (x)");
      expect(isInstalled(sql, "items")).toBe(false);
      expect(isInstalled(sql, "other")).toBe(true);
    }));

  it("looks without writing", () =>
    scratch(({ sql, costs }) => {
      isInstalled(sql, "items");
      expect(costs.map(({ rowsWritten }) => rowsWritten)).toEqual([0]);
      expect(schemaOf(sql)).toEqual([]);
    }));
});

describe("reconciling", () => {
  it("with the same text writes nothing", () =>
    scratch(({ sql, costs }) => {
      install(sql, BASE);
      costs.length = 0;
      reconcile(sql, BASE);
      expect(costs.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)).toBe(0);
    }));

  it("with another layout and other comments writes nothing", () =>
    scratch(({ sql, costs }) => {
      install(sql, BASE);
      costs.length = 0;
      reconcile(sql, BASE.replaceAll("\n", " \n\t-- said again\n"));
      expect(costs.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)).toBe(0);
    }));

  it("an empty database installs everything", () =>
    scratch(({ sql }) => {
      reconcile(sql, BASE);
      expect([...liveTables(sql).keys()]).toEqual(["items", "tags"]);
      expect(liveIndexes(sql)).toEqual(["tags_by_tag on tags (tag)"]);
    }));

  it.each([
    ["nullable", "extra text", null],
    ["nullable with a check", "extra text check (extra in ('a', 'b'))", null],
    ["nullable with a default", "extra text default 'x'", "x"],
    ["a nullable reference", "extra text references items (id)", null],
    ["not null with a text", "extra text not null default 'x, y'", "x, y"],
    ["not null with an empty text", "extra text not null default ''", ""],
    ["not null with a number", "extra integer not null default 7", 7],
    ["not null with a negative number", "extra real not null default -1.5", -1.5],
    ["a flag", "extra integer not null default 0 check (extra in (0, 1))", 0],
  ])("adds a column that is %s, and the rows that stand have its value", async (_what, definition, value) => {
    const rows = await upgraded(changed("note text,", `note text, ${definition},`), (sql) =>
      sql.all("select id, amount, note, extra from items"),
    );
    expect(rows).toEqual([{ id: "a", amount: 3, note: "kept", extra: value }]);
  });

  it("adds a column with the very default that was written, white space and all", async () => {
    const ddl = changed("note text,", "note text, extra text not null default 'two  spaces',");
    expect(await upgraded(ddl, (sql) => sql.first("select extra from items"))).toEqual({
      extra: "two  spaces",
    });
  });

  it("adds several columns to several tables, each in its place or not, and then has no more to do", async () => {
    const ddl = BASE.replace("note text,", "first text, note text, last integer not null default 5,").replace(
      "tag text not null)",
      "tag text not null, color text)",
    );
    await upgraded(ddl, (sql) => {
      expect(columnsOf(sql, "items")).toEqual(["id", "amount", "note", "first", "last"]);
      expect(columnsOf(sql, "tags")).toEqual(["item_id", "tag", "color"]);
      const before = schemaOf(sql);
      const written = sql.rowsWritten;
      reconcile(sql, ddl);
      expect(schemaOf(sql)).toEqual(before);
      expect(sql.rowsWritten).toBe(written);
    });
  });

  it("an added column's check and the table's own options still hold", async () => {
    const ddl = changed("note text,", "note text, flag integer not null default 0 check (flag in (0, 1)),");
    await upgraded(ddl, (sql) => {
      expect(() => sql.run("insert into items (id, flag) values ('b', 2)")).toThrow("CHECK");
      expect(() => sql.run("insert into items (id, flag) values ('b', 'x')")).toThrow(/INT/);
      expect(liveTables(sql).get("items")).toMatchObject({ strict: true, withoutRowid: true });
    });
  });

  it("adds a table, then an index on a column it added, in whatever order they stand in the text", async () => {
    const ddl = `create index if not exists items_by_extra on items (extra);
      ${changed("note text,", "note text, extra text,")}
      create table if not exists more (id text not null primary key) strict`;
    await upgraded(ddl, (sql) => {
      expect([...liveTables(sql).keys()]).toEqual(["items", "more", "tags"]);
      expect(liveIndexes(sql)).toContain("items_by_extra on items (extra)");
    });
  });

  it("makes an index that is missing and re-creates one that drifted", async () => {
    const drifted = changed("on tags (tag)", "on tags (tag desc, item_id) where tag <> ''");
    await upgraded(drifted, (sql) => {
      expect(liveIndexes(sql)).toEqual(["tags_by_tag on tags (tag desc, item_id) where tag <> ''"]);
      sql.run("drop index tags_by_tag");
      reconcile(sql, drifted);
      expect(liveIndexes(sql)).toEqual(["tags_by_tag on tags (tag desc, item_id) where tag <> ''"]);
    });
  });

  it("makes an index unique that was not", async () => {
    const ddl = changed(
      "create index if not exists tags_by_tag",
      "create unique index if not exists tags_by_tag",
    );
    expect(await upgraded(ddl, liveIndexes)).toEqual(["unique tags_by_tag on tags (tag)"]);
  });

  it("re-creates views and triggers whose text drifted, and leaves the others", async () => {
    const extras = (amount: number) => `
      create view if not exists rich as select id from items where amount > ${amount};
      create trigger if not exists tidy after delete on items begin
        delete from tags where item_id = old.id or tag = 'x${amount}';
      end`;
    await upgraded(BASE + extras(1), (sql) => {
      expect(liveOthers(sql)).toEqual(["view rich", "trigger tidy"]);
      expect(sql.all("select id from rich")).toEqual([{ id: "a" }]);
      reconcile(sql, BASE + extras(5));
      expect(liveOthers(sql)).toEqual(["view rich", "trigger tidy"]);
      expect(sql.all("select id from rich")).toEqual([]);
      const written = sql.rowsWritten;
      reconcile(sql, BASE + extras(5));
      expect(sql.rowsWritten).toBe(written);
    });
  });
});

describe("a fingerprint", () => {
  it("is the same for the same text, and short", () => {
    expect(fingerprint(BASE)).toBe(fingerprint(`${BASE}`));
    expect(fingerprint(BASE)).toMatch(/^\d+-[0-9a-f]{8}$/);
  });

  it("differs when a character changes, moves, comes or goes", () => {
    const texts = ["", "a", "b", "ab", "ba", "a b", BASE, `${BASE} `, BASE.replace("note", "nota")];
    expect(new Set(texts.map(fingerprint)).size).toBe(texts.length);
  });
});
