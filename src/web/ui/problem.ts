/** What went wrong, in the board's words. */
import { Refused, Unreachable } from "../../client/errors.ts";

export function errorText(error: unknown): string {
  if (error instanceof Refused) {
    const { detail, hint } = error.problem;
    return hint === undefined ? detail : `${detail} ${hint}`;
  }
  if (error instanceof Unreachable)
    return error.outcome === "unknown"
      ? "No answer came. It may have happened all the same: look before you try again."
      : "The server could not be reached.";
  return error instanceof Error ? error.message : String(error);
}
