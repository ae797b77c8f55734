/**
 * `npm run test:soak -- [--minutes n] [--tasks n] [--workers n] [--seed n]`: a large board under many workers, for a long
 * time, while the runtime and the workers are killed now and then. In the end no task is lost and none done twice, and
 * memory, storage and alarms have stayed within the bounds that are printed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { Edgeboard } from "../../src/client/index.ts";
import { lateness, type Outage } from "../crash/crash-check.ts";
import { Killable } from "../crash/killable.ts";
import { readTables, type Tables } from "../crash/read-board.ts";
import { Chance } from "../support/chance.ts";
import { Crews } from "./crews.ts";
import { bytesBelow, peak, quantile, rssOf, type Sample } from "./measure.ts";
import { fill, mintWorkers } from "./setting.ts";
import { checkSoak } from "./soak-check.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    tasks: { type: "string", default: "50000" },
    workers: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const [MINUTES, TASKS, WORKERS, SEED] = [values.minutes, values.tasks, values.workers, values.seed].map(
  Number,
) as [number, number, number, number];
const SETTINGS = {
  leaseTtlMs: 15_000,
  beatEveryMs: 5_000,
  sweepEveryMs: 2_000,
  maxAttempts: 0,
  backoff: { firstMs: 500, stepMs: 1_000, maxMs: 5_000 },
  // Small, so that the log is trimmed all the time.
  eventRetention: 5_000,
};
const PROCESSES = 4;
const LASTS_MS = MINUTES * 60_000;
/** The board lasts for the whole time, or the machine is kept busy, but not so that nobody gets a turn. */
const WORK_MS = Math.max(5_000, ((LASTS_MS * WORKERS) / TASKS) * 0.8);
/** Something is killed after so much time, half of it to half as much again; runtime and workers in turn. */
const KILL_EVERY_MS = Math.max(15_000, LASTS_MS / 24);
const SAMPLE_EVERY_MS = Math.max(500, LASTS_MS / 1_000);
const WARM_UP = 1 / 3;
const MB = 1_024 ** 2;

/** A young runtime takes memory until its engine has sized its heaps; then it stays at about 600 MB. */
const RSS_MOST = 1_024 * MB;
const GROWN_MS = 120_000;
/** Grown ones may peak so much above the peak of those in the first half of the time. */
const RSS_FACTOR = 1.15;
/** Storage grows by what has to be kept of a run (its row, and the recorded answer of its claim for a day) … */
const BYTES_PER_RUN = 6_000;
/** … and by a write-ahead log that has not been folded in yet. */
const STORAGE_SLACK = 16 * MB;
/** A sweep is due at the TTL, and at most one in `sweepEveryMs`; the rest is for a busy machine. */
const LATE_MS = SETTINGS.sweepEveryMs + 3_000;
/** A runtime that has just started has all workers fall on it at once, and its alarm waits among them. */
const RUSH_MS = 10_000;
const READ_TRIES = 5;
const FAULTS_SHOWN = 20;

const startedAt = Date.now();
const say = (text: string) =>
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${text}`);

const chance = new Chance(SEED);
const server = await Killable.start();
const operator = new Edgeboard({ url: server.url, token: server.operatorToken });
const { token } = await operator.createBoard({ id: "soak", name: "Soak", settings: SETTINGS });
const board = new Edgeboard({ url: server.url, token }).board("soak");
const outages: Outage[] = [];
const samples: Sample[] = [];

try {
  process.exitCode = await main();
} finally {
  await server.stop();
}

async function main(): Promise<number> {
  say(`seed ${SEED}: ${TASKS} tasks, ${WORKERS} workers in ${PROCESSES} processes, ${MINUTES} minutes`);
  await fill(board, TASKS);
  say(`filled: ${inMb(bytesBelow(server.storage))} on disk`);
  const tokens = await mintWorkers(board, WORKERS);
  const crews = new Crews(
    Array.from({ length: PROCESSES }, (_, place) => ({
      url: server.url,
      board: "soak",
      tokens: tokens.filter((_token, n) => n % PROCESSES === place),
      workMs: WORK_MS,
    })),
  );
  const began = Date.now();
  try {
    const sampling = new AbortController();
    const sampled = sample(sampling.signal);
    await disturb(crews, began + LASTS_MS);
    sampling.abort();
    await sampled;
    await crews.sendHome();
  } finally {
    crews.kill();
  }
  const held = await untilNothingIsHeld();
  say(`the workers have gone home; ${held} of their tasks are still held`);
  return report(crews, began);
}

/** Whatever is held longer than this is told as left over. */
async function untilNothingIsHeld(): Promise<number> {
  const latest = Date.now() + SETTINGS.leaseTtlMs + LATE_MS;
  for (;;) {
    const { counts } = await board.get();
    if (counts.in_progress === 0 || Date.now() > latest) return counts.in_progress;
    await sleep(500);
  }
}

/** So large a board is read whole only while it stands still; where a lease is taken back meanwhile, once more. */
async function readStill(): Promise<Tables> {
  await board.change({ paused: true });
  for (let tries = 1; ; tries++) {
    try {
      return await readTables(board);
    } catch (error) {
      if (tries === READ_TRIES) throw error;
      say(`the export broke off: ${error instanceof Error ? error.message : error}`);
      await sleep(SETTINGS.sweepEveryMs);
    }
  }
}

async function disturb(fleet: Crews, end: number): Promise<void> {
  for (let turn = 0; ; turn++) {
    await sleep(Math.max(0, Math.min(KILL_EVERY_MS * chance.between(0.5, 1.5), end - Date.now())));
    if (Date.now() >= end) return;
    if (turn % 2 === 0) await crash();
    else fleet.replace(Math.floor(chance.next() * PROCESSES));
    const { storageBytes, rssBytes } = samples.at(-1) ?? look();
    const ended = fleet.told.filter(({ how }) => how === "succeeded").length;
    say(
      `killed ${turn % 2 === 0 ? "the runtime" : "workers"} · ${ended} done · ${inMb(rssBytes)} memory · ${inMb(storageBytes)} on disk`,
    );
  }
}

async function crash(): Promise<void> {
  const from = Date.now();
  await server.kill();
  await server.restart();
  outages.push({ from, to: Date.now() });
}

async function sample(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    samples.push(look());
    await sleep(SAMPLE_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

function look(): Sample {
  const upSince = outages.at(-1)?.to ?? startedAt;
  return {
    at: Date.now(),
    upMs: Date.now() - upSince,
    rssBytes: rssOf(server.pids),
    storageBytes: bytesBelow(server.storage),
  };
}

async function report(fleet: Crews, began: number): Promise<number> {
  const tables = await readStill();
  const warm = samples.filter(({ at }) => at < began + LASTS_MS * WARM_UP);
  const after = samples.filter(({ at }) => at >= began + LASTS_MS * WARM_UP);
  const since = after[0]?.at ?? began;
  const runs = tables.runs.filter(({ startedAt: at }) => at >= since).length;
  const grown = samples.filter(({ upMs }) => upMs > GROWN_MS);
  const [early, late] = [
    grown.filter(({ at }) => at < began + LASTS_MS / 2),
    grown.filter(({ at }) => at >= began + LASTS_MS / 2),
  ];
  const bounds = {
    // Too short a run has no grown runtimes to compare.
    grown: early.length === 0 ? RSS_MOST : peak(early, "rssBytes") * RSS_FACTOR,
    storage: peak(warm, "storageBytes") + runs * BYTES_PER_RUN + STORAGE_SLACK,
  };
  const { leaseTtlMs } = SETTINGS;
  const readAt = Date.now();
  const rushes = outages.map(({ from, to }) => ({ from, to: to + RUSH_MS }));
  const sweeps = lateness(tables, { leaseTtlMs, outages: rushes, readAt });
  const withRushes = lateness(tables, { leaseTtlMs, outages, readAt });
  const lateMs = (share: number) => `${Math.round(quantile(sweeps, share))} ms`;
  const faults = [
    ...checkSoak(tables, TASKS, fleet.told),
    ...(peak(samples, "rssBytes") <= RSS_MOST ? [] : ["memory went beyond its bound"]),
    ...(peak(late, "rssBytes") <= bounds.grown ? [] : ["memory grew beyond its bound"]),
    ...(peak(after, "storageBytes") <= bounds.storage ? [] : ["storage grew beyond its bound"]),
    ...sweeps.filter((ms) => ms > LATE_MS).map((ms) => `a lease was taken back ${Math.round(ms)} ms late`),
  ];
  const doneTasks = tables.tasks.filter(({ status }) => status === "done").length;
  const count = (how: string) => fleet.told.filter((one) => one.how === how).length;
  const table = new Table({
    head: ["", "measured", "bound"],
    style: { head: [], border: [], compact: true },
    colAligns: ["left", "right", "right"],
  });
  table.push(
    ["tasks", tables.tasks.length, TASKS],
    ["… done, each once", doneTasks, ""],
    ["runs", tables.runs.length, ""],
    ["… told by their workers and compared", fleet.told.length, ""],
    ["… whose worker lost the lease", count("lost"), ""],
    ["… whose worker never heard how it ended", count("unknown"), ""],
    ["times the runtime was killed", outages.length, ""],
    ["workers killed", fleet.killed, ""],
    ["leases taken back", sweeps.length, ""],
    ["… late by, half of them", lateMs(0.5), ""],
    ["… late by, 99 %", lateMs(0.99), ""],
    ["… late by, the last", latest(sweeps), `${LATE_MS} ms`],
    ["… and the last after a restart", latest(withRushes), `${LATE_MS + RUSH_MS} ms`],
    ["memory at its peak", inMb(peak(samples, "rssBytes")), inMb(RSS_MOST)],
    ["… of grown runtimes, first half", inMb(peak(early, "rssBytes")), ""],
    ["… of grown runtimes, second half", inMb(peak(late, "rssBytes")), inMb(bounds.grown)],
    ["storage at its peak, warming up", inMb(peak(warm, "storageBytes")), ""],
    ["storage at its peak, afterwards", inMb(peak(after, "storageBytes")), inMb(bounds.storage)],
    ["runs afterwards", runs, ""],
    ["tasks a second", (doneTasks / (LASTS_MS / 1_000)).toFixed(1), ""],
  );
  console.log(`\n${table.toString()}\n`);
  if (outages.length === 0 || fleet.killed === 0) faults.push("nothing was killed: it was too short");
  for (const fault of faults.slice(0, FAULTS_SHOWN)) console.log(`  - ${fault}`);
  console.log(
    faults.length === 0
      ? `Held: no task lost, none done twice, memory, storage and alarms within their bounds (seed ${SEED}).`
      : `Did not hold: ${faults.length} faults (seed ${SEED}).`,
  );
  return faults.length === 0 ? 0 : 1;
}

function latest(lateMs: readonly number[]): string {
  return `${Math.round(Math.max(0, ...lateMs))} ms`;
}

function inMb(bytes: number): string {
  return `${(bytes / MB).toFixed(0)} MB`;
}
