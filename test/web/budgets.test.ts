/** What the page weighs, as it goes over the wire; `npm test` builds it first. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const WEB = join(import.meta.dirname, "../../dist/web");
const index = readFileSync(join(WEB, "index.html"), "utf8");
const files = readdirSync(join(WEB, "assets"));
const weigh = (names: string[]) =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(WEB, "assets", name))).length, 0);
const chunk = (start: string) => files.filter((name) => name.startsWith(start) && name.endsWith(".js"));

it("begins with at most 45 KB of script", () => {
  const first = files.filter((name) => name.endsWith(".js") && index.includes(name));
  expect(first.length).toBeGreaterThan(0);
  expect(weigh(first)).toBeLessThanOrEqual(45_000);
});

it("has at most 12 KB of style, over all its pages", () => {
  expect(weigh(files.filter((name) => name.endsWith(".css")))).toBeLessThanOrEqual(12_000);
});

it.each([
  ["graph-page", 15_000],
  ["runs-page", 12_000],
])("loads %s when somebody goes there, of at most %i bytes", (name, most) => {
  expect(chunk(name).length).toBe(1);
  expect(index).not.toContain(name);
  expect(weigh(chunk(name))).toBeLessThanOrEqual(most);
});

it("says nothing of the machine it was built on", () => {
  const scripts = files.filter((name) => name.endsWith(".js"));
  for (const name of scripts)
    expect(readFileSync(join(WEB, "assets", name), "utf8")).not.toContain("/src/web/");
});

it("names its files by what is in them, and keeps script and style out of the document", () => {
  for (const name of files) expect(name).toMatch(/-[\w-]{8}\.(?:js|css)$/);
  expect(index).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)/);
});
