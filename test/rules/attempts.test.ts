import { expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/contract/settings.ts";
import { type Attempt, afterFailedAttempt, backoffMs, summarizeAttempts } from "../../src/rules/attempts.ts";

const NOW = 1_800_000_000_000;
const { backoff } = DEFAULT_SETTINGS;
const LEAST = 0;
const MOST = 0.999;

it("the defaults are three attempts, then 0-5 s, 30 s and twice as long each time up to 15 minutes", () => {
  expect(DEFAULT_SETTINGS.maxAttempts).toBe(3);
  expect(backoff).toEqual({ firstMs: 5_000, stepMs: 30_000, maxMs: 900_000 });
});

it.each([
  { streak: 1, least: 0, most: 4_995 },
  { streak: 2, least: 15_000, most: 29_985 },
  { streak: 3, least: 30_000, most: 59_970 },
  { streak: 4, least: 60_000, most: 119_940 },
  { streak: 5, least: 120_000, most: 239_880 },
  { streak: 6, least: 240_000, most: 479_760 },
  { streak: 7, least: 450_000, most: 899_550 },
  { streak: 8, least: 450_000, most: 899_550 },
  { streak: 1_000, least: 450_000, most: 899_550 },
])("after $streak failures in a row the wait is between $least and $most ms", ({ streak, least, most }) => {
  expect(backoffMs(streak, backoff, LEAST)).toBe(least);
  expect(backoffMs(streak, backoff, MOST)).toBe(most);
});

it("the wait is a whole number of milliseconds and never above the bound", () => {
  for (let streak = 1; streak < 60; streak++)
    for (const random of [0, 0.123456, 0.5, 0.987654, 0.9999999]) {
      const wait = backoffMs(streak, backoff, random);
      expect(Number.isInteger(wait)).toBe(true);
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThanOrEqual(backoff.maxMs);
    }
});

it.each([1, 2, 5, 9])("after %d failures, tasks that died together come back apart", (streak) => {
  const waits = [0, 0.2, 0.4, 0.6, 0.8].map((random) => backoffMs(streak, backoff, random));
  expect(new Set(waits).size).toBe(5);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
});

it("the first failure puts the task back with a streak of one and a short wait", () => {
  expect(afterFailedAttempt(0, DEFAULT_SETTINGS, NOW, 0.5)).toEqual({
    streak: 1,
    status: "todo",
    notBefore: NOW + 2_500,
  });
});

it("a wait of nothing is no wait at all", () => {
  expect(afterFailedAttempt(0, DEFAULT_SETTINGS, NOW, 0)).toEqual({
    streak: 1,
    status: "todo",
    notBefore: null,
  });
});

it("the last allowed failure blocks the task, and so does any beyond it", () => {
  expect(afterFailedAttempt(1, DEFAULT_SETTINGS, NOW, 0)).toMatchObject({ streak: 2, status: "todo" });
  for (const streak of [2, 3, 50])
    expect(afterFailedAttempt(streak, DEFAULT_SETTINGS, NOW, 0.5)).toEqual({
      streak: streak + 1,
      status: "blocked",
      notBefore: null,
    });
});

it("a limit of one blocks at the first failure", () => {
  expect(afterFailedAttempt(0, { maxAttempts: 1, backoff }, NOW, 0.5).status).toBe("blocked");
});

it("a limit of nought is off: the task always comes back, the streak still counts and the wait stays bounded", () => {
  for (const streak of [0, 1, 2, 10, 10_000]) {
    const next = afterFailedAttempt(streak, { maxAttempts: 0, backoff }, NOW, MOST);
    expect(next).toMatchObject({ streak: streak + 1, status: "todo" });
    expect((next.notBefore ?? NOW) - NOW).toBeLessThanOrEqual(backoff.maxMs);
  }
});

/**
 * Attempts by their status, oldest first; `tombstone` is a failed one that the board found dead, `*` one
 * that left a commit or a summary.
 */
const attempts = (statuses: string): Attempt[] =>
  statuses
    .split(" ")
    .filter((status) => status !== "")
    .map((status) => ({
      status: (status === "tombstone" ? "failed" : status.replace("*", "")) as Attempt["status"],
      recoveryTombstone: status === "tombstone",
      leftWork: status.endsWith("*"),
    }));

it.each([
  ["no attempt", "", 0, 0],
  ["a crash", "timed_out", 1, 0],
  ["an error", "failed", 0, 1],
  ["a run found dead", "tombstone", 1, 0],
  ["crashes and an error", "timed_out failed tombstone", 2, 1],
  ["an error before a success", "failed succeeded", 0, 0],
  ["a crash after a success", "failed succeeded timed_out", 1, 0],
  ["an error after a cancel", "failed cancelled failed", 0, 1],
  ["a release in between", "failed released timed_out", 1, 1],
  ["a run that goes on", "failed running", 0, 1],
  ["releases alone", "released released", 0, 0],
])("%s (%s) is a streak of %d crashes and %d errors", (_what, ran, crashes, errors) => {
  expect(summarizeAttempts(attempts(ran))).toMatchObject({ crashStreak: crashes, errorStreak: errors });
});

it("classifying leaves the list as it was", () => {
  const ran = attempts("failed timed_out");
  summarizeAttempts(ran);
  expect(ran).toEqual(attempts("failed timed_out"));
});

it.each([
  ["", null, false],
  ["timed_out", "crash", false],
  ["timed_out*", "crash", true],
  ["timed_out* failed", "error", true],
  ["timed_out* timed_out", "crash", false],
  ["failed released", "error", false],
  ["succeeded", "success", false],
  ["cancelled running", "cancelled", false],
] as const)("after %j the last attempt was %s, and the last crash left work: %s", (ran, last, left) => {
  expect(summarizeAttempts(attempts(ran))).toMatchObject({ last, lastCrashLeftWork: left });
});
