/** Does the board wake by itself, and take a silent holder's task back when it said it would? */
import { pause } from "../../../client/pause.ts";
import { ALARM_OVERDUE_MS } from "../../../contract/limits.ts";
import type { AtScratch, Check } from "../check.ts";
import { failed, good, type Verdict, warning } from "../verdict.ts";
import { refusalOf } from "../within.ts";

/** So brief that a person can wait for it. The other checks have leases that a slow line does not cost them. */
const BRISK = { leaseTtlMs: 2_000, beatEveryMs: 600, sweepEveryMs: 500 } as const;
const PROMISED_MS = BRISK.leaseTtlMs + BRISK.sweepEveryMs;
/** An alarm may be a little late; after `ALARM_OVERDUE_MS` it is taken for lost, and set again by whoever asks next. */
const LATE_MS = 1_500;
const LOOK_MS = 500;

export const alarm: Check<AtScratch> = {
  name: "alarm",
  async run({ lead, ann, signal }) {
    await lead.change({ settings: BRISK });
    const { task } = await lead.tasks.create({ title: "fallen silent" });
    const { lease } = await ann.claim(task.id);
    const claimedAt = await happened(lead, task.id, "task_claimed");
    // Quiet until then: what is asked of a board might wake it as well.
    let takenAt: number | null = null;
    for (let waitedMs = 0; takenAt === null && waitedMs < PROMISED_MS + ALARM_OVERDUE_MS; ) {
      const nextMs = waitedMs === 0 ? PROMISED_MS : LOOK_MS;
      await pause(nextMs, signal);
      waitedMs += nextMs;
      takenAt = await happened(lead, task.id, "task_released");
    }
    if (claimedAt === null || takenAt === null) return judgeAlarm(null);
    const verdict = judgeAlarm(takenAt - claimedAt);
    if (verdict.state === "failed") return verdict;
    const refusal = await refusalOf(lease.heartbeat());
    return refusal === "lease_lost"
      ? verdict
      : failed(`A task was taken back, and its holder's beat is still ${refusal ?? "accepted"}.`);
  },
};

/** When it happened, by the board's own clock. */
async function happened(
  lead: AtScratch["lead"],
  taskId: string,
  kind: "task_claimed" | "task_released",
): Promise<number | null> {
  const { events } = await lead.events({ taskId, kind: [kind] });
  return events[0]?.at ?? null;
}

/** How long after its claim the task was taken back; null: it was not. */
export function judgeAlarm(afterMs: number | null): Verdict {
  const next =
    "The board's alarm does not ring in time: look for errors in the Worker's log (`wrangler tail`).";
  if (afterMs === null) return failed("A silent holder keeps its task: nothing took it back.", next);
  const words = `A silent holder's task was taken back after ${seconds(afterMs)}`;
  const promise = `${seconds(PROMISED_MS)} are promised`;
  if (afterMs > PROMISED_MS + ALARM_OVERDUE_MS) return failed(`${words}; ${promise}.`, next);
  if (afterMs > PROMISED_MS + LATE_MS) return warning(`${words}; ${promise}.`, next);
  return good(`${words}, by itself; at most ${promise}.`, { takenBackMs: afterMs });
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
