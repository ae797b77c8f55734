import type { Reason } from "./reasons.ts";

/** A refusal is a value: it crosses the object's boundary like any answer, and it changed nothing. */
export interface Refusal {
  ok: false;
  reason: Reason;
  /** One sentence for a person. Never a token, SQL or an internal. */
  detail: string;
  /** Members added to the problem answer, such as `holder`, `legalTargets`, `hint`. */
  extra?: Record<string, unknown>;
}

export interface Accepted<T> {
  ok: true;
  value: T;
}

export type Result<T> = Accepted<T> | Refusal;

export function accept<T>(value: T): Accepted<T> {
  return { ok: true, value };
}

export function refuse(reason: Reason, detail: string, extra?: Record<string, unknown>): Refusal {
  return extra === undefined ? { ok: false, reason, detail } : { ok: false, reason, detail, extra };
}
