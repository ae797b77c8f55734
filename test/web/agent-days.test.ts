/** Days as a row of bars. */
import { expect, it } from "vitest";
import { everyDay, readSpan } from "../../src/web/agents/days.ts";

const DAY = 86_400_000;

it("every day is there once, oldest first, with nothing where nothing was counted", () => {
  const counted = [
    { day: 12 * DAY, runs: 5 },
    { day: 10 * DAY, runs: 2 },
  ];
  expect(everyDay(counted, 9 * DAY, 5, ({ runs }) => runs)).toEqual([
    { day: 9 * DAY, value: 0 },
    { day: 10 * DAY, value: 2 },
    { day: 11 * DAY, value: 0 },
    { day: 12 * DAY, value: 5 },
    { day: 13 * DAY, value: 0 },
  ]);
});

it("days to look back are one of those that are offered, whatever the address says", () => {
  expect(["7", "90", "8", "x", "", null].map(readSpan)).toEqual([7, 90, 14, 14, 14, 14]);
});
