import fc from "fast-check";
import { expect, it } from "vitest";
import { EMPTY, levelOf, pour, waitFor } from "../../src/rules/bucket.ts";

it("drains at its pace and never below nothing", () => {
  const bucket = pour(EMPTY, 10, 2, 1_000);
  expect(levelOf(bucket, 2, 1_000)).toBe(10);
  expect(levelOf(bucket, 2, 3_500)).toBe(5);
  expect(levelOf(bucket, 2, 60_000)).toBe(0);
});

it("says when there is room again", () => {
  const bucket = pour(EMPTY, 10, 2, 1_000);
  expect(waitFor(bucket, 1, 11, 2, 1_000)).toBe(0);
  expect(waitFor(bucket, 1, 10, 2, 1_000)).toBe(500);
  expect(waitFor(bucket, 1, 10, 2, 1_250)).toBe(250);
  expect(waitFor(bucket, 1, 10, 2, 1_500)).toBe(0);
});

it("is not emptied by a clock that is set forward once and back again", () => {
  const bucket = pour(EMPTY, 10, 2, 5_000);
  expect(levelOf(bucket, 2, 1_000)).toBe(10);
  expect(pour(bucket, 1, 2, 1_000)).toEqual({ level: 11, at: 5_000 });
});

it("lets no more through than its size and its pace together, whatever the order of requests", () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 400 });
  fc.assert(
    fc.property(gaps, (waits) => {
      let bucket = EMPTY;
      let now = 1_000_000;
      let passed = 0;
      for (const wait of waits) {
        now += wait;
        if (waitFor(bucket, 1, 20, 100, now) > 0) continue;
        bucket = pour(bucket, 1, 100, now);
        passed++;
      }
      expect(passed).toBeLessThanOrEqual(20 + ((now - 1_000_000) / 1_000) * 100 + 1e-6);
    }),
    { seed: 912, numRuns: 300 },
  );
});
