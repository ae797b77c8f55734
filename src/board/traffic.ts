/**
 * What a board lets in while many ask. A caller has its share, however many edges it comes in through; and when all
 * of them together ask more than the board can do, reads are turned away first, then writes. What a holder says about
 * its lease is always heard. In memory only: a board that starts anew has nothing to catch up on.
 */
import * as limits from "../contract/limits.ts";
import { type Refusal, refuse } from "../contract/result.ts";
import { type Caller, shareOf } from "../contract/roles.ts";
import { type Bucket, EMPTY, levelOf, pour, waitFor } from "../rules/bucket.ts";

/** What kind of call it is: the later, the longer it is let in. */
export type Urgency = "read" | "write" | "lease";

const LOAD_MAX: Record<Urgency, number> = {
  read: limits.LOAD_READS_MAX,
  write: limits.LOAD_WRITES_MAX,
  lease: Number.POSITIVE_INFINITY,
};

export class Traffic {
  readonly #shares = new Map<string, Bucket>();
  #load: Bucket = EMPTY;

  /** Lets a call in and counts it, or says why not. */
  refusal(caller: Caller, urgency: Urgency, now: number): Refusal | null {
    const whose = shareOf(caller);
    const share = whose === null ? 0 : this.#waitForShare(whose, now);
    if (share > 0)
      return refuse("rate_limited", "This token asks more of the board than its share.", {
        retryAfterMs: share,
        hint: "Wait for Retry-After seconds; wait with waitMs instead of asking again and again.",
      });
    const busy = waitFor(this.#load, 1, LOAD_MAX[urgency], limits.LOAD_PER_S, now);
    if (busy > 0)
      return refuse("board_overloaded", "The board has more to do than it can.", {
        outcome: "nothing_changed",
        retryAfterMs: busy,
      });
    this.worked(1, now);
    return null;
  }

  /** What a call has cost, beyond its coming in. */
  spent(rowsRead: number, rowsWritten: number, now: number): void {
    this.worked(rowsRead * limits.LOAD_ROW_READ + rowsWritten * limits.LOAD_ROW_WRITTEN, now);
  }

  worked(units: number, now: number): void {
    this.#load = pour(this.#load, units, limits.LOAD_PER_S, now);
  }

  #waitForShare(jti: string, now: number): number {
    const share = this.#shares.get(jti) ?? EMPTY;
    const wait = waitFor(share, 1, limits.TOKEN_CALLS_MAX, limits.TOKEN_CALLS_PER_S, now);
    if (wait > 0) return wait;
    if (this.#shares.size >= limits.SHARES_KEPT_MAX) this.#forgetIdle(now);
    this.#shares.set(jti, pour(share, 1, limits.TOKEN_CALLS_PER_S, now));
    return 0;
  }

  /** An empty bucket is as good as none. */
  #forgetIdle(now: number): void {
    for (const [jti, share] of this.#shares)
      if (levelOf(share, limits.TOKEN_CALLS_PER_S, now) === 0) this.#shares.delete(jti);
  }
}
