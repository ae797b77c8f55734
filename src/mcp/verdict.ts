/** A verdict as a reviewer's tool makes it, and as a model reads it. */
import { TEXT_MAX } from "../contract/limits.ts";
import type { Verification } from "../contract/verification.ts";
import type { Row } from "./pages.ts";
import { clean, moment } from "./wording.ts";

const ATTEMPTS_KEPT = 49;
const COMMAND_MAX = 2_000;

export interface Judgement {
  verdict: "pass" | "debt" | "fail";
  checks: readonly { name: string; ok: boolean }[];
  notes: string | null;
}

const STATUS = { pass: "pass", debt: "completed_with_debt", fail: "fail" } as const;

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

export function verdictRows(verification: Verification | null): Row[] {
  if (verification === null) return [];
  const { status, updatedAt } = verification;
  return [{ key: 1, fixed: { status, at: moment(updatedAt) }, texts: { report: report(verification) } }];
}

function report({ attempts, structuredError, debtNotes }: Verification): string {
  const latest = attempts.at(-1);
  const gate = latest?.deterministic;
  const error = structuredError;
  const lines = [
    ...(gate === undefined ? [] : [`${gate.passed ? "passed" : "not passed"}: ${gate.command}`]),
    ...(gate?.stdoutTail ? [gate.stdoutTail] : []),
    ...(gate?.stderrTail ? [gate.stderrTail] : []),
    ...(latest?.critic.findings ?? []).map(({ severity, title, body, filePath, startLine }) => {
      const where = filePath === null ? "" : ` (${filePath}${startLine === null ? "" : `:${startLine}`})`;
      return `${severity}: ${title}${where}${body === "" ? "" : `\n${body}`}`;
    }),
    ...(error === null ? [] : [error.what, error.why, error.howToFix].filter((line) => line !== "")),
    ...debtNotes.map((note) => `debt: ${note}`),
  ];
  return clean(lines.join("\n"));
}
