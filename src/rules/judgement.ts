/** A reviewer's verdict, as it is put on top of those that a task had before. */
import { COMMAND_MAX, TEXT_MAX } from "../contract/limits.ts";
import type { Verification } from "../contract/verification.ts";

const ATTEMPTS_KEPT = 49;

export interface Judgement {
  verdict: "pass" | "debt" | "fail";
  checks: readonly { name: string; ok: boolean }[];
  notes: string | null;
}

const STATUS = { pass: "pass", debt: "completed_with_debt", fail: "fail" } as const;

export interface JudgementFault {
  field: "verdict" | "checks" | "notes";
  message: string;
}

/** What speaks against a judgement before anybody is asked; null: nothing does. */
export function judgementFault({ verdict, checks, notes }: Judgement): JudgementFault | null {
  if (verdict !== "pass" && notes === null) return { field: "notes", message: `are needed with ${verdict}` };
  if (verdict !== "fail" && checks.some(({ ok }) => !ok))
    return { field: "verdict", message: "must be fail where a check failed" };
  if (verdict === "debt" && checks.length === 0)
    return {
      field: "checks",
      message: "are needed with debt: a review that ran nothing carries no debt",
    };
  return null;
}

/** The new verdict, with the attempts that were judged before. Where no check was run, none is said to have passed. */
export function judged(
  before: Verification | null,
  { verdict, checks, notes }: Judgement,
  at: number,
): Verification {
  const status = STATUS[verdict];
  const earlier = before?.attempts.slice(-ATTEMPTS_KEPT) ?? [];
  const passed = checks.length > 0 && checks.every(({ ok }) => ok);
  const told = checks.map(({ name, ok }) => `${ok ? "ok" : "failed"}: ${name}`).join("\n");
  return {
    status,
    updatedAt: at,
    attempts: [
      ...earlier,
      {
        attempt: (earlier.at(-1)?.attempt ?? 0) + 1,
        at,
        status,
        deterministic: {
          command: short(checks.map(({ name }) => name).join("; ") || "none", COMMAND_MAX),
          exitCode: checks.length === 0 ? null : passed ? 0 : 1,
          passed,
          durationMs: 0,
          timedOut: false,
          stdoutTail: short(told, TEXT_MAX),
          stderrTail: "",
        },
        critic: {
          ran: true,
          findings: [],
          reviewerRuntime: null,
          reviewerModel: null,
          reviewedSha: null,
        },
      },
    ],
    structuredError: verdict === "fail" && notes !== null ? { what: notes, why: "", howToFix: "" } : null,
    debtNotes: verdict === "debt" && notes !== null ? [notes] : [],
  };
}

const short = (text: string, most: number): string => [...text].slice(0, most).join("");
