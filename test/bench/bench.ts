/**
 * `npm run bench`: how long calls hold a board, in the real runtime, beside a call that does nothing. Inside the
 * runtime no clock moves while a call runs, so each is timed from here, less what an empty visit takes. The
 * numbers are of this machine and this moment; the ratios travel better. Nothing is asserted.
 */
import { join } from "node:path";
import Table from "cli-table3";
import { Miniflare } from "miniflare";
import { bundle } from "../support/bundle.ts";
import { faultsOnly } from "../support/runtime-logs.ts";
import { CASES, type Case, EMPTY } from "./cases.ts";

const REPEATS = 7;

const runtime = new Miniflare({
  handleStructuredLogs: faultsOnly,
  workers: [
    {
      config: {
        name: "bench",
        compatibilityDate: "2026-11-01",
        manifest: {
          mainModule: "worker.js",
          modulesRoot: import.meta.dirname,
          modules: {
            "worker.js": { type: "esm", contents: await bundle(join(import.meta.dirname, "worker.ts")) },
          },
        },
        env: { BOARDS: { type: "durable-object", worker: "bench", exportName: "BenchBoard" } },
        exports: { BenchBoard: { type: "durable-object", storage: "sqlite" } },
      },
    },
  ],
});

/** Milliseconds until the board has answered. */
async function visit(board: string, step: "prepare" | "call" | "nothing", index: number): Promise<number> {
  const start = performance.now();
  const response = await runtime.dispatchFetch(`http://bench/${board}/${step}/${index}`);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${step} of ${CASES[index]?.name} failed`);
  return performance.now() - start;
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number;
}

/** Each on a board of its own, after empty visits to it. */
async function measure(one: Case): Promise<number[]> {
  const index = CASES.indexOf(one);
  const times: number[] = [];
  for (let repeat = 0; repeat <= REPEATS; repeat++) {
    const board = `bench-${index}-${repeat}`;
    await visit(board, "prepare", index);
    const nothing: number[] = [];
    for (let each = 0; each < 5; each++) nothing.push(await visit(board, "nothing", index));
    const calls: number[] = [];
    for (let each = 0; each < one.visits; each++) calls.push(await visit(board, "call", index));
    // The first one warms the compiler and does not count.
    if (repeat > 0) times.push((Math.max(...calls) - median(nothing)) / one.calls);
  }
  return times;
}

const written = (ms: number) => ms.toFixed(ms < 1 ? 3 : 1);

const head = ["call", "ms, median", "ms, best", "in empty changes"];
const table = new Table({ head, style: { head: [], border: [], compact: true } });
const empty = await measure(EMPTY);
for (const one of CASES) {
  const times = one === EMPTY ? empty : await measure(one);
  const middle = median(times);
  table.push([one.name, written(middle), written(Math.min(...times)), (middle / median(empty)).toFixed(0)]);
}
console.log(table.toString());
await runtime.dispose();
