/**
 * How long `edgeboard ready --json` takes beside a Node that does nothing, in one run: as a ratio, since the machine
 * may be any. Run `npm run build` first. Exit code 1: it is more than promised.
 */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const RUNS = Number(process.argv[2] ?? 15);
const ALLOWED = 3;
const PROGRAM = join(import.meta.dirname, "../../dist/cli/edgeboard.js");

const answer = JSON.stringify({ tasks: [], hasMore: false, nextCursor: null, seq: 0 });
const server = createServer((_request, response) => {
  response.setHeader("content-type", "application/json").end(answer);
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const bare: number[] = [];
const request: number[] = [];
const command: number[] = [];
// In turns, so that whatever else the machine does falls on all of them.
for (let run = 0; run < RUNS; run++) {
  bare.push(await timed(() => node(["-e", "0"])));
  request.push(await timed(async () => (await fetch(url)).text()));
  command.push(await timed(() => node([PROGRAM, "ready", "--json"])));
}
server.close();

const [a, b, c] = [bare, request, command].map(median) as [number, number, number];
const ratio = (c - b) / a;
console.log(
  `node -e 0 ${a.toFixed(0)} ms, a request ${b.toFixed(1)} ms, edgeboard ready --json ${c.toFixed(0)} ms: ` +
    `${ratio.toFixed(2)} times a bare Node beside the request (at most ${ALLOWED})`,
);
process.exitCode = ratio <= ALLOWED ? 0 : 1;

function node(args: string[]): Promise<void> {
  const env = { ...process.env, EDGEBOARD_URL: url, EDGEBOARD_TOKEN: "x", EDGEBOARD_BOARD: "b" };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${args.join(" ")}: exit ${code}`)),
    );
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
