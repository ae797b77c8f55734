/**
 * A call to an object that did not come back. The platform retries by itself what is safe to retry; what is
 * left is told to the caller, who has an idempotency key for the rest.
 */
import { type Refusal, refuse } from "../contract/result.ts";

interface StubError {
  message?: unknown;
  overloaded?: unknown;
  retryable?: unknown;
  durableObjectReset?: unknown;
}

/** Null: not the platform's doing but a bug of ours. */
export function stubFailure(error: unknown): Refusal | null {
  if (typeof error !== "object" || error === null) return null;
  const { message, overloaded, retryable, durableObjectReset } = error as StubError;
  if (overloaded === true)
    return refuse("board_overloaded", "The board has more to do than it can.", { outcome: "unknown" });
  if (typeof message === "string" && /SQLITE_FULL|database or disk is full/i.test(message))
    return refuse("board_full", "The board's storage is full.", { outcome: "nothing_changed" });
  if (retryable === true || durableObjectReset === true)
    return refuse("board_unavailable", "The board could not be reached.", {
      outcome: "unknown",
      hint: "Send the same request again with the same Idempotency-Key.",
    });
  return null;
}
