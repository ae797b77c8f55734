/** What a check has found, as a value. */

export type State = "ok" | "warning" | "failed" | "skipped";

export interface Verdict {
  state: State;
  /** One sentence of what was seen. */
  detail: string;
  /** What to do about it. */
  next?: string;
  /** Numbers that were measured on the way, for scripts. */
  figures?: Record<string, number>;
}

export const good = (detail: string, figures?: Record<string, number>): Verdict => ({
  state: "ok",
  detail,
  ...(figures === undefined ? {} : { figures }),
});

export const warning = (detail: string, next: string): Verdict => ({ state: "warning", detail, next });

export const failed = (detail: string, next?: string): Verdict => ({
  state: "failed",
  detail,
  ...(next === undefined ? {} : { next }),
});

/** It could not be looked at; `next` says how it can. */
export const skipped = (detail: string, next?: string): Verdict => ({
  state: "skipped",
  detail,
  ...(next === undefined ? {} : { next }),
});
