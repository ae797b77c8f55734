/**
 * Done means verified. A verdict that exists and is not promotable keeps a task from `done`;
 * a missing one does not, unless the board asks for one.
 */
import { type Verification, verification } from "../contract/verification.ts";

/** Whether this verdict lets work through. No verdict at all proves nothing: false. */
export function isVerdictPromotable(verdict: Verification | null): boolean {
  if (verdict === null) return false;
  switch (verdict.status) {
    case "pass":
      return true;
    case "fail":
      return false;
    case "completed_with_debt":
      // Debt covers a critic's findings, never a red build: the latest gate has to be green.
      return verdict.attempts.at(-1)?.deterministic.passed === true;
  }
}

/**
 * Whether the stored cell lets work through. An empty cell means "not verified", which is a person's call,
 * and one that cannot be read proves nothing either way: both pass, unlike `isVerdictPromotable(null)`.
 */
export function isCellPromotable(cell: string | null): boolean {
  if (cell === null) return true;
  const verdict = readCell(cell);
  return verdict === null ? true : isVerdictPromotable(verdict);
}

/** The verdict in a stored cell, or null where there is none to read. */
export function readCell(cell: string | null): Verification | null {
  if (cell === null) return null;
  let json: unknown;
  try {
    json = JSON.parse(cell);
  } catch {
    return null;
  }
  const parsed = verification.safeParse(json);
  return parsed.success ? parsed.data : null;
}
