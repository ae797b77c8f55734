/** What each reason to be stuck is called, and what it means, to somebody who reads it for the first time. */
import type { MustAct, StuckReason } from "../../contract/insight.ts";

export const REASONS: Record<StuckReason, { title: string; means: string }> = {
  no_lease: {
    title: "Held without a lease",
    means:
      "Somebody moved the card by hand. Nobody proves to be at work on it, so no sweep will take it back.",
  },
  unreachable: {
    title: "Waits for what cannot finish",
    means: "Something it waits for was cancelled or dropped.",
  },
  attempt_limit: {
    title: "Out of attempts",
    means: "It failed or fell silent as often in a row as this board allows.",
  },
  no_reviewer: {
    title: "Waits for a reviewer",
    means: "The work is handed in, and nobody holds the review.",
  },
  overrun: {
    title: "Runs too long",
    means: "It is still being worked on, for longer than this board expects.",
  },
  unclaimable: {
    title: "Nobody can claim it",
    means: "It is ready, but no token has the capabilities it requires.",
  },
};

/** In the order they are listed. The contract's own list would bring its schemas along. */
export const REASON_ORDER = Object.keys(REASONS) as StuckReason[];

const WHO: Record<MustAct["who"], string> = {
  agent: "an agent",
  lead: "a lead",
  reviewer: "a reviewer",
  holder: "its holder",
  nobody: "nobody",
  clock: "nobody: it waits for a time",
};

export function whoActs(who: MustAct["who"]): string {
  return WHO[who];
}
