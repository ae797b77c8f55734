/** The documents against the code: what they list is what there is, no less and no more. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isVirtual, readSchema, readTable, type SchemaObject } from "../../src/board/store/ddl.ts";
import { EVENT_KINDS } from "../../src/contract/events.ts";
import { LEASE_LOST_REASONS, REASONS } from "../../src/contract/reasons.ts";
import { IMPORT_FORMATS } from "../../src/contract/requests/imports.ts";
import { ROLES } from "../../src/contract/roles.ts";
import type { Route } from "../../src/contract/route.ts";
import { ROUTES } from "../../src/contract/routes.ts";
import { DEFAULT_SETTINGS, settingsChange } from "../../src/contract/settings.ts";
import { statusOf } from "../../src/http/problem.ts";
import { mergeSettings, settingsFaults } from "../../src/rules/settings.ts";
import { bare, rowsOf, tablesOf } from "./markdown.ts";
import { filesBelow, ROOT, textOf } from "./source.ts";

const routes = Object.values<Route>(ROUTES);

describe("docs/api.md", () => {
  const tables = tablesOf("docs/api.md");
  const firstColumn = (section: string, first: string) =>
    rowsOf(tables, section, first).map(([cell]) => bare(cell as string));

  it("lists every route under its tag: method, path, least role, conditions and what it does", () => {
    const listed = tables
      .filter(({ section }) => section === "Routes")
      .flatMap(({ heading, rows }) => rows.map((row) => [heading, ...row].join(" | ")));
    const there = routes.map(({ tag, method, path, role, keyed, conditional, summary }) => {
      const takes = [keyed === true ? "key" : [], conditional === true ? "if-match" : []].flat().join(", ");
      return [tag, `\`${method} ${path}\``, role, takes, summary].join(" | ");
    });
    expect(listed.toSorted()).toEqual(there.toSorted());
  });

  it("speaks of no other route", () => {
    const there = new Set(routes.map(({ method, path }) => `${method} ${path}`));
    const named = [...textOf("docs/api.md").matchAll(/(?:GET|POST|PUT|PATCH|DELETE) \/[^`\s]*/g)].map(String);
    expect(named.length).toBeGreaterThan(routes.length);
    expect(named.filter((call) => !there.has(call))).toEqual([]);
  });

  it("lists every code with its status", () => {
    const listed = rowsOf(tables, "Refusals", "code").map(
      ([code, status]) => `${bare(code ?? "")} ${status}`,
    );
    expect(listed.toSorted()).toEqual(REASONS.map((code) => `${code} ${statusOf(code)}`).toSorted());
  });

  it("lists every role, every end of a lease, every kind of event and every format", () => {
    expect(firstColumn("Who calls", "role")).toEqual([...ROLES]);
    expect(firstColumn("Leases", "reason")).toEqual([...LEASE_LOST_REASONS]);
    expect(firstColumn("Events", "kind")).toEqual([...EVENT_KINDS]);
    expect(firstColumn("Import and export", "format")).toEqual([...IMPORT_FORMATS]);
  });

  it("lists every setting with its default", () => {
    const listed = rowsOf(tables, "Board settings", "setting").map((row) => row.slice(0, 2).map(bare));
    expect(listed).toEqual(leavesOf(DEFAULT_SETTINGS).map(([path, value]) => [path, JSON.stringify(value)]));
  });

  it.each(rowsOf(tables, "Board settings", "setting"))("%s defaults to %s and takes: %s", (...row) => {
    const [setting = "", _default, bounds = ""] = row;
    const takes = (value: unknown) => isTaken(bare(setting), value);
    const [least, most] = (bounds.match(/\d+/g) ?? []).map(Number);
    const words = [...bounds.matchAll(/`(\w+)`/g)].map(([, word]) =>
      word === "true" ? true : word === "false" ? false : word,
    );
    expect(words.map(takes)).toEqual(words.map(() => true));
    expect(takes(null)).toBe(bounds.endsWith("or null"));
    expect(least !== undefined || words.length > 1).toBe(true);
    if (least !== undefined) expect([takes(least - 1), takes(least)]).toEqual([false, true]);
    if (most !== undefined) expect([takes(most), takes(most + 1)]).toEqual([true, false]);
  });
});

describe("docs/schema.md", () => {
  const tables = tablesOf("docs/schema.md");
  const objects = ["board", "directory"].flatMap((name) =>
    readSchema(textOf(`migrations-free-schema/${name}.sql`)),
  );
  const isPlain = (object: SchemaObject) => object.kind === "table" && !isVirtual(object);
  const shapes = objects.filter(isPlain).map(({ sql }) => readTable(sql));

  it("has a part for every table, and for no other", () => {
    const parts = tables.filter(({ header }) => header[0] === "column").map(({ heading }) => heading);
    expect(parts.toSorted()).toEqual(shapes.map(({ name }) => name).toSorted());
  });

  it.each(shapes)("names every column of $name in its order, and whether it may be null", (shape) => {
    const listed = rowsOf(tables, shape.name, "column").map((row) => [
      bare(row[0] ?? ""),
      row[3] === "never" ? "never null" : "may be null",
    ]);
    const there = [...shape.columns].map(([column, definition]) => [
      column,
      /\bnot null\b|\bprimary key\b/.test(definition) ? "never null" : "may be null",
    ]);
    expect(listed).toEqual(there);
  });

  it("says of every column what it means, who writes it and when it is null", () => {
    const rows = tables.filter(({ header }) => header[0] === "column").flatMap((table) => table.rows);
    expect(rows.filter((row) => row.length !== 4 || row.includes(""))).toEqual([]);
  });

  it("names every index under its table, with the question it serves", () => {
    const listed = tables
      .filter(({ header }) => header[0] === "index")
      .flatMap(({ heading, rows }) =>
        rows.map(([name, serves]) => [heading, bare(name ?? ""), serves !== ""]),
      );
    const there = objects
      .filter(({ kind }) => kind === "index")
      .map(({ name, text }) => [/ on (\w+)/.exec(text)?.[1], name, true]);
    expect(listed.toSorted()).toEqual(there.toSorted());
  });

  it("names every view, trigger and index of texts", () => {
    const listed = rowsOf(tables, "What search reads", "object").map(([name]) => bare(name ?? ""));
    const there = objects.filter((object) => object.kind !== "index" && !isPlain(object));
    expect(listed).toEqual(there.map(({ name }) => name));
  });
});

it("docs/client.md shows the example that is run", () => {
  const example = textOf("test/client/example.ts").replace("../../src/client/index.ts", "edgeboard/client");
  expect(textOf("docs/client.md")).toContain(`\`\`\`ts\n${example}\`\`\``);
});

const OWN_PATH =
  /`((?:src|test|docs|migrations-free-schema|board|operations|store|rules|contract|http|import-export)\/[\w./-]*)(?:#(\w+))?`/g;

/** Where a path leads that may be told from the root, from `src` or from `src/board`. */
const found = (path: string) =>
  ["", "src/", "src/board/"].map((place) => place + path).find((full) => existsSync(join(ROOT, full)));

describe.each(["AGENTS.md", "README.md", ...filesBelow("docs")])("%s", (document) => {
  it("names only files that are there, and of them only what they hold", () => {
    const lost = [...textOf(document).matchAll(OWN_PATH)].filter(([, path = "", name]) => {
      const full = found(path);
      return full === undefined || (name !== undefined && !textOf(full).includes(` ${name} `));
    });
    expect(lost.map(String)).toEqual([]);
  });
});

it("docs/parity.md traces the parts of the source to files", () => {
  expect([...textOf("docs/parity.md").matchAll(OWN_PATH)].length).toBeGreaterThan(30);
});

/** Settings by their paths, groups opened. */
function leavesOf(group: object): [string, unknown][] {
  return Object.entries(group).flatMap(([name, value]): [string, unknown][] =>
    typeof value === "object" && value !== null
      ? leavesOf(value).map(([path, leaf]) => [`${name}.${path}`, leaf])
      : [[name, value]],
  );
}

/** Whether a board lets this setting be turned so, whatever else then does not fit. */
function isTaken(setting: string, value: unknown): boolean {
  const change = setting.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  const parsed = settingsChange.safeParse(change);
  if (!parsed.success) return false;
  const faults = settingsFaults(mergeSettings(DEFAULT_SETTINGS, parsed.data));
  return !faults.some(({ path, message }) => path === setting && /^must be at least/.test(message));
}
