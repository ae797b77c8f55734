import { expect, it } from "vitest";
import { take } from "../../src/self-host/windows.ts";

const START = 1_700_000_000_000;

it("a key has its number of calls in a window, and the same again in the next one", () => {
  const limit = { name: "a", limit: 2, period: 10 };
  expect([1, 2, 3].map(() => take(limit, "ada", START))).toEqual([true, true, false]);
  expect(take(limit, "ada", START + 9_999)).toBe(false);
  expect([1, 2, 3].map(() => take(limit, "ada", START + 10_000))).toEqual([true, true, false]);
});

it("keys and limits do not count for each other", () => {
  const limit = { name: "b", limit: 1, period: 60 };
  expect(take(limit, "ada", START)).toBe(true);
  expect(take(limit, "bob", START)).toBe(true);
  expect(take({ ...limit, name: "c" }, "ada", START)).toBe(true);
  expect(take(limit, "ada", START)).toBe(false);
});
