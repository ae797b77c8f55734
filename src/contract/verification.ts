/** A verdict on one attempt: what a deterministic gate said, and what a critic found. */
import * as z from "zod";
import { COMMAND_MAX, TITLE_MAX } from "./limits.ts";
import { agentId, longText, reference, text, time } from "./text.ts";

export const VERDICTS = ["pass", "completed_with_debt", "fail"] as const;

/** The first five block a task; the last three are debt. */
export const SEVERITIES = [
  "security",
  "crash",
  "data_loss",
  "wrong_algorithm",
  "missing_ac",
  "style",
  "perf",
  "other",
] as const;

const finding = z.strictObject({
  severity: z.enum(SEVERITIES),
  title: text(TITLE_MAX),
  body: longText.default(""),
  filePath: reference.nullable().default(null),
  startLine: z.int().min(0).nullable().default(null),
  confidence: z.number().min(0).max(1).nullable().default(null),
});

const deterministic = z.strictObject({
  command: text(COMMAND_MAX),
  exitCode: z.int().nullable(),
  passed: z.boolean(),
  durationMs: z.number().min(0),
  timedOut: z.boolean().default(false),
  stdoutTail: longText.default(""),
  stderrTail: longText.default(""),
});

const critic = z.strictObject({
  ran: z.boolean(),
  findings: z.array(finding).max(200).default([]),
  reviewerRuntime: agentId.nullable().default(null),
  reviewerModel: agentId.nullable().default(null),
  reviewedSha: text(128).nullable().default(null),
});

const attempt = z.strictObject({
  attempt: z.int().min(1),
  at: time,
  deterministic,
  critic,
  status: z.enum(VERDICTS),
});

export const verification = z
  .strictObject({
    status: z.enum(VERDICTS),
    attempts: z.array(attempt).min(1).max(50),
    updatedAt: time,
    structuredError: z
      .strictObject({ what: longText, why: longText.default(""), howToFix: longText.default("") })
      .nullable()
      .default(null),
    debtNotes: z.array(longText).max(100).default([]),
  })
  .meta({ id: "Verification" });

export type Verification = z.infer<typeof verification>;
