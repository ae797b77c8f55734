/**
 * `npm run bench:live`: how long a change takes to reach those who follow a board: one socket, then five hundred on
 * the same board. Timed from the moment the write is sent to the moment a reader has it, against a local server.
 * The numbers are of this machine and this moment; the ratio travels better. Nothing is asserted.
 */
import Table from "cli-table3";
import { startScratch } from "../demo/scratch.ts";

const SOCKETS = 500;
const CHANGES = 30;

const server = await startScratch();
const api = `${server.url}/api/v1`;
const made = await send(server.operatorToken, "/boards", { id: "bench", name: "Bench" });
const token: string = made.token;

interface Follower {
  socket: WebSocket;
  /** When each seq came. */
  heardAt: Map<number, number>;
}

const one = [await follow()];
const alone = await measure(one);
const all = [...one];
for (let opened = 1; opened < SOCKETS; opened += 25)
  all.push(...(await Promise.all(Array.from({ length: Math.min(25, SOCKETS - opened) }, follow))));
const together = await measure(all);

const table = new Table({
  head: ["sockets", "median socket, ms", "last socket, ms"],
  style: { head: [], border: [], compact: true },
  colAligns: ["left", "right", "right"],
});
for (const [count, { median, last }] of [
  [1, alone],
  [SOCKETS, together],
] as const)
  table.push([count, median.toFixed(1), last.toFixed(1)]);
console.log(table.toString());
console.log(`ratio of the last of ${SOCKETS} to one alone: ${(together.last / alone.median).toFixed(1)}`);

for (const { socket } of all) socket.close();
await server.stop();

/** The middle of what these followers waited, and of what the last of them waited, over all changes. */
async function measure(followers: readonly Follower[]): Promise<{ median: number; last: number }> {
  const medians: number[] = [];
  const lasts: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    const sent = performance.now();
    const { task } = await send(token, "/boards/bench/tasks", { title: `change ${change}` });
    const seq: number = task.changeSeq;
    while (followers.some(({ heardAt }) => !heardAt.has(seq)))
      await new Promise((resolve) => setTimeout(resolve, 1));
    const waits = followers.map(({ heardAt }) => (heardAt.get(seq) as number) - sent).sort((a, b) => a - b);
    medians.push(middle(waits));
    lasts.push(waits.at(-1) as number);
  }
  return { median: middle(medians), last: middle(lasts) };
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

function follow(): Promise<Follower> {
  // Node's own WebSocket takes headers; its type, which is a browser's, does not know.
  const Socket = WebSocket as unknown as new (url: string, options: object) => WebSocket;
  const socket = new Socket(`${api.replace("http", "ws")}/boards/bench/live`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const follower: Follower = { socket, heardAt: new Map() };
  return new Promise((resolve, reject) => {
    socket.addEventListener("error", () => reject(new Error("no socket")));
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data));
      if (message.type === "hello") resolve(follower);
      for (const { seq } of message.events ?? []) follower.heardAt.set(seq, performance.now());
      if (message.ack === true) socket.send(JSON.stringify({ type: "ack", seq: message.seq }));
    });
  });
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function send(bearer: string, path: string, body: object): Promise<any> {
  const response = await fetch(api + path, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
