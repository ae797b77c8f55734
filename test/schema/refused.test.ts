/** What reconciling refuses, naming the table and the column, and leaves as it was. */
import { describe, expect, it } from "vitest";
import { install, reconcile, SchemaRefused } from "../../src/board/store/schema.ts";
import { schemaOf, scratch } from "./scratch.ts";
import { BASE } from "./small-schema.ts";

describe("reconciling refuses", () => {
  /** The refusal of this change, and a look at what it left. */
  const refusal = (ddl: string) =>
    scratch(({ sql, storage }) => {
      install(sql, BASE);
      sql.run("insert into items (id, note) values ('a', 'kept')");
      const before = schemaOf(sql);
      let error: unknown = null;
      try {
        storage.transactionSync(() => reconcile(sql, ddl));
      } catch (thrown) {
        error = thrown;
      }
      expect(schemaOf(sql)).toEqual(before);
      expect(sql.all("select id, note from items")).toEqual([{ id: "a", note: "kept" }]);
      return error;
    });

  it.each([
    ["a column that is gone", "amount", changedColumn("")],
    ["another type", "amount", changedColumn("amount text not null default '0',")],
    ["another default", "amount", changedColumn("amount integer not null default 1 check (amount >= 0),")],
    ["another check", "amount", changedColumn("amount integer not null default 0 check (amount > 0),")],
    ["a check that is gone", "amount", changedColumn("amount integer not null default 0,")],
    [
      "a column that may now be null",
      "amount",
      changedColumn("amount integer default 0 check (amount >= 0),"),
    ],
    ["a column that may no longer be null", "note", BASE.replace("note text,", "note text not null,")],
    ["another key", "id", BASE.replace("id text not null primary key", "id text not null")],
    ["a reference that is gone", "item_id", BASE.replace(" references items (id)", "")],
    ["a column that is renamed", "note", BASE.replace("note text,", "remark text,")],
    ["a new column that is unique", "extra", added("extra text unique")],
    ["a new column that is a key", "extra", added("extra text primary key")],
    ["a new column that is computed and stored", "extra", added("extra integer as (amount + 1) stored")],
    ["a new column that is not null and has no default", "extra", added("extra text not null")],
    [
      "a new column that is not null with a computed default",
      "extra",
      added("extra text not null default (1 + 1)"),
    ],
    ["a new nullable column with a computed default", "extra", added("extra text default (random())")],
    ["a new column that is not null and null by default", "extra", added("extra text not null default null")],
    ["a new reference with a default", "extra", added("extra text default 'a' references items (id)")],
  ])("%s", async (_what, column, ddl) => {
    const error = await refusal(ddl);
    expect(error).toBeInstanceOf(SchemaRefused);
    expect(error).toMatchObject({ name: "SchemaRefused", column });
    expect((error as SchemaRefused).message).toContain(`${(error as SchemaRefused).table}.${column}`);
    expect((error as SchemaRefused).table).toBe(column === "item_id" ? "tags" : "items");
  });

  it.each([
    ["a table constraint that is gone", BASE.replace(/,\s*unique \(note, amount\)/, "")],
    ["another table constraint", BASE.replace("unique (note, amount)", "unique (amount, note)")],
    [
      "a new table constraint",
      BASE.replace("unique (note, amount)", "unique (note, amount), check (id <> '')"),
    ],
    ["a table that is no longer strict", BASE.replace("strict, without rowid", "without rowid")],
    ["a table that is stored in another way", BASE.replace("strict, without rowid", "strict")],
  ])("%s", async (_what, ddl) => {
    const error = await refusal(ddl);
    expect(error).toBeInstanceOf(SchemaRefused);
    expect(error).toMatchObject({ table: "items", column: null });
    expect((error as SchemaRefused).message).toContain("items");
  });

  it("whole, also where something before it could have been added", async () => {
    const ddl = `create table if not exists early (id text) strict;
      ${BASE.replace("note text,", "fine text, note text not null,")}`;
    expect(await refusal(ddl)).toBeInstanceOf(SchemaRefused);
  });

  function changedColumn(to: string): string {
    return BASE.replace("amount integer not null default 0 check (amount >= 0),", to);
  }

  function added(definition: string): string {
    return BASE.replace("note text,", `note text, ${definition},`);
  }
});
