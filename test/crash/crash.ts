/**
 * `npm run test:crash -- [--kills n] [--clients n] [--seed n]`: clients write to a board whose runtime is killed again
 * and again, at random moments. After each restart and at the end, every acknowledged write is there once, every other
 * one once or not at all, silent leases come back in time, and the log tells what the tables hold.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { Edgeboard } from "../../src/client/index.ts";
import { startDroppingProxy } from "../cli/dropping-proxy.ts";
import { Chance } from "../support/chance.ts";
import { checkLog, checkProofs, checkRecovery, checkWrites, lateness, type Outage } from "./crash-check.ts";
import { CrashClient } from "./crash-client.ts";
import { Gate } from "./gate.ts";
import { Killable } from "./killable.ts";
import { readLog, readTables } from "./read-board.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    clients: { type: "string", default: "8" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const [KILLS, CLIENTS, SEED] = [values.kills, values.clients, values.seed].map(Number) as [
  number,
  number,
  number,
];
const SETTINGS = {
  leaseTtlMs: 3_000,
  beatEveryMs: 500,
  sweepEveryMs: 500,
  maxAttempts: 0,
  backoff: { firstMs: 100, stepMs: 100, maxMs: 500 },
  caps: { maxRootCreates: 100_000 },
};
/** What a runtime needs from its first answer until it has run the alarms it missed, and a busy machine on top. */
const RESTART_ALLOWANCE_MS = 2_000;
const WITHIN_MS = SETTINGS.sweepEveryMs + RESTART_ALLOWANCE_MS;
/** A kill comes after so many more writes, none to all of them, on a slow machine after this time at the latest. */
const WRITES_BETWEEN_KILLS = 150;
const KILL_WITHIN_MS = 2_500;
/** A kill seldom falls between a write and its answer. So a line is in between that loses one answer in so many. */
const LOST_OF = 20;
const FAULTS_SHOWN = 20;

const startedAt = Date.now();
const say = (text: string) =>
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${text}`);

const chance = new Chance(SEED);
const server = await Killable.start();
const operator = new Edgeboard({ url: server.url, token: server.operatorToken });
const { token } = await operator.createBoard({ id: "crash", name: "Crash", settings: SETTINGS });
const board = new Edgeboard({ url: server.url, token }).board("crash");

const line = await startDroppingProxy(server.url, () => chance.is(1 / LOST_OF));

const gate = new Gate();
const outages: Outage[] = [];
const clients: CrashClient[] = [];
const totals = { inFlight: 0, landed: 0 };
let faults: string[] = [];

try {
  process.exitCode = await main();
} finally {
  line.stop();
  await server.stop();
}

async function main(): Promise<number> {
  say(`seed ${SEED}: ${CLIENTS} clients, ${KILLS} kills`);
  for (let index = 1; index <= CLIENTS; index++) clients.push(await hire(`client-${index}`));
  const running = Promise.all(clients.map((client) => client.run()));
  for (let kill = 1; kill <= KILLS && faults.length === 0; kill++) {
    await inFullSwing();
    await crash();
    // The last time nobody calls: what is due then, the board has to remember by itself.
    if (kill === KILLS) await sleep(SETTINGS.leaseTtlMs + WITHIN_MS);
    const undisturbedUntil = Date.now();
    faults = await look();
    if (kill === KILLS) faults.push(...(await sweptAlone(undisturbedUntil)));
    const { done, lost } = counts();
    say(`killed ${kill} of ${KILLS} times · ${done} writes acknowledged, ${lost} answers lost`);
    gate.open();
  }
  // What was on its way at the last kill is settled, and a little more done on what is left.
  await sleep(500);
  gate.over = true;
  await running;
  faults.push(...(await look()));
  return report();
}

async function hire(agentId: string): Promise<CrashClient> {
  const { token: own } = await board.mintToken({ agentId, role: "worker" });
  const connection = new Edgeboard({ url: line.url, token: own, budgetMs: 0, timeoutMs: 5_000 });
  const seed = Math.floor(chance.next() * 2 ** 32);
  return new CrashClient(agentId, connection.board("crash"), new Chance(seed), gate);
}

async function inFullSwing(): Promise<void> {
  const enough = counts().done + chance.between(0, WRITES_BETWEEN_KILLS);
  const latest = Date.now() + KILL_WITHIN_MS;
  while (counts().done < enough && Date.now() < latest) await sleep(chance.between(0, 10));
}

/** Dies under load, and comes back to clients that all wait. */
async function crash(): Promise<void> {
  gate.close();
  const from = Date.now();
  await server.kill();
  await gate.full(CLIENTS);
  await server.restart();
  outages.push({ from, to: Date.now() });
}

async function look(): Promise<string[]> {
  const tables = await readTables(board);
  const log = await readLog(board, tables.seq);
  const writes = clients.flatMap((client) => client.writes);
  const sent = writes.filter(({ state }) => state === "sent");
  const marks = new Set(tables.runs.flatMap(({ runtime, summary, reason }) => [runtime, summary, reason]));
  for (const { title } of tables.tasks) marks.add(title);
  for (const { body } of tables.comments) marks.add(body);
  totals.inFlight += sent.length;
  totals.landed += sent.filter(({ mark }) => marks.has(mark)).length;
  const found = [
    ...checkWrites(writes, log, tables),
    ...checkLog(log, tables),
    ...checkProofs(
      clients.flatMap((client) => client.proofs),
      tables,
    ),
    ...checkRecovery(tables, {
      leaseTtlMs: SETTINGS.leaseTtlMs,
      withinMs: WITHIN_MS,
      outages,
      readAt: Date.now(),
    }),
  ];
  await Promise.all(clients.map((client) => client.askAgain()));
  return [...found, ...clients.flatMap((client) => client.faults)];
}

/** Nobody called since the restart, and each lease that was left has been taken back all the same. */
async function sweptAlone(before: number): Promise<string[]> {
  const { runs } = await readTables(board);
  // What was overdue is taken back while the runtime starts.
  const killedAt = outages.at(-1)?.from ?? 0;
  const alone = runs.filter(({ endedAt }) => endedAt !== null && endedAt >= killedAt && endedAt < before);
  say(`the alarm took back ${alone.length} leases while nobody called`);
  const left = runs.filter(({ status }) => status === "running");
  return [
    ...(alone.length === 0 ? ["no alarm fired after the last restart"] : []),
    ...left.map(
      ({ taskId, epoch }) => `run ${epoch} of ${taskId} still stands, long after its holder fell silent`,
    ),
  ];
}

function counts(): { done: number; lost: number } {
  const writes = clients.flatMap((client) => client.writes);
  return {
    done: writes.filter(({ state }) => state === "done").length,
    lost: writes.reduce((sum, { lost }) => sum + lost, 0),
  };
}

async function report(): Promise<number> {
  const tables = await readTables(board);
  const { done, lost } = counts();
  const late = lateness(tables, { leaseTtlMs: SETTINGS.leaseTtlMs, outages, readAt: Date.now() });
  const down = outages.map(({ from, to }) => to - from);
  const swept = tables.runs.filter(({ status }) => status === "timed_out").length;
  const table = new Table({ style: { head: [], border: [], compact: true }, colAligns: ["left", "right"] });
  table.push(
    ["kills", outages.length],
    ["writes acknowledged", done],
    ["answers lost, asked for again", lost],
    ["writes on their way at a kill", totals.inFlight],
    ["… that had been done", totals.landed],
    ["answers asked for again after a restart", clients.reduce((sum, { replays }) => sum + replays, 0)],
    ["tasks", tables.tasks.length],
    ["runs", tables.runs.length],
    ["leases left without a word", clients.reduce((sum, { silent }) => sum + silent, 0)],
    ["leases taken back by the sweep", swept],
    ["latest of them, after its TTL and the outages", `${Math.round(Math.max(0, ...late))} ms`],
    ["longest outage", `${Math.max(0, ...down)} ms`],
    ["events", tables.seq],
  );
  console.log(`\n${table.toString()}\n`);
  for (const fault of faults.slice(0, FAULTS_SHOWN)) console.log(`  - ${fault}`);
  console.log(
    faults.length === 0
      ? `Held: ${outages.length} kills, no acknowledged write lost, none done twice, silent leases back in time, log and tables alike (seed ${SEED}).`
      : `Did not hold: ${faults.length} faults (seed ${SEED}).`,
  );
  return faults.length === 0 ? 0 : 1;
}
