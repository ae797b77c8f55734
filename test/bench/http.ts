/**
 * `npm run bench:http`: what a client waits for, in the local runtime with its real storage, beside three floors that
 * are measured in the same minutes: a Worker that answers at once, a call to an object that does nothing, and one
 * that writes one row. Rounds go over all of them in turn, so that a slow moment of the machine is everybody's.
 * Prints a table in Markdown; the times are of this machine, the ratios travel better. Nothing is asserted.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Miniflare } from "miniflare";
import manifest from "../../package.json" with { type: "json" };
import { bundle } from "../support/bundle.ts";
import { faultsOnly } from "../support/runtime-logs.ts";
import { CASES, type HttpCase, SIZES } from "./http-cases.ts";
import { type Call, Client } from "./http-client.ts";

const { values: asked } = parseArgs({
  options: { rounds: { type: "string", default: "8" }, samples: { type: "string", default: "25" } },
});
const ROUNDS = Number(asked.rounds);
const SAMPLES = Number(asked.samples);
const OPERATOR = "operator-token-of-the-bench-0123456789";

const storage = mkdtempSync(join(tmpdir(), "edgeboard-bench-"));
process.on("exit", () => rmSync(storage, { recursive: true, force: true }));

const runtime = new Miniflare({
  handleStructuredLogs: faultsOnly,
  resourcePersistencePath: storage,
  workers: [
    {
      config: {
        name: "bench",
        compatibilityDate: "2026-11-01",
        manifest: {
          mainModule: "http-worker.js",
          modulesRoot: import.meta.dirname,
          modules: {
            "http-worker.js": {
              type: "esm",
              contents: await bundle(join(import.meta.dirname, "http-worker.ts")),
            },
          },
        },
        env: {
          BOARDS: { type: "durable-object", worker: "bench", exportName: "Board" },
          DIRECTORY: { type: "durable-object", worker: "bench", exportName: "Directory" },
          EDGEBOARD_OPERATOR_TOKEN: { type: "text", value: OPERATOR },
          EDGEBOARD_SIGNING_KEY: { type: "text", value: "signing-key-of-the-bench-0123456789abcdef" },
        },
        exports: {
          Board: { type: "durable-object", storage: "sqlite" },
          Directory: { type: "durable-object", storage: "sqlite" },
        },
      },
    },
  ],
});
const url = (await runtime.ready).origin;
const client = new Client(url, 1);
const bench = client.below("/bench");

const FLOORS = ["route", "object", "update"] as const;
type Floor = (typeof FLOORS)[number];
const FLOOR_NAMES: Record<Floor, string> = {
  route: "an empty Worker",
  object: "a call that does nothing",
  update: "one written row",
};
const floor = client.below("/floor");

interface Measured {
  name: string;
  size: number | null;
  times: number[];
  rows: { rowsRead: number; rowsWritten: number } | null;
}

/** A board of its own for each case: none sees what another one left. */
async function open(one: HttpCase, index: number): Promise<{ id: string; call: Call }> {
  const id = `bench-${index}`;
  const operator = client.below("/api/v1", OPERATOR);
  const { token } = await operator("POST", "/boards", { id, name: "Bench" });
  await bench("POST", `/fill/${id}/${one.size}`);
  return { id, call: client.below(`/api/v1/boards/${id}`, token) };
}

async function timed(times: number[], run: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await run();
  times.push(performance.now() - start);
}

const floors: Record<Floor, Measured> = Object.fromEntries(
  FLOORS.map((name) => [name, { name, size: null, times: [], rows: null }]),
) as unknown as Record<Floor, Measured>;
const cases: Measured[] = CASES.map(({ name, size }) => ({ name, size, times: [], rows: null }));
const boards = [];
for (const [index, one] of CASES.entries()) boards.push(await open(one, index));

// One round more than counts: the first warms everything up.
for (let round = 0; round <= ROUNDS; round++) {
  process.stderr.write(`round ${round} of ${ROUNDS}\n`);
  for (const name of FLOORS)
    for (let sample = 0; sample < SAMPLES; sample++) {
      // What is asked between the calls of a case is asked here too, so that nobody finds the machine warmer.
      await bench("GET", "/rows/floor");
      await timed(round === 0 ? [] : floors[name].times, () => floor("GET", `/${name}`));
    }
  for (const [index, one] of CASES.entries()) {
    const measured = cases[index] as Measured;
    const { id, call } = boards[index] as (typeof boards)[number];
    if (one.samples !== undefined && round > one.samples) continue;
    for (let sample = 0; sample < (one.samples === undefined ? SAMPLES : 1); sample++) {
      const number = round * SAMPLES + sample;
      const given = await one.before?.(call, number);
      await bench("GET", `/rows/${id}`);
      await timed(round === 0 ? [] : measured.times, () => one.run(call, number, given as never));
      measured.rows = await bench("GET", `/rows/${id}`);
    }
  }
}
await client.close();
await runtime.dispose();

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}

const ms = (time: number) => time.toFixed(time < 10 ? 2 : 1);
const base = (name: Floor) => quantile(floors[name].times, 0.5);
/** What a change cannot do without: the way to the object and back, and one write that lasts. */
const least = base("update");

const rows = [...Object.values(floors), ...cases].map(({ name, size, times, rows }) => {
  const middle = quantile(times, 0.5);
  return [
    size === null ? `*floor: ${FLOOR_NAMES[name as Floor]}*` : name,
    size === null ? "" : size.toLocaleString("en"),
    ms(middle),
    ms(quantile(times, 0.99)),
    Math.round(1_000 / middle).toLocaleString("en"),
    (middle / base("object")).toFixed(2),
    (middle / least).toFixed(2),
    rows === null ? "" : `${rows.rowsRead} / ${rows.rowsWritten}`,
  ];
});

const growth = (name: string) => {
  const of = (size: number) =>
    quantile(cases.find((one) => one.name === name && one.size === size)?.times ?? [], 0.5);
  return (of(SIZES.at(-1) as number) / of(SIZES[0] as number)).toFixed(2);
};

const head = [
  "call",
  "tasks",
  "p50 ms",
  "p99 ms",
  "per second, one client",
  "× nothing",
  "× one row",
  "rows read / written",
];
console.log(
  [
    `${new Date().toISOString().slice(0, 10)} · ${cpus()[0]?.model ?? "?"}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB · Node ${process.versions.node}, miniflare ${manifest.devDependencies.miniflare} · ${ROUNDS} rounds of ${SAMPLES}`,
    "",
    `| ${head.join(" | ")} |`,
    `|${head.map((_, index) => (index === 0 ? "---|" : "--:|")).join("")}`,
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    `From ${SIZES[0]?.toLocaleString("en")} to ${SIZES.at(-1)?.toLocaleString("en")} tasks, times grow by: ${["claim", "claim-next", "heartbeat", "complete", "create", "ready, 50", "list, 50", "snapshot"].map((name) => `${name} × ${growth(name)}`).join(", ")}.`,
  ].join("\n"),
);
