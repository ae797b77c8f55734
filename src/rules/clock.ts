import { CLOCK_STEP_BACK_MS } from "../contract/limits.ts";

/**
 * The time a request goes by. A clock that steps back a little is not believed, so that no lease seems to
 * have been granted in the future; a larger step is a correction and stands.
 */
export function steadyNow(last: number, wall: number): number {
  return wall < last && last - wall <= CLOCK_STEP_BACK_MS ? last : wall;
}
