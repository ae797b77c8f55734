import { expect, it } from "vitest";
import {
  DEFAULT_SETTINGS,
  type Settings,
  settings as schema,
  settingsChange,
} from "../../src/contract/settings.ts";
import { mergeSettings, settingsFaults } from "../../src/rules/settings.ts";

const paths = (settings: Settings) => settingsFaults(settings).map(({ path }) => path);
const withChange = (change: Partial<Settings>): Settings => ({ ...DEFAULT_SETTINGS, ...change });

it("the defaults hold, and are what the interface promises", () => {
  expect(settingsFaults(DEFAULT_SETTINGS)).toEqual([]);
  expect(schema.parse(DEFAULT_SETTINGS)).toEqual({
    leaseTtlMs: 180_000,
    beatEveryMs: 30_000,
    sweepEveryMs: 60_000,
    maxAttempts: 3,
    backoff: { firstMs: 5_000, stepMs: 30_000, maxMs: 900_000 },
    readyOrder: "recent",
    requireVerification: false,
    maxRunMs: null,
    caps: { maxChildren: 24, maxDepth: 2, maxRootCreates: 30, rootWindowMs: 300_000 },
    budgetUsd: null,
    eventRetention: 100_000,
    tailRetentionMs: 2_592_000_000,
  });
});

it("a dead worker loses its task within eight minutes by default", () => {
  expect(DEFAULT_SETTINGS.leaseTtlMs + DEFAULT_SETTINGS.sweepEveryMs).toBeLessThan(480_000);
});

it.each<{ what: string; good: Partial<Settings>; bad: Partial<Settings>; path: string }>([
  {
    what: "a TTL under a second",
    good: { leaseTtlMs: 1_000, beatEveryMs: 200 },
    bad: { leaseTtlMs: 999, beatEveryMs: 200 },
    path: "leaseTtlMs",
  },
  { what: "a beat under 200 ms", good: { beatEveryMs: 200 }, bad: { beatEveryMs: 199 }, path: "beatEveryMs" },
  {
    what: "a sweep under 500 ms",
    good: { sweepEveryMs: 500 },
    bad: { sweepEveryMs: 499 },
    path: "sweepEveryMs",
  },
  {
    what: "a TTL of less than three beats",
    good: { leaseTtlMs: 90_000 },
    bad: { leaseTtlMs: 89_999 },
    path: "beatEveryMs",
  },
  {
    what: "TTL and sweep of more than an hour",
    good: { leaseTtlMs: 3_540_000 },
    bad: { leaseTtlMs: 3_540_001 },
    path: "leaseTtlMs",
  },
  {
    what: "a step of the backoff above its bound",
    good: { backoff: { firstMs: 5_000, stepMs: 900_000, maxMs: 900_000 } },
    bad: { backoff: { firstMs: 5_000, stepMs: 900_001, maxMs: 900_000 } },
    path: "backoff.stepMs",
  },
])("$what is a fault of $path", ({ good, bad, path }) => {
  expect(settingsFaults(withChange(good))).toEqual([]);
  expect(paths(withChange(bad))).toEqual([path]);
});

it("faults are told together, each with a message", () => {
  const faults = settingsFaults(
    withChange({
      leaseTtlMs: 100,
      beatEveryMs: 100,
      sweepEveryMs: 100,
      backoff: { firstMs: 0, stepMs: 2, maxMs: 1 },
    }),
  );
  expect(faults.map(({ path }) => path)).toEqual([
    "leaseTtlMs",
    "beatEveryMs",
    "sweepEveryMs",
    "beatEveryMs",
    "backoff.stepMs",
  ]);
  for (const { message } of faults) expect(message).not.toBe("");
});

it("a change is laid over what is in force, nested groups key by key", () => {
  const current = mergeSettings(DEFAULT_SETTINGS, { caps: { maxDepth: 5 }, backoff: { maxMs: 1_000_000 } });
  const merged = mergeSettings(current, {
    sweepEveryMs: 700,
    caps: { maxChildren: 1 },
    backoff: { firstMs: 9 },
  });
  expect(merged).toEqual({
    ...DEFAULT_SETTINGS,
    sweepEveryMs: 700,
    caps: { ...DEFAULT_SETTINGS.caps, maxDepth: 5, maxChildren: 1 },
    backoff: { ...DEFAULT_SETTINGS.backoff, maxMs: 1_000_000, firstMs: 9 },
  });
});

it("a change of nothing changes nothing, and neither it nor the current settings are touched", () => {
  const current = structuredClone(DEFAULT_SETTINGS);
  expect(mergeSettings(current, {})).toEqual(DEFAULT_SETTINGS);
  mergeSettings(current, { caps: { maxDepth: 9 }, leaseTtlMs: 5_000 });
  expect(current).toEqual(DEFAULT_SETTINGS);
});

it.each([{ unknown: { leaseTtl: 5 } }, { caps: { maxWidth: 5 } }, { backoff: { jitter: 1 } }])(
  "an unknown key is refused: %j",
  (change) => {
    expect(settingsChange.safeParse(change).success).toBe(false);
  },
);
