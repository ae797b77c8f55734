/** docs/cases.md says of each case what proves it: the tests it names exist, and what it counts is what it lists. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, textOf } from "./source.ts";

const [head, ...sections] = textOf("docs/cases.md").split("\n## ") as [string, ...string[]];

/** The cells of every row of a section's table, its head and rule aside. */
const rowsOf = (section: string): string[][] =>
  section
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1)
    .map((line) => line.slice(2, -2).split(" | "));

const tables = sections.map((section) => ({
  name: section.slice(0, section.indexOf("\n")),
  cases: rowsOf(section).map(([number, about, proof]) => ({ number, about, proof: proof ?? "" })),
}));

const KINDS = [/^`test\//, /^waits for \w/, /^does not apply: \w/];

it.each(tables)(
  "$name: each case has a number of its own, a few words, and one kind of answer",
  ({ cases }) => {
    expect(cases.length).toBeGreaterThan(30);
    const order = cases.map(({ number }) => Number(number?.replace(/^G/, "")));
    expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
    for (const { number, about, proof } of cases) {
      expect([number, about], number).toEqual([
        expect.stringMatching(/^G?[1-9]\d*$/),
        expect.stringMatching(/\w/),
      ]);
      expect([number, KINDS.filter((kind) => kind.test(proof)).length]).toEqual([number, 1]);
    }
  },
);

it("the counts at the head are those of the lines", () => {
  const counted = tables.map(({ name, cases }) => [
    name,
    cases.length,
    ...KINDS.map((kind) => cases.filter(({ proof }) => kind.test(proof)).length),
  ]);
  const sums = [1, 2, 3, 4].map((column) => counted.reduce((sum, row) => sum + Number(row[column]), 0));
  expect(rowsOf(head)).toEqual([...counted, ["together", ...sums]].map((row) => row.map(String)));
});

/** A test file that a case names, with the words it quotes from it. */
const named = tables.flatMap(({ cases }) =>
  cases.flatMap(({ number, proof }) =>
    [...proof.matchAll(/`(test\/[^`]+)`([^`]*)/g)].map(([, path, rest]) => ({
      number,
      path: path as string,
      words: [...(rest as string).matchAll(/"([^"]+)"/g)].map(([, words]) => words as string),
    })),
  ),
);

describe("a test that a case names", () => {
  it("is a file", () => {
    expect(named.length).toBeGreaterThan(150);
    expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("says what is quoted from it", () => {
    const missing = named.flatMap(({ number, path, words }) =>
      words.filter((each) => !textOf(path).includes(each)).map((each) => `${number} ${path}: ${each}`),
    );
    expect(missing).toEqual([]);
  });
});
