import * as z from "zod";
import * as limits from "./limits.ts";

const milliseconds = z
  .int()
  .min(0)
  .max(limits.RECOVERY_BOUND_MS * 24);

const backoff = z.strictObject({
  firstMs: milliseconds.meta({ description: "The first retry waits between 0 and this" }),
  stepMs: milliseconds.meta({ description: "The second waits about this, each further one twice as long" }),
  maxMs: milliseconds,
});

const caps = z.strictObject({
  maxChildren: z.int().min(0).max(10_000),
  maxDepth: z.int().min(0).max(100),
  maxRootCreates: z.int().min(0).max(100_000),
  rootWindowMs: milliseconds,
});

/** A board's settings with every value in force. Faults between them are `rules/settings.ts`'s to name. */
export const settings = z
  .strictObject({
    leaseTtlMs: z.int().meta({ description: "A lease lives this long without a beat" }),
    beatEveryMs: z.int().meta({ description: "The pace asked of holders" }),
    sweepEveryMs: z.int().meta({ description: "At most one sweep in this time" }),
    maxAttempts: z
      .int()
      .min(0)
      .max(1_000)
      .meta({ description: "Failures in a row before a task blocks; 0 = never" }),
    backoff,
    readyOrder: z.enum(["recent", "fifo"]),
    requireVerification: z.boolean(),
    maxRunMs: z.int().min(1_000).nullable(),
    caps,
    budgetUsd: z.number().min(0).max(1e9).nullable(),
    eventRetention: z.int().min(1_000).max(10_000_000),
    tailRetentionMs: z
      .int()
      .min(limits.TAIL_RETENTION_MIN_MS)
      .max(limits.TAIL_RETENTION_MAX_MS)
      .nullable()
      .meta({ description: "How long an ended run keeps its long texts; null = for ever" }),
  })
  .meta({ id: "Settings" });

export type Settings = z.infer<typeof settings>;

/** What a caller may turn: any part, nested groups key by key. */
export const settingsChange = z
  .strictObject({
    ...settings.shape,
    backoff: backoff.partial(),
    caps: caps.partial(),
  })
  .partial()
  .meta({ id: "SettingsChange" });

export type SettingsChange = z.infer<typeof settingsChange>;

export const DEFAULT_SETTINGS: Settings = {
  leaseTtlMs: limits.LEASE_TTL_MS,
  beatEveryMs: limits.BEAT_EVERY_MS,
  sweepEveryMs: limits.SWEEP_EVERY_MS,
  maxAttempts: limits.MAX_ATTEMPTS,
  backoff: {
    firstMs: limits.BACKOFF_FIRST_MS,
    stepMs: limits.BACKOFF_STEP_MS,
    maxMs: limits.BACKOFF_MAX_MS,
  },
  readyOrder: "recent",
  requireVerification: false,
  maxRunMs: null,
  caps: {
    maxChildren: limits.MAX_CHILDREN,
    maxDepth: limits.MAX_DEPTH,
    maxRootCreates: limits.MAX_ROOT_CREATES,
    rootWindowMs: limits.ROOT_WINDOW_MS,
  },
  budgetUsd: null,
  eventRetention: limits.EVENT_RETENTION,
  tailRetentionMs: limits.TAIL_RETENTION_MS,
};
