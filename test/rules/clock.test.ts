import { expect, it } from "vitest";
import { steadyNow } from "../../src/rules/clock.ts";

const LAST = 1_800_000_000_000;

it("a clock that moves forward is believed", () => {
  expect(steadyNow(LAST, LAST + 1)).toBe(LAST + 1);
  expect(steadyNow(LAST, LAST + 86_400_000)).toBe(LAST + 86_400_000);
});

it("a clock that stands still stays where it is", () => {
  expect(steadyNow(LAST, LAST)).toBe(LAST);
});

it.each([1, 1_000, 59_999, 60_000])("a step back of %d ms is not believed", (step) => {
  expect(steadyNow(LAST, LAST - step)).toBe(LAST);
});

it.each([60_001, 3_600_000])("a step back of %d ms is a correction and stands", (step) => {
  expect(steadyNow(LAST, LAST - step)).toBe(LAST - step);
});

it("the first request of a board goes by the wall", () => {
  expect(steadyNow(0, LAST)).toBe(LAST);
});
