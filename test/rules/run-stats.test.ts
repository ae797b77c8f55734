import { expect, it } from "vitest";
import { averageOf, dayOf, startOfDay, successRate, waitedFor } from "../../src/rules/run-stats.ts";

const NOW = Date.UTC(2027, 0, 15, 8);

it("a day begins at midnight UTC and ends a millisecond before the next", () => {
  const midnight = Date.UTC(2027, 0, 15);
  expect(startOfDay(dayOf(NOW))).toBe(midnight);
  expect(dayOf(midnight)).toBe(dayOf(NOW));
  expect(dayOf(midnight - 1)).toBe(dayOf(NOW) - 1);
  expect(dayOf(0)).toBe(0);
});

it.each([
  ["since it was ready", { openDependencies: 0, readySince: NOW - 5_000, notBefore: null }, 5_000],
  [
    "since its time came, where that was later",
    { openDependencies: 0, readySince: NOW - 5_000, notBefore: NOW - 1_000 },
    1_000,
  ],
  [
    "since it was ready, where its time had come before",
    { openDependencies: 0, readySince: NOW - 5_000, notBefore: NOW - 9_000 },
    5_000,
  ],
  ["not at all, where its clock is ahead", { openDependencies: 0, readySince: NOW + 5, notBefore: null }, 0],
  ["for nobody, where a lead took it early", { openDependencies: 1, readySince: 0, notBefore: null }, null],
])("a task waited %s", (_what, task, waited) => {
  expect(waitedFor(task, NOW)).toBe(waited);
});

it("an average is of whole milliseconds, and of nothing it is null", () => {
  expect(averageOf(10, 4)).toEqual({ averageMs: 3, count: 4 });
  expect(averageOf(0, 3)).toEqual({ averageMs: 0, count: 3 });
  expect(averageOf(0, 0)).toEqual({ averageMs: null, count: 0 });
});

it.each([
  [3, 1, 0, 0.75],
  [1, 0, 1, 0.5],
  [0, 2, 2, 0],
  [2, 0, 0, 1],
  [0, 0, 0, null],
])("%d successes, %d errors and %d timeouts are a rate of %s", (succeeded, failed, timed_out, rate) => {
  expect(successRate({ succeeded, failed, timed_out })).toBe(rate);
});
