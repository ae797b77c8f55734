/** What a run used, as it adds up. */
import type { Body } from "./calls.ts";

export type Usage = NonNullable<Body<"heartbeat">["usage"]>;

/** Only what was used: a zero says nothing. Undefined where nothing was. */
export function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  const sum: Usage = {};
  for (const key of ["inputTokens", "outputTokens", "costUsd"] as const) {
    const total = (one?.[key] ?? 0) + (other?.[key] ?? 0);
    if (total > 0) sum[key] = total;
  }
  return Object.keys(sum).length === 0 ? undefined : sum;
}
