/**
 * `npm run test:live`: readers follow a board while its server is killed again and again under a stream of writes.
 * Each reader has to end with every change once and in order, and the board with what the readers saw.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { follow } from "../../src/client/live.ts";
import type { BoardEvent } from "../../src/contract/events.ts";
import { Killable } from "./killable.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "20" }, readers: { type: "string", default: "10" } },
});
const KILLS = Number(values.kills);
const READERS = Number(values.readers);
/** A write brings ten changes; twenty writes a second are two hundred changes a second. */
const CHANGES_PER_WRITE = 10;
const WRITE_EVERY_MS = 50;

const server = await Killable.start();
const api = `${server.url}/api/v1`;
const { board, token } = await send(server.operatorToken, "POST", "/boards", { id: "crash", name: "Crash" });
const path = `/boards/${board.id}`;

const stop = new AbortController();
const seen: BoardEvent[][] = Array.from({ length: READERS }, () => []);
const resyncs: number[] = [];
const readers = seen.map((events) =>
  follow({
    url: server.url,
    board: board.id,
    token,
    after: 0,
    onEvents: (more) => void events.push(...more),
    onResync: (seq) => {
      resyncs.push(seq);
      return seq;
    },
    signal: stop.signal,
  }),
);

let writing = true;
let writes = 0;
const writer = (async () => {
  while (writing) {
    const began = Date.now();
    const tasks = Array.from({ length: CHANGES_PER_WRITE }, (_, n) => ({
      ref: `r${n}`,
      title: `w${writes}.${n}`,
    }));
    await sendUntilAnswered("POST", `${path}/plans`, { tasks });
    writes++;
    await sleep(Math.max(0, WRITE_EVERY_MS - (Date.now() - began)));
  }
})();

for (let kills = 1; kills <= KILLS; kills++) {
  await sleep(500 + Math.random() * 1_500);
  await server.kill();
  await server.restart();
  console.log(`killed ${kills} of ${KILLS} times · ${writes * CHANGES_PER_WRITE} changes acknowledged`);
}
writing = false;
await writer;

const { seq: last } = await send(token, "GET", path);
for (let waited = 0; seen.some((events) => events.at(-1)?.seq !== last) && waited < 90_000; waited += 100)
  await sleep(100);
stop.abort();
await Promise.all(readers);

const faults: string[] = [];
const expected = Array.from({ length: last }, (_, index) => index + 1).join();
for (const [index, events] of seen.entries())
  if (events.map(({ seq }) => seq).join() !== expected)
    faults.push(`reader ${index + 1} has ${events.length} events up to ${events.at(-1)?.seq}, of ${last}`);
if (resyncs.length > 0) faults.push(`${resyncs.length} times a reader was told to read anew`);
const told = (seen[0] ?? []).filter(({ kind }) => kind === "task_created").map(({ taskId }) => taskId);
const stored = await exportedTasks();
if (told.toSorted().join() !== stored.toSorted().join())
  faults.push(`${told.length} tasks were told, ${stored.length} are exported`);
if (stored.length !== writes * CHANGES_PER_WRITE)
  faults.push(`${writes * CHANGES_PER_WRITE} tasks were acknowledged, ${stored.length} are stored`);
await server.stop();

for (const fault of faults) console.error(fault);
console.log(
  faults.length === 0
    ? `Held: ${KILLS} kills, ${READERS} readers, each told 1 to ${last} once and in order, equal to the export.`
    : "Did not hold.",
);
process.exitCode = faults.length === 0 ? 0 : 1;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function send(bearer: string, method: string, at: string, body?: object, key?: string): Promise<any> {
  const response = await fetch(api + at, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${at}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** The same request under the same key, until somebody answers: it is done once. */
async function sendUntilAnswered(method: string, at: string, body: object): Promise<void> {
  const key = randomUUID();
  for (;;) {
    try {
      await send(token, method, at, body, key);
      return;
    } catch {
      await sleep(100);
    }
  }
}

async function exportedTasks(): Promise<string[]> {
  const response = await fetch(`${api}${path}/export`, { headers: { authorization: `Bearer ${token}` } });
  const lines = (await response.text()).trimEnd().split("\n");
  return lines
    .map((line) => JSON.parse(line))
    .flatMap((line) => (line.type === "task" ? [line.id ?? line.task?.id] : []));
}
