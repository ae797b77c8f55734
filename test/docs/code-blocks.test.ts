/** Blocks that are no commands: TypeScript has to compile, JSON to be JSON, and what it says it is. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { event } from "../../src/contract/events.ts";
import type { Route } from "../../src/contract/route.ts";
import { ROUTES } from "../../src/contract/routes.ts";
import { ROOT } from "../structure/source.ts";
import { blocksIn, blocksOf, PAGES, placeOf } from "./pages.ts";

/** How a file of `src/cli/commands` begins; the page that shows one says so. */
const COMMAND = `import { command } from "${ROOT}/src/cli/command.ts";
import { flag, task, word } from "${ROOT}/src/cli/options.ts";\n`;

it("every block of TypeScript compiles against the client as it is", () => {
  const folder = mkdtempSync(join(tmpdir(), "edgeboard-docs-ts-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const blocks = blocksIn("ts");
  for (const [at, { page, text }] of blocks.entries()) {
    const before = page === "docs/design/command-line.md" ? COMMAND : "";
    writeFileSync(join(folder, `block-${at}.ts`), `${before}${text}\nexport {};\n`);
  }
  const compilerOptions = {
    noEmit: true,
    rootDir: "/",
    noPropertyAccessFromIndexSignature: false,
    paths: { "edgeboard/client": [join(ROOT, "src/client/index.ts")] },
  };
  const config = { extends: join(ROOT, "tsconfig.json"), compilerOptions, include: ["block-*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const checked = spawnSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true, force: true });
  const said = checked.stdout.replace(/[^\s]*block-(\d+)\.ts/g, (_, at) =>
    placeOf(blocks[Number(at)] as never),
  );
  expect(said).toBe("");
  expect(checked.status).toBe(0);
  expect(blocks.length).toBeGreaterThan(3);
});

describe("JSON", () => {
  const routes = new Map(Object.values<Route>(ROUTES).map((route) => [route.id, route]));
  const marked = blocksIn("json").map((block) => ({ ...block, place: placeOf(block) }));

  it.each(marked)("$place is JSON, and the body it says it is", ({ text, mark }) => {
    const value = JSON.parse(text) as unknown;
    if (mark === null) return;
    const [, operation = ""] = /^body of (\w+)$/.exec(mark) ?? [];
    const schema = routes.get(operation)?.body as z.ZodType | undefined;
    expect(schema, `no such body: ${mark}`).toBeDefined();
    expect(schema?.safeParse(value).error?.issues ?? []).toEqual([]);
  });
});

it("a webhook's message is an event of the board, under its kind and time", () => {
  const [, body = ""] = /\n\n([\s\S]+)$/.exec(blocksIn("http").map(({ text }) => text)[0] ?? "") ?? [];
  const { type, timestamp, data } = JSON.parse(body);
  const { board, ...told } = data;
  expect(event.strict().safeParse(told).error?.issues ?? []).toEqual([]);
  expect([type, timestamp, board]).toEqual([told.kind, new Date(told.at).toISOString(), "demo"]);
});

it("no page has a block in a language that nobody checks", () => {
  const checked = ["sh", "bash", "console", "ts", "json", "toml", "http", "text"];
  const others = PAGES.flatMap((page) => blocksOf(page)).filter(
    ({ language }) => !checked.includes(language),
  );
  expect(others.map(placeOf)).toEqual([]);
});
