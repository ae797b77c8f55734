/**
 * A line that is worse than any real one: what changes something may be dropped on its way there or back, held up either
 * way, or arrive twice, the second time much later. Reads pass.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../support/chance.ts";

/** Of a hundred requests so many meet this; the others pass. */
const SHARES = {
  request_dropped: 5,
  reply_dropped: 6,
  request_delayed: 8,
  reply_delayed: 8,
  duplicated: 8,
};

export type Fault = keyof typeof SHARES;

export interface FaultProxy {
  url: string;
  /** How many requests met each of them. */
  counts: Record<Fault | "passed", number>;
  /** When nothing is held up any more. */
  quiet: () => Promise<void>;
  stop: () => void;
}

export async function startFaultProxy(
  target: string,
  chance: Chance,
  delay: { leastMs: number; mostMs: number },
): Promise<FaultProxy> {
  const counts = { passed: 0, ...SHARES };
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] = 0;
  let held = 0;
  const pause = () => sleep(chance.between(delay.leastMs, delay.mostMs));

  const server = createServer(async (incoming, outgoing) => {
    const fault = incoming.method === "GET" ? "passed" : draw(chance);
    counts[fault]++;
    held++;
    try {
      const body = await bodyOf(incoming);
      if (fault === "request_dropped") return void outgoing.socket?.destroy();
      if (fault === "request_delayed") await pause();
      const answer = await pass(target, incoming, body);
      if (fault === "reply_delayed") await pause();
      if (fault === "reply_dropped") return void outgoing.socket?.destroy();
      reply(outgoing, answer);
      if (fault !== "duplicated") return;
      await pause();
      await pass(target, incoming, body);
    } catch {
      outgoing.socket?.destroy();
    } finally {
      held--;
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    quiet: async () => {
      while (held > 0) await sleep(20);
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function draw(chance: Chance): Fault | "passed" {
  let left = chance.next() * 100;
  for (const [fault, share] of Object.entries(SHARES) as [Fault, number][]) {
    left -= share;
    if (left < 0) return fault;
  }
  return "passed";
}

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function pass(
  target: string,
  { method, headers, url = "/" }: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const passing = request(target + url, { method, headers }, async (answer) => {
      try {
        const heard = await bodyOf(answer);
        resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: heard });
      } catch (error) {
        reject(error);
      }
    });
    passing.on("error", reject);
    passing.end(body);
  });
}

/** One that gave up waiting is not told any more. */
function reply(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  if (outgoing.destroyed) return;
  const { "transfer-encoding": _chunked, ...rest } = headers;
  outgoing.writeHead(status, { ...rest, "content-length": body.length });
  outgoing.end(body);
}
