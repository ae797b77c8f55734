/**
 * A call to an object that did not come back. The platform retries by itself what is safe to retry; what is
 * left is told to the caller, who has an idempotency key for the rest.
 */
import { HTTPException } from "hono/http-exception";
import { NoJurisdictions } from "../board/stub.ts";
import { type Refusal, refuse } from "../contract/result.ts";

/** A request that took longer than any may. What it has done by then, nobody has heard. */
export class RequestTimedOut extends HTTPException {
  constructor() {
    super(503);
  }
}

interface StubError {
  message?: unknown;
  overloaded?: unknown;
  retryable?: unknown;
  durableObjectReset?: unknown;
}

/** Null: not the platform's doing but a bug of ours. */
function stubFailure(error: unknown): Refusal | null {
  if (typeof error !== "object" || error === null) return null;
  if (error instanceof NoJurisdictions) return refuse("board_not_found", "There is no such board here.");
  if (error instanceof RequestTimedOut)
    return refuse("board_unavailable", "This took longer than a request may.", {
      outcome: "unknown",
      hint: "Send the same request again with the same Idempotency-Key.",
    });
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

/** An exception as its caller hears of it. What is a bug of ours is written down. */
export function failureOf(error: unknown, requestId: string): Refusal {
  const failure = stubFailure(error);
  if (failure !== null) return failure;
  const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: undefined };
  console.error(
    JSON.stringify({
      message: "unexpected",
      requestId,
      error: name,
      // Frames only: a message may quote what it failed on.
      at: stack?.split("\n").slice(1, 8),
    }),
  );
  return refuse("internal", "Something went wrong here, not with your request.");
}
