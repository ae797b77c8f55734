import { expect, it } from "vitest";
import * as limits from "../../src/contract/limits.ts";
import { disabledBy, isDelivered, nextAttempt, parallelTo } from "../../src/rules/webhooks.ts";

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
const MOST = 0;
const LEAST = 0.999_999;

const waitAfter = (attempts: number, random: number) =>
  (nextAttempt(attempts, NOW, NOW, random) ?? Number.NaN) - NOW;

it("a receiver has five seconds, a delivery a day, the log a week", () => {
  expect(limits.WEBHOOK_TIMEOUT_MS).toBe(5_000);
  expect(limits.WEBHOOK_GIVE_UP_MS).toBe(DAY);
  expect(limits.WEBHOOK_LOG_MS).toBe(7 * DAY);
});

it("an attempt has told how it ended long before it counts as lost", () => {
  expect(limits.WEBHOOK_ATTEMPT_MS).toBeGreaterThanOrEqual(2 * limits.WEBHOOK_TIMEOUT_MS);
});

it.each([
  { attempts: 1, least: 5_000, most: 10_000 },
  { attempts: 2, least: 10_000, most: 20_000 },
  { attempts: 3, least: 20_000, most: 40_000 },
  { attempts: 10, least: 2_560_000, most: 5_120_000 },
  { attempts: 11, least: 3_600_000, most: 7_200_000 },
  { attempts: 1_000, least: 3_600_000, most: 7_200_000 },
])("after $attempts failures the wait is between $least and $most ms", ({ attempts, least, most }) => {
  expect(waitAfter(attempts, MOST)).toBe(most);
  expect(waitAfter(attempts, LEAST)).toBeGreaterThanOrEqual(least);
  expect(waitAfter(attempts, LEAST)).toBeLessThanOrEqual(least + most / 1_000);
  expect(waitAfter(attempts, 0.123_456)).toSatisfy(Number.isInteger);
});

it("the last attempt is made when the day is over, and its failure is the end", () => {
  expect(nextAttempt(15, NOW, NOW + DAY - 1, MOST)).toBe(NOW + DAY);
  expect(nextAttempt(16, NOW, NOW + DAY, MOST)).toBeNull();
  expect(nextAttempt(1, NOW, NOW + 2 * DAY, MOST)).toBeNull();
});

it("over the day, a delivery that always fails is tried 22 to 34 times", () => {
  const attemptsWith = (random: number) => {
    let attempts = 0;
    for (let at: number | null = NOW; at !== null; at = nextAttempt(attempts, NOW, at, random)) attempts++;
    return attempts;
  };
  expect([attemptsWith(MOST), attemptsWith(0.5), attemptsWith(LEAST)]).toEqual([22, 26, 34]);
});

it("an answer is an acceptance from 200 to 299, and nothing else is", () => {
  expect([200, 202, 204, 299].map(isDelivered)).toEqual([true, true, true, true]);
  expect([null, 100, 199, 300, 301, 304, 400, 404, 410, 429, 500].filter(isDelivered)).toEqual([]);
});

it("410 disables at once, five dead in a row do, and nothing less", () => {
  expect(disabledBy(410, 0)).toBe("gone");
  expect([4, 5, 6].map((dead) => disabledBy(500, dead))).toEqual([null, "failing", "failing"]);
  expect(disabledBy(null, 0)).toBeNull();
});

it("a receiver that fails gets one attempt at a time", () => {
  expect([0, 1, 100].map(parallelTo)).toEqual([4, 1, 1]);
});
