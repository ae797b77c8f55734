/** Are tasks of silent holders taken back? Where none are, the board's alarm does not ring. */
import { ALARM_OVERDUE_MS, LIST_MAX } from "../../../contract/limits.ts";
import type { HeldLease } from "../../../contract/task.ts";
import { count, span } from "../../words.ts";
import type { AtBoard, Check } from "../check.ts";
import { failed, good, skipped, type Verdict } from "../verdict.ts";

/** Two clocks are compared here; what they differ by is told by the check of the clock. */
const CLOCKS_MS = 10_000;

export const sweep: Check<AtBoard> = {
  name: "sweep",
  async run({ board }) {
    const { board: info } = await board.get();
    // It is left as it is, its leases too.
    if (info.archived) return skipped("An archived board sweeps nothing.");
    const { tasks } = await board.tasks.list({ status: ["in_progress", "in_review"], limit: LIST_MAX });
    const leases = tasks.flatMap(({ lease }) => (lease === null ? [] : [lease]));
    return judgeSweep(leases, info.settings.sweepEveryMs, Date.now());
  },
};

export function judgeSweep(leases: HeldLease[], sweepEveryMs: number, now: number): Verdict {
  const overdue = leases
    .map(({ expiresAt }) => now - expiresAt - sweepEveryMs - ALARM_OVERDUE_MS - CLOCKS_MS)
    .filter((byMs) => byMs > 0);
  const held = `${count(leases.length, "lease")} looked at`;
  if (overdue.length === 0)
    return good(`${held}, none of them silent for longer than a sweep takes.`, { leases: leases.length });
  return failed(
    `${held}, ${overdue.length} silent and not taken back, the longest ${span(Math.max(...overdue))} overdue.`,
    "The board's alarm does not ring: look for errors of it in the Worker's log (`wrangler tail`).",
  );
}
