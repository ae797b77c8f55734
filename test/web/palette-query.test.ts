/** What the palette understands. */
import { expect, it } from "vitest";
import { fits, readNumber } from "../../src/web/palette/query.ts";

it("a task is named by its number, with or without its sign", () => {
  expect(["12", "n12", "N12", "#12", "n", "12a", "n 12", ""].map(readNumber)).toEqual([
    12,
    12,
    12,
    12,
    null,
    null,
    null,
    null,
  ]);
});

it("words are looked for anywhere, in any order and case", () => {
  expect(fits("n7 Parse the Empty input", "input parse")).toBe(true);
  expect(fits("n7 Parse the Empty input", "n7 empty")).toBe(true);
  expect(fits("n7 Parse the Empty input", "parse output")).toBe(false);
});
