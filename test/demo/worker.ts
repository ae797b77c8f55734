/**
 * One worker of the demo, a process of its own: claim, work a moment while beating, complete, again. It knows
 * nothing of the other workers and keeps nothing: what it holds when it is killed is the board's to recover.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type * as z from "zod";
import type {
  boardSummaryAnswer,
  claimAnswer,
  claimsAnswer,
  tasksAnswer,
} from "../../src/contract/answers.ts";
import { Api, type Problem } from "./api.ts";
import { WORKER_ENV, type WorkerReport } from "./reports.ts";

type Claim = z.infer<typeof claimAnswer>;

const WAIT_MS = 2_000;
const WORK_MS = { least: 20, most: 120 };
/** How often it picks from the list by itself, as an agent with a mind of its own would: that is how races are lost. */
const PICKS_ITSELF = 0.25;

const api = new Api(required(WORKER_ENV.board), required(WORKER_ENV.token));
const pauseMs = Number(required(WORKER_ENV.pauseMs));
let held: Claim | null = null;

process.on("disconnect", () => process.exit(0));
const { board } = await api.must<z.infer<typeof boardSummaryAnswer>>("GET", "");
// One timer for all tasks: most of them are shorter than its period, and a lease outlives several beats.
setInterval(beat, board.settings.beatEveryMs);
for (;;) {
  held = Math.random() < PICKS_ITSELF ? await claimFirstListed() : await claimNext();
  if (held !== null) await work(held);
  await sleep(pauseMs);
}

async function work(claim: Claim): Promise<void> {
  tell({ kind: "holding", task: `n${claim.task.number} ${claim.task.title}` });
  await sleep(WORK_MS.least + Math.random() * (WORK_MS.most - WORK_MS.least));
  if (held === null) return;
  held = null;
  const completed = await api.send("POST", `/tasks/${claim.task.id}/complete`, {
    leaseToken: claim.lease.token,
    outcome: "succeeded",
    status: "done",
  });
  if (!completed.ok && !isLost(completed.problem)) throw new Error(completed.problem.detail);
}

async function beat(): Promise<void> {
  const claim = held;
  if (claim === null) return;
  const { id } = claim.task;
  const heard = await api.send("POST", `/tasks/${id}/heartbeat`, { leaseToken: claim.lease.token });
  if (heard.ok) return tell({ kind: "beat" });
  // A refusal that arrives after the work was handed in says nothing new.
  if (held === claim && isLost(heard.problem)) held = null;
}

/** The task is somebody else's by now: what was done on it is dropped, and the next one claimed. */
function isLost(problem: Problem): boolean {
  const lost = problem.code === "lease_lost";
  if (lost) tell({ kind: "lost" });
  return lost;
}

async function claimNext(): Promise<Claim | null> {
  const { claims } = await api.must<z.infer<typeof claimsAnswer>>("POST", "/claims", { waitMs: WAIT_MS });
  return claims[0] ?? null;
}

async function claimFirstListed(): Promise<Claim | null> {
  const { tasks } = await api.must<z.infer<typeof tasksAnswer>>("GET", "/tasks?ready=true&limit=1");
  const first = tasks[0];
  if (first === undefined) return claimNext();
  const claimed = await api.send<Claim>("POST", `/tasks/${first.id}/claim`, {});
  if (claimed.ok) return claimed.value;
  if (claimed.problem.status !== 409) throw new Error(claimed.problem.detail);
  // Somebody was faster. That is final: the next call asks for another task.
  tell({ kind: "conflict" });
  return null;
}

function tell(report: WorkerReport): void {
  process.send?.(report);
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing: the demo starts its workers itself`);
  return value;
}
