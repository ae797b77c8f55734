import { expect, it } from "vitest";
import { isTrimDue, trimTo } from "../../src/rules/retention.ts";

it("keeps the newest events, as many as are to be kept", () => {
  expect(trimTo({ oldest: 1, last: 1_500 }, 1_000)).toBe(500);
  expect(trimTo({ oldest: 501, last: 1_500 }, 1_000)).toBe(500);
});

it.each([
  { retention: 1_000, slack: 100 },
  { retention: 1_009, slack: 100 },
  { retention: 100_000, slack: 10_000 },
])("lets a log of $retention run over by $slack before it is trimmed", ({ retention, slack }) => {
  const log = (length: number) => ({ oldest: 700, last: 699 + length });
  expect(isTrimDue(log(0), retention)).toBe(false);
  expect(isTrimDue(log(retention), retention)).toBe(false);
  expect(isTrimDue(log(retention + slack), retention)).toBe(false);
  expect(isTrimDue(log(retention + slack + 1), retention)).toBe(true);
});
