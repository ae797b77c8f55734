/** docs/conformance.md names every test of the suite, and no other, under the parts of docs/api.md. */
import { expect, it } from "vitest";
import { tablesOf } from "./markdown.ts";
import { filesBelow, textOf } from "./source.ts";

const titles = filesBelow("test/conformance")
  .filter((path) => path.endsWith(".test.ts"))
  .flatMap((path) => [...textOf(path).matchAll(/^test\(\s*"([^"]+)"/gm)].map(([, title]) => title as string));

const tables = tablesOf("docs/conformance.md");
const rows = tables.flatMap(({ rows }) => rows);

it("every row has a promise and the title of a test, and every test has a row", () => {
  expect(titles.length).toBeGreaterThan(50);
  expect(rows.filter((row) => row.length !== 2 || row.includes(""))).toEqual([]);
  expect(rows.map(([, title]) => title).toSorted()).toEqual(titles.toSorted());
});

it("its parts are those of the interface that promise something", () => {
  const parts = [...textOf("docs/api.md").matchAll(/^## (.*)$/gm)].map(([, part]) => part);
  expect(tables.map(({ section }) => section)).toEqual(parts);
});
