/** Who may import whom. A folder that is not named here may import nothing. */
import { describe, expect, it } from "vitest";
import { type Import, importsOf, sourceFiles } from "./source.ts";

interface Rule {
  /** Files or folders of ours, and packages by name. */
  imports: string[];
  /** What is imported for its types alone, and gone when the code runs. */
  types?: string[];
}

/** The first entry that a file lies under is its rule; everything may import its own folder. */
const RULES: Record<string, Rule> = {
  "src/index.ts": { imports: ["src/board/board.ts", "src/directory", "src/http"] },
  "src/rules": { imports: ["src/contract"] },
  "src/contract": { imports: ["src/rules", "zod"] },
  "src/board/store": { imports: ["src/contract", "src/rules", "zod"] },
  "src/board/operations": {
    imports: [
      "src/board/store",
      "src/board/answer-size.ts",
      "src/board/card.ts",
      "src/board/context.ts",
      "src/board/view.ts",
      "src/contract",
      "src/import-export",
      "src/rules",
      "migrations-free-schema",
    ],
    types: ["src/board/replay.ts"],
  },
  "src/board": {
    imports: ["src/contract", "src/rules", "migrations-free-schema", "cloudflare:", "uuid"],
    types: ["src/import-export"],
  },
  "src/import-export": { imports: ["src/contract", "src/rules", "zod"] },
  "src/directory": {
    imports: [
      "src/board/store",
      "src/board/stub.ts",
      "src/board/tell.ts",
      "src/contract",
      "src/rules",
      "migrations-free-schema",
      "cloudflare:",
      "zod",
    ],
    types: ["src/board"],
  },
  "src/archives": { imports: ["src/contract"], types: ["src/board"] },
  "src/http": {
    imports: [
      "src/archives",
      "src/board/meter.ts",
      "src/board/stub.ts",
      "src/board/tell.ts",
      "src/board/webhook-signature.ts",
      "src/contract",
      "src/directory",
      "src/import-export",
      "src/mcp",
      "src/rules",
      "package.json",
      "cloudflare:",
      "hono",
      "jose",
      "zod",
      "zod-openapi",
    ],
    types: ["src/board"],
  },
  "src/mcp": {
    imports: [
      "src/board/stub.ts",
      "src/contract",
      "src/directory",
      "src/http",
      "src/import-export",
      "src/rules",
      "@modelcontextprotocol",
      "hono",
      "zod",
    ],
    types: ["src/board"],
  },
  "src/client": { imports: ["src/contract", "src/rules"], types: ["zod"] },
  "src/cli": {
    imports: [
      "src/client",
      "src/contract",
      "src/rules",
      "package.json",
      "node:",
      "picocolors",
      "cli-table3",
      "cli-progress",
      "commander",
      "standardwebhooks",
      "zod",
    ],
  },
  "src/web": {
    imports: [
      "src/client",
      "src/contract",
      "src/rules",
      "preact",
      "react",
      "react-dom",
      "wouter-preact",
      "@atlaskit",
      "@tanstack",
    ],
  },
  "src/local": { imports: ["src/contract/limits.ts", "node:", "package.json", "smol-toml", "vite"] },
  "src/self-host": { imports: ["cloudflare:", "hono"], types: ["src/local/page-headers.ts"] },
};

const under = (path: string, place: string) =>
  path === place || path.startsWith(place.endsWith(":") ? place : `${place}/`);

const ruleOf = (path: string) => Object.entries(RULES).find(([place]) => under(path, place)) ?? null;

function isAllowed(place: string, rule: Rule, { target, typeOnly }: Import): boolean {
  const places = [place, ...rule.imports, ...(typeOnly ? (rule.types ?? []) : [])];
  return places.some((allowed) => under(target, allowed));
}

const files = sourceFiles();

it("every file of src lies in a folder that has a rule", () => {
  expect(files.length).toBeGreaterThan(80);
  const ambient = (path: string) => path.endsWith(".d.ts");
  expect(files.filter((path) => ruleOf(path) === null && !ambient(path))).toEqual([]);
});

describe.each(Object.entries(RULES))("%s", (place, rule) => {
  it("imports only what it may", () => {
    const strays = files
      .filter((path) => ruleOf(path)?.[0] === place)
      .flatMap((path) =>
        importsOf(path)
          .filter((one) => !isAllowed(place, rule, one))
          .map(({ text }) => `${path}: ${text}`),
      );
    expect(strays).toEqual([]);
  });
});

it("the rules import nothing but each other, the contract's numbers and its types", () => {
  const values = files
    .filter((path) => under(path, "src/rules"))
    .flatMap((path) => importsOf(path))
    .filter(({ target, typeOnly }) => !typeOnly && !under(target, "src/rules"))
    .map(({ target }) => target);
  expect([...new Set(values)].sort()).toEqual([
    "src/contract/limits.ts",
    "src/contract/places.ts",
    "src/contract/roles.ts",
    "src/contract/verification.ts",
  ]);
});

it("the status machine imports nothing at all", () => {
  expect(importsOf("src/rules/status.ts")).toEqual([]);
});

it("nothing but the entry imports the class of the board, types aside", () => {
  const importers = files.filter((path) =>
    importsOf(path).some(({ target, typeOnly }) => target === "src/board/board.ts" && !typeOnly),
  );
  expect(importers).toEqual(["src/index.ts"]);
});

it("zod is imported whole and by one name, so that the bundle takes only what is used", () => {
  const strays = files.flatMap((path) =>
    importsOf(path)
      .filter(({ target }) => target === "zod" || target.startsWith("zod/"))
      .filter(({ text }) => !/^import (?:type )?\* as z from "zod"$/.test(text))
      .map(({ text }) => `${path}: ${text}`),
  );
  expect(strays).toEqual([]);
});

it("the client loads no schemas, by whatever way: they take longer than a short command may", () => {
  const loaded = new Set(["src/client/index.ts"]);
  for (const path of loaded)
    for (const { target, typeOnly } of importsOf(path)) if (!typeOnly) loaded.add(target);
  expect(loaded.size).toBeGreaterThan(15);
  expect([...loaded].filter((path) => !path.startsWith("src/"))).toEqual([]);
});

it("no two files import each other, by whatever way round, types aside", () => {
  const edges = new Map(
    files.map((path) => [
      path,
      importsOf(path)
        .filter(({ target, typeOnly }) => !typeOnly && target.startsWith("src/"))
        .map(({ target }) => target),
    ]),
  );
  // Taking away, again and again, what imports nothing that is left leaves exactly the rings.
  let left = edges.size + 1;
  while (left > edges.size) {
    left = edges.size;
    for (const [path, targets] of edges)
      if (targets.every((target) => !edges.has(target))) edges.delete(path);
  }
  expect([...edges.keys()]).toEqual([]);
});
