/**
 * `npm run test:history -- [--seconds n] [--clients n] [--seed n]`: clients work on a board over a line that drops, delays
 * and doubles what they say; some are slow, some are stopped and woken long after their lease, some are killed. What
 * each asked and heard is written down, and a checker that knows nothing of boards says whether it can have been so.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { Edgeboard } from "../../src/client/index.ts";
import { Killable } from "../crash/killable.ts";
import { readTables } from "../crash/read-board.ts";
import { Chance } from "../support/chance.ts";
import { checkOperations } from "./checker.ts";
import type { ClientPlan, ClientWord } from "./client.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { type Line, type Operation, pair } from "./operations.ts";
import { Recorder } from "./recorder.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    clients: { type: "string", default: "6" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const [SECONDS, CLIENTS, SEED] = [values.seconds, values.clients, values.seed].map(Number) as [
  number,
  number,
  number,
];
const SETTINGS = {
  leaseTtlMs: 1_000,
  beatEveryMs: 300,
  sweepEveryMs: 500,
  maxAttempts: 0,
  backoff: { firstMs: 50, stepMs: 50, maxMs: 200 },
  caps: { maxRootCreates: 100_000 },
};
/** Until a lease is certainly taken back, and somebody else's. */
const LONG_AFTER_MS = SETTINGS.leaseTtlMs + SETTINGS.sweepEveryMs + 500;
/** Late enough for a lease to have run out meanwhile, now and then. */
const DELAY = { leastMs: 50, mostMs: 1_400 };
const STOP_EVERY_MS = 1_500;
const STOPS_LEAST = 3;
/** Where it takes longer until everything has happened at least once, it may take so many times as long. */
const SLOW_MACHINE = 4;
const PLAN = 60;
const GOES_HOME_WITHIN_MS = 15_000;
const FAULTS_SHOWN = 20;

interface Client {
  process: ChildProcess;
  holding: boolean;
  stopped: boolean;
}

const chance = new Chance(SEED);
const files = mkdtempSync(join(tmpdir(), "edgeboard-history-"));
const server = await Killable.start();
const proxy = await startFaultProxy(server.url, chance, DELAY);
const operator = new Edgeboard({ url: server.url, token: server.operatorToken });
const { token } = await operator.createBoard({ id: "history", name: "History", settings: SETTINGS });
const board = new Edgeboard({ url: server.url, token }).board("history");
const clients: Client[] = [];
const done = { stopped: 0, killed: 0 };

try {
  process.exitCode = await main();
} finally {
  for (const client of clients) client.process.kill("SIGKILL");
  proxy.stop();
  await server.stop();
}

async function main(): Promise<number> {
  console.log(`seed ${SEED}: ${CLIENTS} clients, ${SECONDS} s`);
  await makePlan();
  const end = Date.now() + SECONDS * 1_000;
  for (let index = 1; index <= CLIENTS; index++) await hire(`client-${index}`);
  await disturb(end);
  await sendHome();
  await proxy.quiet();
  const lines = readdirSync(files).flatMap((name) =>
    readFileSync(join(files, name), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Line),
  );
  return report(pair(lines));
}

/** Three wide: enough is free at any time, and most of it waits. */
async function makePlan(): Promise<void> {
  const recorder = new Recorder("planner", join(files, "planner.jsonl"));
  const ids: string[] = [];
  for (let n = 0; n < PLAN; n++) {
    const mark = recorder.mark();
    const dependsOn = n < 3 ? [] : [ids[Math.floor(n / 3) - 1] as string];
    const made = await recorder.call(
      "create",
      { mark, dependsOn },
      () => board.tasks.create({ title: mark, dependsOn }),
      ({ task }) => ({ taskId: task.id }),
    );
    ids.push(made?.task.id as string);
  }
}

async function hire(name: string): Promise<void> {
  const minted = await board.mintToken({ agentId: name, role: "worker" });
  const plan: ClientPlan = {
    name,
    url: proxy.url,
    board: "history",
    token: minted.token,
    seed: Math.floor(chance.next() * 2 ** 32),
    file: join(files, `${name}.jsonl`),
    leaseTtlMs: SETTINGS.leaseTtlMs,
  };
  const process = fork(join(import.meta.dirname, "client.ts"), [JSON.stringify(plan)]);
  const client: Client = { process, holding: false, stopped: false };
  process.on("message", (word: ClientWord) => {
    client.holding = word === "holding";
  });
  clients.push(client);
}

/** Stops one that holds a task, every now and then, and wakes it long after; the last one of all is killed. */
async function disturb(end: number): Promise<void> {
  const latest = Date.now() + SECONDS * 1_000 * SLOW_MACHINE;
  const enough = () => done.stopped >= STOPS_LEAST && Object.values(proxy.counts).every((times) => times > 0);
  while (Date.now() < end - LONG_AFTER_MS || (!enough() && Date.now() < latest)) {
    await sleep(STOP_EVERY_MS);
    const victim = clients.find(({ holding, stopped }) => holding && !stopped);
    if (victim === undefined) continue;
    // Whoever was hit goes to the end of the line.
    clients.push(...clients.splice(clients.indexOf(victim), 1));
    victim.stopped = true;
    victim.process.kill("SIGSTOP");
    done.stopped++;
    void sleep(LONG_AFTER_MS).then(() => {
      victim.process.kill("SIGCONT");
      victim.stopped = false;
    });
  }
  await sleep(Math.max(0, end - Date.now()));
  const [last] = clients.splice(0, 1);
  last?.process.kill("SIGKILL");
  done.killed++;
}

async function sendHome(): Promise<void> {
  const leaving = clients.map(async ({ process }) => {
    const gone = once(process, "exit");
    process.kill("SIGCONT");
    process.send("home");
    const force = setTimeout(() => process.kill("SIGKILL"), GOES_HOME_WITHIN_MS);
    await gone;
    clearTimeout(force);
  });
  await Promise.all(leaving);
}

async function report(operations: Operation[]): Promise<number> {
  const final = await readTables(board);
  const faults = checkOperations(operations, final).map(({ rule, what }) => `${rule}: ${what}`);
  const count = (is: (operation: Operation) => boolean) => operations.filter(is).length;
  const ok = (call: Operation["call"]) => count((one) => one.call === call && one.outcome === "ok");
  const hit: [string, number][] = [
    ["clients stopped and woken", done.stopped],
    ["clients killed", done.killed],
    ...Object.entries(proxy.counts).map(([fault, times]): [string, number] => [
      `requests: ${fault.replace("_", " ")}`,
      times,
    ]),
  ];
  const rows: [string, number][] = [
    ["operations", operations.length],
    ["… never answered", count(({ outcome }) => outcome === "unknown")],
    ["claims granted", ok("claim")],
    ["completions accepted", ok("complete")],
    ["refused for a lost lease", count(({ code }) => code === "lease_lost")],
    ["refused as already closed", count(({ code }) => code === "already_closed")],
    ["runs taken back by the sweep", final.runs.filter(({ status }) => status === "timed_out").length],
    ...hit,
  ];
  const table = new Table({ style: { head: [], border: [], compact: true }, colAligns: ["left", "right"] });
  table.push(...rows);
  console.log(`\n${table.toString()}\n`);
  // What did not happen was not tried either.
  faults.push(...hit.filter(([, times]) => times === 0).map(([name]) => `too short a run: no ${name}`));
  for (const fault of faults.slice(0, FAULTS_SHOWN)) console.log(`  - ${fault}`);
  if (faults.length === 0) rmSync(files, { recursive: true });
  else console.log(`  The histories are in ${files}`);
  console.log(
    faults.length === 0
      ? `Held: one holder for each lease, growing epochs, one end for each attempt, nothing lost, nothing twice, nothing offered early (seed ${SEED}).`
      : `Did not hold: ${faults.length} faults (seed ${SEED}).`,
  );
  return faults.length === 0 ? 0 : 1;
}
