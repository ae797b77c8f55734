/** The guard for the directory: its live schema against its row types, both ways. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import ddl from "../../migrations-free-schema/directory.sql";
import { fingerprint } from "../../src/board/store/schema.ts";
import { Sql } from "../../src/board/store/sql.ts";
import { directoryAuditRow } from "../../src/directory/audit.ts";
import { sessionCodeRow } from "../../src/directory/session-codes.ts";
import { boardEntryRow, creationRow, directoryRow } from "../../src/directory/store.ts";
import { type LiveTable, liveIndexes, liveOthers, liveTables } from "./live.ts";
import { columnTypes } from "./row-type.ts";

const ROWS: Record<string, z.ZodObject> = {
  directory_audit: directoryAuditRow,
  boards: boardEntryRow,
  creations: creationRow,
  directory: directoryRow,
  session_codes: sessionCodeRow,
};

const KEYS: Record<string, string> = {
  directory_audit: "number",
  boards: "id",
  creations: "idempotency_key",
  directory: "id",
  session_codes: "code_hash",
};

const DEFAULTS: Record<string, Record<string, string>> = {
  directory_audit: {},
  boards: { archived: "0" },
  creations: {},
  directory: { schema_before: "'[]'" },
  session_codes: {},
};

let tables: Map<string, LiveTable>;
let indexes: string[];
let others: string[];

beforeAll(async () => {
  await runInDurableObject(env.DIRECTORY.getByName("directory"), (_instance, state) => {
    const sql = new Sql(state.storage.sql);
    tables = liveTables(sql);
    indexes = liveIndexes(sql);
    others = liveOthers(sql);
  });
});

const table = (name: string) => tables.get(name) as LiveTable;

it("every table has a row type, and every row type a table", () => {
  expect([...tables.keys()]).toEqual(Object.keys(ROWS).sort());
});

describe.each(Object.keys(ROWS))("%s", (name) => {
  const types = columnTypes(ROWS[name] as z.ZodObject);

  it("has the columns and the types of its row type, and no others", () => {
    expect(Object.fromEntries(table(name).columns.map((column) => [column.name, column.type]))).toEqual(
      Object.fromEntries([...types].map(([column, { type }]) => [column, type])),
    );
  });

  it("lets a column be null exactly where its row type does", () => {
    expect(
      table(name)
        .columns.filter((column) => !column.notNull)
        .map((column) => column.name),
    ).toEqual([...types].filter(([, { nullable }]) => nullable).map(([column]) => column));
  });

  it("checks the values of flags and of closed lists, and of nothing else", () => {
    for (const column of table(name).columns) {
      const values = types.get(column.name)?.values ?? null;
      const listed = new RegExp(`check \\(${column.name} in \\((.*?)\\)\\)`).exec(column.definition)?.[1];
      expect(listed ?? null, column.name).toBe(
        values === null
          ? null
          : values.map((value) => (typeof value === "number" ? String(value) : `'${value}'`)).join(", "),
      );
    }
  });

  it("has this key and these defaults, refers to nothing, and is strict", () => {
    const live = table(name);
    expect(
      live.columns
        .filter((column) => column.key > 0)
        .map((column) => column.name)
        .join(),
    ).toBe(KEYS[name]);
    expect(
      Object.fromEntries(
        live.columns
          .filter((column) => column.default !== null)
          .map((column) => [column.name, column.default]),
      ),
    ).toEqual(DEFAULTS[name]);
    expect(live).toMatchObject({ foreignKeys: [], unique: [], strict: true, withoutRowid: true });
  });
});

it("the indexes are these, and there is no view and no trigger", () => {
  expect(indexes).toEqual([
    "creations_by_age on creations (created_at)",
    "session_codes_by_expiry on session_codes (expires_at)",
  ]);
  expect(others).toEqual([]);
});

it("one that an older schema made opens, gains what it lacks, and keeps its boards", async () => {
  const directory = env.DIRECTORY.getByName("old-directory");
  await directory.reserve({ id: "kept", name: "Kept", operationId: "o", locationHint: null, key: null });
  await directory.activate({ id: "kept", operationId: "o", name: "Kept" });
  await runInDurableObject(directory, (_instance, state) => {
    const sql = new Sql(state.storage.sql);
    sql.run("alter table boards drop column location_hint");
    sql.run("alter table boards drop column archived");
    sql.run("drop table creations");
    sql.run("update directory set schema_fingerprint = 'old'");
  });
  await evictDurableObject(directory);
  expect(await directory.list({ after: "", limit: 10 })).toMatchObject([
    { id: "kept", name: "Kept", archived: false },
  ]);
  await runInDurableObject(directory, (_instance, state) => {
    const sql = new Sql(state.storage.sql);
    const columns = (live: Map<string, LiveTable>) =>
      [...live.values()].map(({ name, columns }) => [
        name,
        columns.map((column) => column.definition).sort(),
      ]);
    expect(columns(liveTables(sql))).toEqual(columns(tables));
    expect(liveIndexes(sql)).toEqual(indexes);
    expect(sql.all("select schema_fingerprint from directory")).toEqual([
      { schema_fingerprint: fingerprint(ddl) },
    ]);
  });
});

it("the file ends in a statement, not in a comment", () => {
  expect(ddl.trimEnd().split("\n").at(-1)).toMatch(/^[^-].*;$/);
});
