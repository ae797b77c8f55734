/** What lies where, how long a file may be, and what must not exist. */
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { readSchema } from "../../src/board/store/ddl.ts";
import { filesBelow, ROOT, textOf } from "./source.ts";

const FOLDERS = ["dist", "docs", "migrations-free-schema", "node_modules", "src", "test"];
const ROOMS = [
  "archives",
  "board",
  "cli",
  "client",
  "contract",
  "directory",
  "http",
  "import-export",
  "local",
  "mcp",
  "rules",
  "self-host",
  "web",
];

const LONGEST = 250;
/** A style sheet has one declaration a line, and one for a page; the promised numbers stand in one list. */
const LONGEST_LIST = 400;
const isList = (path: string) => path.endsWith(".css") || path === "src/contract/limits.ts";

const foldersOf = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name);

it("there are no folders beside these", () => {
  expect(foldersOf(ROOT).filter((name) => !FOLDERS.includes(name))).toEqual([]);
  expect(foldersOf(`${ROOT}/src`).filter((name) => !ROOMS.includes(name))).toEqual([]);
});

it("no file of src is so long that it answers more than one question", () => {
  const long = filesBelow("src")
    .map((path) => ({ path, lines: textOf(path).split("\n").length - 1 }))
    .filter(({ path, lines }) => lines > (isList(path) ? LONGEST_LIST : LONGEST))
    .map(({ path, lines }) => `${path}: ${lines} lines`);
  expect(long).toEqual([]);
});

it("files have names in kebab-case that say what they hold", () => {
  const names = filesBelow("src");
  expect(names.filter((path) => !/^src(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)+(?:\.[a-z]+)+$/.test(path))).toEqual([]);
  expect(
    names.filter((path) => /\b(?:utils?|helpers?|managers?|services?|misc|common)\b/.test(path)),
  ).toEqual([]);
});

it("there is no folder of migrations and no file that migrates", () => {
  const paths = ["src", "test", "migrations-free-schema"].flatMap(filesBelow);
  const strays = paths.filter((path) =>
    path.split("/").some((part) => /migrat/i.test(part) && part !== "migrations-free-schema"),
  );
  expect(strays).toEqual([]);
  expect(filesBelow("migrations-free-schema").map((path) => path.replace(/^.*\//, ""))).toEqual([
    "README.md",
    "board.sql",
    "directory.sql",
  ]);
});

it("no script of the package migrates", () => {
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
  expect(Object.entries(scripts).filter((script) => /migrat/i.test(script.join(" ")))).toEqual([]);
});

it("the Worker's configuration declares its objects without migrations", () => {
  const config = textOf("wrangler.toml");
  expect(config).not.toMatch(/migrations/);
  for (const name of ["Board", "Directory"])
    expect(config).toMatch(
      new RegExp(`\\[exports\\.${name}\\]\\s+type = "durable-object"\\s+storage = "sqlite"`),
    );
});

it("the schema files only create, and end in a statement", () => {
  for (const path of ["migrations-free-schema/board.sql", "migrations-free-schema/directory.sql"]) {
    const text = textOf(path);
    const code = text.replace(/--[^\n]*/g, "").trim();
    expect(text.trimEnd().endsWith(code.slice(-40)), `${path} ends in a comment`).toBe(true);
    expect(code.endsWith(";")).toBe(true);
    const statements = readSchema(text).map(({ sql }) => sql);
    for (const statement of statements)
      expect(statement).toMatch(
        /^create (?:unique )?(?:table|index|view|trigger|virtual table) if not exists \w/,
      );
    for (const statement of statements.filter((one) => one.startsWith("create table")))
      expect(statement).toMatch(/\) strict(?:, without rowid)?$/);
  }
});

it("there is no statement in TypeScript that alters a table by hand: only reconciling adds columns", () => {
  const altering = filesBelow("src").filter((path) => /\balter table\b/i.test(textOf(path)));
  expect(altering).toEqual(["src/board/store/schema.ts"]);
});
