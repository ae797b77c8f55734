/** Requests that wait. Nothing is handed out here: being woken is a hint, and the tables are read again. */
import { accept } from "../contract/result.ts";
import { shareOf } from "../contract/roles.ts";
import { boardNotFound } from "./admission.ts";
import { addCost, NO_COST } from "./cost.ts";
import { type EventPage, type ListEvents, listEvents } from "./operations/events.ts";
import { read } from "./operations.ts";
import type { Call, Reply } from "./replay.ts";
import type { Runner } from "./runner.ts";
import { lastSeq } from "./store/events.ts";
import { anyReady, nextDeferredAt, promoteDeferred } from "./store/ready-queue.ts";

export interface WaitForWork {
  sinceSeq: number;
  waitMs: number;
}

export interface Waited {
  /** `full`: too many wait already. */
  outcome: "woken" | "late" | "full";
}

export async function waitForWork(runner: Runner, call: Call, input: WaitForWork): Promise<Reply<Waited>> {
  const standing = runner.counted("waitForWork", () => runner.run(WORK_SINCE, call, input.sinceSeq));
  if (!standing.ok) return standing;
  if (standing.value) return { ...standing, value: { outcome: "woken" } };
  const waited = runner.forWork.wait(input.waitMs, shareOf(call.caller));
  const deferredAt = nextDeferredAt(runner.sql);
  if (deferredAt !== null) runner.alarm.bringForward(deferredAt);
  const outcome = await waited;
  if (outcome === "full") runner.tally.turnedAway += 1;
  return runner.created ? { ...standing, value: { outcome } } : boardNotFound();
}

/** Whether anything has come up since then that may be claimed. */
const WORK_SINCE = read((context, sinceSeq: number) => {
  const promoted = promoteDeferred(context.sql, context.now);
  return accept((promoted > 0 || lastSeq(context.sql) > sinceSeq) && anyReady(context.sql));
});

const LIST_EVENTS = read(listEvents);

export async function waitForEvents(
  runner: Runner,
  call: Call,
  input: ListEvents & { waitMs: number },
): Promise<Reply<EventPage>> {
  const deadline = Date.now() + input.waitMs;
  let cost = NO_COST;
  let from: ListEvents = input;
  let page = runner.counted("listEvents", () => runner.serve(LIST_EVENTS, call, from));
  for (;;) {
    cost = addCost(cost, page.cost);
    const whole = { ...page, cost };
    const left = deadline - Date.now();
    if (!page.ok || page.value.events.length > 0 || page.value.hasMore || left <= 0) return whole;
    if ((await runner.forEvents.wait(left, shareOf(call.caller))) === "full") {
      runner.tally.turnedAway += 1;
      return whole;
    }
    // Nothing up to here was asked for: it is not looked at again with each change.
    from = { ...from, cursor: page.value.seq };
    page = runner.counted("listEvents", () => runner.run(LIST_EVENTS, call, from));
  }
}
