/** Do the server's clock and this machine's agree? */
import type { AtServer, Check } from "../check.ts";
import { failed, good, skipped, type Verdict, warning } from "../verdict.ts";
import { ask } from "../wire.ts";

/** A header of the time is in whole seconds, rounded down. */
const GRAIN_MS = 1_000;
/** Beyond it the ends of leases and tokens are shown wrongly here. */
const SEEN_MS = 2_000;
/** Receivers of webhooks refuse what is five minutes off; long before that something is broken. */
const BROKEN_MS = 60_000;

export const clock: Check<AtServer> = {
  name: "clock",
  async run(at) {
    const { headers, sentAt, heardAt } = await ask(at, "/healthz");
    const told = Date.parse(headers.get("date") ?? "");
    return Number.isNaN(told)
      ? skipped("The server does not tell the time: its answers have no Date.")
      : judgeClock({ told, sentAt, heardAt });
  },
};

export interface Told {
  /** What the server said, and when it was asked and heard here. */
  told: number;
  sentAt: number;
  heardAt: number;
}

/** The server spoke at some moment between the two, and meant some moment of its second. */
export function judgeClock({ told, sentAt, heardAt }: Told): Verdict {
  const between = (sentAt + heardAt) / 2;
  const eitherWay = (heardAt - sentAt) / 2;
  const least = told - between - eitherWay;
  const most = told + GRAIN_MS - between + eitherWay;
  const offMs = Math.round(least > 0 ? least : Math.min(most, 0));
  const words = `The server's clock is ${(Math.abs(offMs) / 1_000).toFixed(1)} s ${offMs > 0 ? "ahead of" : "behind"} this machine's`;
  if (Math.abs(offMs) <= SEEN_MS)
    return good(
      offMs === 0 ? "The clocks agree, as far as can be measured." : `${words}, which does no harm.`,
      { offMs },
    );
  const next = "Set this machine by a time server; the board goes by its own clock in any case.";
  return Math.abs(offMs) > BROKEN_MS ? failed(`${words}.`, next) : warning(`${words}.`, next);
}
