/**
 * One client of the history, a process of its own: claims, works, beats, hands in; sometimes slowly, sometimes twice and
 * otherwise, sometimes with a lease it lost long ago. It does not look whether it may: that is the board's to say.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Edgeboard } from "../../src/client/index.ts";
import { Chance } from "../support/chance.ts";
import { Recorder } from "./recorder.ts";

/** What it is started with, and what it says. */
export interface ClientPlan {
  name: string;
  url: string;
  board: string;
  token: string;
  seed: number;
  file: string;
  leaseTtlMs: number;
}
export type ClientWord = "holding" | "free";

interface Held {
  taskId: string;
  epoch: number;
  token: string;
}

const plan = JSON.parse(process.argv[2] ?? "") as ClientPlan;
const chance = new Chance(plan.seed);
const recorder = new Recorder(plan.name, plan.file);
/** A call is tried again, the same, until it is answered, or for this long. */
const server = new Edgeboard({ url: plan.url, token: plan.token, budgetMs: 6_000, timeoutMs: 1_500 });
const board = server.board(plan.board);
const known: string[] = [];
/** Leases it had; it tries them again now and then. */
const past: Held[] = [];
let going = true;

process.on("message", () => {
  going = false;
});
process.on("disconnect", () => process.exit(0));

while (going) {
  if (chance.is(0.15)) await create();
  if (chance.is(0.15)) await listReady();
  const lease = await claim();
  if (lease === null) {
    await sleep(50);
    continue;
  }
  process.send?.("holding" satisfies ClientWord);
  await work(lease);
  process.send?.("free" satisfies ClientWord);
  past.push(lease);
  const old = chance.of(past);
  if (old !== undefined && chance.is(0.2)) await (chance.is(0.5) ? beat(old) : complete(old, chance.is(0.5)));
}
process.disconnect?.();

async function work(lease: Held): Promise<void> {
  // One in five is as slow as if it had died, and does not beat.
  if (chance.is(0.2)) await sleep(plan.leaseTtlMs * chance.between(0.8, 2));
  else {
    await sleep(chance.between(20, 200));
    if (chance.is(0.5)) await beat(lease);
  }
  if (chance.is(0.1)) return release(lease);
  const succeeds = chance.is(0.85);
  await complete(lease, succeeds);
  if (chance.is(0.1)) await complete(lease, !succeeds);
}

async function create(): Promise<void> {
  const mark = recorder.mark();
  const dependsOn = [...new Set([chance.of(known), chance.of(known)])].filter((id) => id !== undefined);
  await recorder.call(
    "create",
    { mark, dependsOn },
    () => board.tasks.create({ title: mark, dependsOn }, { idempotencyKey: mark }),
    ({ task }) => {
      known.push(task.id);
      return { taskId: task.id };
    },
  );
}

async function listReady(): Promise<void> {
  await recorder.call(
    "ready",
    {},
    () => board.tasks.list({ ready: true, limit: 50 }),
    ({ tasks }) => ({ offered: tasks.map(({ id }) => id) }),
  );
}

async function claim(): Promise<Held | null> {
  const mark = recorder.mark();
  const claimed = await recorder.call(
    "claim",
    { mark },
    () => board.claimNext({ runtime: mark }, { idempotencyKey: mark }),
    (answer) => (answer === null ? "nothing" : { taskId: answer.lease.taskId, epoch: answer.lease.epoch }),
  );
  if (claimed == null) return null;
  const { taskId, epoch, token } = claimed.lease.grant;
  known.push(taskId);
  return { taskId, epoch, token };
}

async function beat({ taskId, epoch, token }: Held): Promise<void> {
  await recorder.call("beat", { taskId, epoch }, () =>
    board.call("heartbeat", { params: { id: taskId }, body: { leaseToken: token } }),
  );
}

async function release({ taskId, epoch, token }: Held): Promise<void> {
  await recorder.call("release", { taskId, epoch }, () =>
    board.call("releaseTask", { params: { id: taskId }, body: { leaseToken: token } }),
  );
}

async function complete({ taskId, epoch, token }: Held, succeeded: boolean): Promise<void> {
  const mark = recorder.mark();
  const word = succeeded
    ? ({ outcome: "succeeded", status: "done" } as const)
    : ({ outcome: "failed", status: "todo" } as const);
  const facts = { mark, taskId, epoch, word: `${word.outcome} ${word.status}` };
  await recorder.call("complete", facts, () =>
    board.call("completeTask", {
      params: { id: taskId },
      body: { leaseToken: token, summary: mark, ...word },
    }),
  );
}
