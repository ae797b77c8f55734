import { expect, it } from "vitest";
import {
  bringForward,
  type DueFacts,
  isOverdue,
  leaseDue,
  nextAlarm,
  retryAfterFailure,
} from "../../src/rules/next-alarm.ts";

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
const NOTHING: DueFacts = {
  oldestBeatAt: null,
  leaseTtlMs: 180_000,
  lastSweepAt: 0,
  sweepEveryMs: 60_000,
  oldestReplyAt: null,
  oldestImportAt: null,
  nextDeferredAt: null,
  trimIsDue: false,
  oldestTailAt: null,
  tailRetentionMs: 30 * DAY,
  oldestTokenEndAt: null,
  nextWebhookAt: null,
  oldestDeliveryAt: null,
};

it("a board where nothing is due may sleep", () => {
  expect(nextAlarm(NOTHING)).toBeNull();
  expect(nextAlarm({ ...NOTHING, lastSweepAt: NOW })).toBeNull();
});

it.each<{ fact: string; facts: Partial<DueFacts>; at: number }>([
  { fact: "a lease that runs out", facts: { oldestBeatAt: NOW }, at: NOW + 180_000 },
  {
    fact: "a lease that ends soon after a sweep",
    facts: { oldestBeatAt: NOW - 179_000, lastSweepAt: NOW },
    at: NOW + 60_000,
  },
  { fact: "a recorded reply to trim", facts: { oldestReplyAt: NOW }, at: NOW + DAY },
  { fact: "an import in parts to forget", facts: { oldestImportAt: NOW }, at: NOW + DAY },
  { fact: "a log that is too long", facts: { trimIsDue: true }, at: 0 },
  { fact: "texts of a run that get old", facts: { oldestTailAt: NOW }, at: NOW + 31 * DAY },
  { fact: "a token that ended", facts: { oldestTokenEndAt: NOW }, at: NOW + 91 * DAY },
  { fact: "the next attempt of a delivery", facts: { nextWebhookAt: NOW + 9 }, at: NOW + 9 },
  { fact: "the end of the delivery log", facts: { oldestDeliveryAt: NOW }, at: NOW + 7 * DAY },
  { fact: "a deferred task somebody waits for", facts: { nextDeferredAt: NOW + 7 }, at: NOW + 7 },
])("alone, the alarm is for $fact", ({ facts, at }) => {
  expect(nextAlarm({ ...NOTHING, ...facts })).toBe(at);
});

it("texts that are kept for ever wake nobody", () => {
  expect(nextAlarm({ ...NOTHING, oldestTailAt: NOW, tailRetentionMs: null })).toBeNull();
});

it("a sweep long ago does not move a lease's time", () => {
  expect(nextAlarm({ ...NOTHING, oldestBeatAt: NOW, lastSweepAt: NOW + 119_999 })).toBe(NOW + 180_000);
  expect(nextAlarm({ ...NOTHING, oldestBeatAt: NOW, lastSweepAt: NOW + 120_000 })).toBe(NOW + 180_000);
  expect(nextAlarm({ ...NOTHING, oldestBeatAt: NOW, lastSweepAt: NOW + 120_001 })).toBe(NOW + 180_001);
});

it("of several facts the earliest wins, whichever it is", () => {
  const all = { oldestBeatAt: NOW, oldestReplyAt: NOW, nextDeferredAt: NOW + 300_000 };
  expect(nextAlarm({ ...NOTHING, ...all })).toBe(NOW + 180_000);
  expect(nextAlarm({ ...NOTHING, ...all, nextDeferredAt: NOW + 1 })).toBe(NOW + 1);
  expect(nextAlarm({ ...NOTHING, ...all, oldestReplyAt: NOW - DAY })).toBe(NOW);
  expect(nextAlarm({ ...NOTHING, ...all, oldestBeatAt: null })).toBe(NOW + 300_000);
});

it("a fact that is long past is due now, not lost", () => {
  expect(nextAlarm({ ...NOTHING, oldestBeatAt: NOW - DAY })).toBe(NOW - DAY + 180_000);
  expect(nextAlarm({ ...NOTHING, nextDeferredAt: 0 })).toBe(0);
});

it("a fact at time nought counts as a fact", () => {
  expect(nextAlarm({ ...NOTHING, oldestReplyAt: 0 })).toBe(DAY);
  expect(nextAlarm({ ...NOTHING, oldestBeatAt: 0, sweepEveryMs: 0 })).toBe(180_000);
});

it("sweeps keep their distance from each other", () => {
  const settings = { leaseTtlMs: 1_000, sweepEveryMs: 60_000, lastSweepAt: NOW };
  expect(leaseDue(settings, NOW - 5_000)).toBe(NOW + 60_000);
  expect(leaseDue(settings, NOW + 59_000)).toBe(NOW + 60_000);
  expect(leaseDue(settings, NOW + 59_001)).toBe(NOW + 60_001);
});

it("a mutation may only bring the alarm forward", () => {
  expect(bringForward(null, NOW)).toBe(NOW);
  expect(bringForward(NOW, NOW - 1)).toBe(NOW - 1);
  expect(bringForward(NOW, NOW)).toBeNull();
  expect(bringForward(NOW, NOW + 1)).toBeNull();
});

it("an alarm more than five seconds late was lost", () => {
  expect(isOverdue(NOW, NOW + 5_000)).toBe(false);
  expect(isOverdue(NOW, NOW + 5_001)).toBe(true);
  expect(isOverdue(NOW, NOW - 1)).toBe(false);
  expect(isOverdue(null, NOW)).toBe(false);
});

it.each([
  [1, 2_000],
  [2, 4_000],
  [3, 8_000],
  [4, 16_000],
  [5, 32_000],
  [6, 60_000],
  [7, 60_000],
  [8, 60_000],
  [9, 60_000],
  [10, 60_000],
])("after %d failures in a row the alarm comes back in %d ms", (failures, wait) => {
  expect(retryAfterFailure(failures, 500, NOW)).toBe(NOW + wait);
});

it.each([1, 5, 6, 10, 5_000])("after %d failures it never comes back sooner than a sweep may", (failures) => {
  expect(retryAfterFailure(failures, 90_000, NOW)).toBe(NOW + 90_000);
  expect(retryAfterFailure(failures, 3_000, NOW)).toBe(
    NOW + Math.max(3_000, Math.min(2_000 * 2 ** (failures - 1), 60_000)),
  );
});
