/** A verdict as a model reads it. */
import type { Verification } from "../contract/verification.ts";
import type { Row } from "./pages.ts";
import { clean, moment } from "./wording.ts";

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
