/** The guard: a new board's schema, as SQLite tells it, against the row types, both ways. */
import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import ddl from "../../migrations-free-schema/board.sql";
import { readObject, readSchema } from "../../src/board/store/ddl.ts";
import * as rows from "../../src/board/store/rows.ts";
import { newBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { type LiveTable, liveIndexes, liveOthers, liveStatements, liveTables } from "./live.ts";
import {
  BY_ROWID,
  COUNTERS,
  DEFAULTS,
  FOREIGN_KEYS,
  INDEXES,
  JSON_COLUMNS,
  KEYS,
  OTHERS,
  UNIQUE,
} from "./promised.ts";
import { columnTypes } from "./row-type.ts";

const ROWS: Record<string, z.ZodObject> = {
  audit: rows.auditRow,
  board: rows.boardRow,
  board_usage: rows.usageRow,
  events: rows.eventRow,
  execution_processes: rows.executionRow,
  import_chunks: rows.importChunkRow,
  imports: rows.importRow,
  replies: rows.replyRow,
  run_stats: rows.runStatsRow,
  task_comments: rows.commentRow,
  task_counts: rows.countsRow,
  task_deps: rows.dependencyRow,
  tasks: rows.taskRow,
  tokens: rows.tokenRow,
  webhook_deliveries: rows.deliveryRow,
  webhooks: rows.webhookRow,
  workspaces: rows.workspaceRow,
};

let tables: Map<string, LiveTable>;
let indexes: string[];
let others: string[];
let texts: Map<string, string>;

beforeAll(async () => {
  const board = await newBoard();
  await inside(board, ({ sql }) => {
    tables = liveTables(sql);
    indexes = liveIndexes(sql);
    others = liveOthers(sql);
    texts = new Map(liveStatements(sql));
  });
});

const table = (name: string) => tables.get(name) as LiveTable;

it("every table has a row type, and every row type a table", () => {
  expect([...tables.keys()]).toEqual(Object.keys(ROWS).sort());
});

it("every row type that rows.ts exports is held against a table", () => {
  const held = new Set<unknown>(Object.values(ROWS));
  const unheld = Object.entries(rows).filter(([name, value]) => name.endsWith("Row") && !held.has(value));
  expect(unheld.map(([name]) => name)).toEqual([]);
});

describe.each(Object.keys(ROWS))("%s", (name) => {
  const types = columnTypes(ROWS[name] as z.ZodObject);

  it("has the columns of its row type, and no others", () => {
    expect(
      table(name)
        .columns.map((column) => column.name)
        .sort(),
    ).toEqual([...types.keys()].sort());
  });

  it("has columns of the types its row type reads", () => {
    expect(Object.fromEntries(table(name).columns.map((column) => [column.name, column.type]))).toEqual(
      Object.fromEntries([...types].map(([column, { type }]) => [column, type])),
    );
  });

  it("lets a column be null exactly where its row type does", () => {
    const live = table(name);
    // A key that SQLite gives out is never null, though it is not declared so.
    const given = (column: string) => BY_ROWID.includes(name) && column === KEYS[name];
    expect(
      live.columns
        .filter((column) => !column.notNull && !given(column.name))
        .map((column) => column.name)
        .sort(),
    ).toEqual(
      [...types]
        .filter(([, { nullable }]) => nullable)
        .map(([column]) => column)
        .sort(),
    );
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

  it("has these defaults", () => {
    const live = table(name).columns.filter((column) => column.default !== null);
    expect(Object.fromEntries(live.map((column) => [column.name, column.default]))).toEqual(DEFAULTS[name]);
  });

  it("has this key, and is stored by it unless SQLite numbers the rows", () => {
    const live = table(name);
    const key = live.columns.filter((column) => column.key > 0).sort((a, b) => a.key - b.key);
    expect(key.map((column) => column.name).join(", ")).toBe(KEYS[name]);
    expect(live.withoutRowid).toBe(!BY_ROWID.includes(name));
  });

  it("refers to these tables and is unique in these columns", () => {
    expect(table(name).foreignKeys).toEqual(FOREIGN_KEYS[name] ?? []);
    expect(table(name).unique).toEqual(UNIQUE[name] ?? []);
  });

  it("is strict, so that a value of the wrong type fails", () => {
    expect(table(name).strict).toBe(true);
  });

  it("carries a dormant tenant", () => {
    expect(table(name).columns.find((column) => column.name === "tenant_id")).toMatchObject({
      type: "TEXT",
      notNull: false,
      default: null,
      key: 0,
      definition: "tenant_id text",
    });
  });
});

it("JSON is checked where it is written as such", () => {
  expect(checked((column) => `check (json_valid(${column}))`)).toEqual(JSON_COLUMNS);
});

it("counters never fall below nought", () => {
  expect(checked((column) => `check (${column} >= 0)`)).toEqual(COUNTERS);
});

it("the indexes are these, with their columns, directions and conditions", () => {
  expect([...indexes].sort()).toEqual([...INDEXES].sort());
});

it("beside tables and indexes there are these", () => {
  expect(others).toEqual(OTHERS);
});

it("the file and the live schema are the same statements", () => {
  const wanted = new Map(readSchema(ddl).map((object) => [object.name, object.text]));
  const live = new Map([...texts].map(([name, sql]) => [name, readObject(sql).text]));
  expect(live).toEqual(wanted);
});

it("the file ends in a statement, not in a comment", () => {
  expect(ddl.trimEnd().split("\n").at(-1)).toMatch(/^[^-].*;$/);
});

function checked(text: (column: string) => string): string[] {
  return [...tables.values()]
    .flatMap(({ name, columns }) =>
      columns
        .filter((column) => column.definition.includes(text(column.name)))
        .map((column) => `${name}.${column.name}`),
    )
    .sort();
}
