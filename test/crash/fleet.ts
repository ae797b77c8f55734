/**
 * `npm run test:fleet -- [file] [--tasks n] [--runners n] [--kill n] [--stop n]`: runners on one machine drain a plan
 * with a command that takes 5 to 50 ms and fails one time in ten. Some are killed while they hold a task, some are
 * stopped until the board has taken theirs back, and go on then as if they still had it. In the end each task has to be
 * done exactly once, and the ledger to have every attempt. Without a file (Beads JSONL) a plan is made up.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import type { Told } from "../../src/cli/work/told.ts";
import { type Board, Edgeboard } from "../../src/client/index.ts";
import type { Execution, Task } from "../../src/contract/task.ts";
import { checkHistory } from "../demo/check.ts";
import { untilDrained } from "../demo/drain.ts";
import { divide, readPlan } from "../demo/plan.ts";
import { startScratch } from "../demo/scratch.ts";
import { checkLedger, type Known } from "./fleet-check.ts";
import { type Claimed, Runner } from "./fleet-runner.ts";
import { readLog } from "./read-board.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tasks: { type: "string", default: "100" },
    runners: { type: "string", default: "10" },
    kill: { type: "string", default: "3" },
    stop: { type: "string", default: "2" },
  },
});
const [TASKS, RUNNERS, KILLS, STOPS] = [values.tasks, values.runners, values.kill, values.stop].map(
  Number,
) as [number, number, number, number];
/** From 5 to 50 ms; one in ten fails. */
const EXEC = `r=$(od -An -N4 -tu4 /dev/urandom | tr -d ' '); sleep "0.0$(printf '%02d' $((5 + r % 46)))"
  [ $((r / 46 % 10)) != 0 ]`;
/** Stopped holders are swept within seven seconds; failed tasks are free again at once, as often as it takes. */
const SETTINGS = {
  leaseTtlMs: 6_000,
  beatEveryMs: 1_000,
  sweepEveryMs: 500,
  maxAttempts: 0,
  backoff: { firstMs: 100, stepMs: 100, maxMs: 500 },
  // Imports may nest as they like; a task below the limit could not be claimed.
  caps: { maxDepth: 100 },
};
const FAULTS_SHOWN = 20;

const startedAt = Date.now();
const say = (text: string) =>
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${text}`);

const scratch = await startScratch();
const known: Known[] = [];
const runners: Runner[] = [];
const killed = new Set<Runner>();
const stopped = new Set<Runner>();
const done = { count: 0, killed: 0, stopped: 0, unknown: 0 };
const errands: Promise<void>[] = [];

try {
  process.exitCode = await main();
} finally {
  for (const runner of runners) runner.signal("SIGKILL");
  await scratch.stop();
}

async function main(): Promise<number> {
  const operator = new Edgeboard({ url: scratch.url, token: scratch.operatorToken });
  const { token } = await operator.createBoard({ id: "fleet", name: "Fleet", settings: SETTINGS });
  const board = new Edgeboard({ url: scratch.url, token }).board("fleet");
  await fill(board);
  const { open } = divide(readPlan(await readLog(board)));
  say(`${open.size} tasks, ${RUNNERS} runners, of which ${KILLS} will be killed and ${STOPS} stopped`);
  const began = performance.now();
  for (let index = 1; index <= RUNNERS; index++) {
    const name = `runner-${index}`;
    const minted = await board.mintToken({ agentId: name, role: "verifier" });
    const env = { EDGEBOARD_URL: scratch.url, EDGEBOARD_TOKEN: minted.token };
    runners.push(new Runner(name, EXEC, env, (runner, told) => hear(board, open.size, runner, told)));
  }
  let shown = 0;
  await untilDrained({
    look: () => board.get(),
    open: open.size,
    workersLeft: () => RUNNERS - done.killed,
    onProgress: (count) => {
      done.count = count;
      if (count - shown < open.size / 10 && count !== open.size) return;
      if (count !== shown) say(`${count} of ${open.size} done`);
      shown = count;
    },
    signal: new AbortController().signal,
  });
  const wallMs = performance.now() - began;
  await Promise.all(errands);
  const alive = runners.filter((runner) => !killed.has(runner));
  for (const runner of alive) runner.signal("SIGTERM");
  const codes = await Promise.all(alive.map(({ exited }) => exited));
  const unwell = codes.filter((code) => code !== 0).map((code) => `a runner ended with ${code} on SIGTERM`);
  return report(board, wallMs, unwell);
}

function hear(board: Board, tasks: number, runner: Runner, told: Told): void {
  const { held } = runner;
  if (told.event === "trouble") say(`${runner.name}: ${told.error}`);
  if (told.event === "ended" && told.how === "unknown") done.unknown++;
  if (told.event === "ended" && held !== null && told.how !== "unknown" && told.how !== "released")
    known.push({ taskId: held.taskId, epoch: held.epoch, how: told.how });
  if (told.event !== "claimed" || killed.has(runner) || stopped.has(runner)) return;
  // Spread over the plan, kills and stops in turn; whoever claims next is hit.
  const due = (count: number, all: number) =>
    count < all && done.count >= (tasks * (count + 0.5)) / (all + 1);
  if (due(done.killed, KILLS)) errands.push(kill(board, runner, told));
  else if (due(done.stopped, STOPS)) errands.push(stop(board, runner, told));
}

/** A kill that came a moment too late, when the task was handed in, is one all the same. */
async function kill(board: Board, runner: Runner, claim: Claimed): Promise<void> {
  done.killed++;
  killed.add(runner);
  runner.signal("SIGKILL");
  await runner.exited;
  if (await holds(board, claim)) known.push({ taskId: claim.taskId, epoch: claim.epoch, how: "killed" });
  say(`killed ${runner.name} with ${claim.task}`);
}

/** It sleeps until its task is somebody else's, and is woken in the belief that it still has it. */
async function stop(board: Board, runner: Runner, claim: Claimed): Promise<void> {
  done.stopped++;
  stopped.add(runner);
  runner.signal("SIGSTOP");
  if (!(await holds(board, claim))) {
    // It had handed the task in before it was stopped: no zombie. The next claim will do.
    done.stopped--;
    stopped.delete(runner);
    runner.signal("SIGCONT");
    return;
  }
  say(`stopped ${runner.name} with ${claim.task}`);
  known.push({ taskId: claim.taskId, epoch: claim.epoch, how: "stopped" });
  while (await holds(board, claim)) await sleep(100);
  runner.signal("SIGCONT");
  say(`woke ${runner.name}: ${claim.task} is not its own any more`);
}

async function holds(board: Board, { taskId, epoch }: Claimed): Promise<boolean> {
  const { task } = await board.tasks.get(taskId);
  return task.lease?.epoch === epoch;
}

async function report(board: Board, wallMs: number, unwell: string[]): Promise<number> {
  const [events, tasks, runs] = [await readLog(board), await allTasks(board), await allRuns(board)];
  const verdict = checkHistory(events, tasks);
  const faults = [...verdict.faults, ...checkLedger(runs, events, known), ...unwell];
  const zombies = known.filter(({ how }) => how === "stopped");
  for (const { taskId, epoch } of zombies)
    if (!known.some((one) => one.how === "lost" && one.taskId === taskId && one.epoch === epoch))
      faults.push(`the runner that was stopped with ${taskId} did not notice that it had lost it`);
  if (done.killed !== KILLS || done.stopped !== STOPS)
    faults.push(`only ${done.killed} were killed and ${done.stopped} stopped: the plan is too small`);
  const count = (status: string) => runs.filter((run) => run.status === status).length;
  const table = new Table({ style: { head: [], border: [], compact: true }, colAligns: ["left", "right"] });
  table.push(
    ["tasks done", `${verdict.done} of ${verdict.expected}`],
    ["attempts in the ledger", runs.length],
    ["… succeeded", count("succeeded")],
    ["… failed", count("failed")],
    ["… timed out", count("timed_out")],
    ["runners killed", done.killed],
    ["runners stopped and woken", zombies.length],
    ["attempts told and compared", known.length],
    ["… whose runner never heard how it ended", done.unknown],
    ["wall time", `${(wallMs / 1_000).toFixed(1)} s`],
    ["tasks per second", (verdict.done / (wallMs / 1_000)).toFixed(1)],
  );
  console.log(`\n${table.toString()}\n`);
  for (const fault of faults.slice(0, FAULTS_SHOWN)) console.log(`  - ${fault}`);
  console.log(
    faults.length === 0
      ? "Held: each task done exactly once, zombies changed nothing, every attempt is in the ledger."
      : `Did not hold: ${faults.length} faults.`,
  );
  return faults.length === 0 ? 0 : 1;
}

async function fill(board: Board): Promise<void> {
  const [file] = positionals;
  if (file !== undefined) {
    const source = readFileSync(resolve(process.env["INIT_CWD"] ?? "", file), "utf8");
    await board.import(source, { format: "beads", dryRun: false, reset: true });
    return;
  }
  // A tree, three wide: enough is free at any time, and nothing is free that must not be.
  const tasks = Array.from({ length: TASKS }, (_, n) => ({
    ref: `t${n}`,
    title: `Task ${n}`,
    dependsOn: n < 3 ? [] : [`t${Math.floor(n / 3) - 1}`],
  }));
  await board.createPlan({ tasks });
}

async function allTasks(board: Board): Promise<Task[]> {
  const all: Task[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await board.tasks.list({ limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.tasks);
    if (page.nextCursor === null) return all;
    cursor = page.nextCursor;
  }
}

async function allRuns(board: Board): Promise<Execution[]> {
  const all: Execution[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await board.runs({ limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.executions);
    if (page.nextCursor === null) return all;
    cursor = page.nextCursor;
  }
}
