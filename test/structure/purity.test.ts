/** What is kept out of the rules, the operations and the tables: clocks, chance, the environment, and SQL. */
import { describe, expect, it } from "vitest";
import { codeOf, importsOf, sourceFiles, textOf } from "./source.ts";

const below = (...folders: string[]) =>
  sourceFiles().filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)));

/** The places where a pattern is found, each with its line. */
const places = (files: string[], pattern: RegExp, read: (path: string) => string = codeOf) =>
  files.flatMap((path) =>
    read(path)
      .split("\n")
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );

const PURE = below(
  "src/board/operations",
  "src/board/store",
  "src/rules",
  "src/import-export",
  "src/contract",
);

describe("rules, operations, tables, mappers and contract", () => {
  it.each([
    ["a clock", /\bDate\.now\b|\bnew Date\b|(?<![\w.])Date\(|\bperformance\b/],
    ["chance", /\bMath\.random\b|\bcrypto\b|\buuid\b/],
    ["the environment", /\benv\b|\bprocess\b/],
    ["a timer", /\bsetTimeout\b|\bsetInterval\b|\bscheduler\b/],
    ["the network", /\bfetch\s*\(|\bWebSocket\b/],
    ["waiting", /\basync\b|\bawait\b|\bPromise\b/],
  ])("use no %s", (_what, pattern) => {
    expect(PURE.length).toBeGreaterThan(60);
    expect(places(PURE, pattern)).toEqual([]);
  });

  it("import nothing of the platform", () => {
    const strays = PURE.filter((path) =>
      importsOf(path).some(({ target }) => /^(?:cloudflare|node):/.test(target)),
    );
    expect(strays).toEqual([]);
  });
});

it("the rules hold no state: nothing there can be assigned twice", () => {
  expect(places(below("src/rules"), /^(?:export )?(?:let|var)\b/)).toEqual([]);
});

describe("SQL", () => {
  const STORES = [
    "src/board/store/",
    "src/directory/store.ts",
    "src/directory/session-codes.ts",
    "src/directory/audit.ts",
  ];
  const elsewhere = sourceFiles().filter((path) => !STORES.some((store) => path.startsWith(store)));

  it("is run by the tables' own files only", () => {
    expect(places(elsewhere, /\bsql\s*\.\s*(?:all|first|run|number|exec)\b/i)).toEqual([]);
  });

  it("is written in the tables' own files only", () => {
    const statement =
      /["'`]\s*(?:select\s[^"'`]*?\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|(?:create|alter|drop)\s+(?:table|index|view|trigger)\s|with\s+recursive\s|pragma\s)/;
    expect(elsewhere.filter((path) => statement.test(textOf(path)))).toEqual([]);
  });

  it("goes through one door: only sql.ts touches the platform's cursor", () => {
    expect(places(sourceFiles(), /(?:sql|storage)\??\.exec\s*\(/i)).toEqual([
      "src/board/store/sql.ts: const cursor = this.#storage.exec(",
    ]);
  });

  it("is never `select *`", () => {
    expect(places(sourceFiles(), /select\s+\*/i, textOf)).toEqual([]);
  });
});
