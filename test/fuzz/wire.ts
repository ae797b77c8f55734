/** Requests as bytes on a connection: nothing is normalised, added or taken back on the way out. */
import { Agent, type IncomingMessage, request as open } from "node:http";
import { connect } from "node:net";

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, which is the point here
export type Json = any;

/** No answer of the interface takes longer; what waits by request is told not to. */
const PATIENCE_MS = 60_000;

export interface Sent {
  method: string;
  /** Path and query, exactly as they go out. */
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
  /** In pieces, without a content-length. */
  chunked?: boolean;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** null: it is no JSON. */
  json: Json;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export async function send(url: string, sent: Sent): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const { method, target: path, headers, body, chunked } = sent;
  const framed =
    chunked === true ? { "transfer-encoding": "chunked" } : { "content-length": String(body?.length) };
  const length = body === null ? {} : framed;
  return new Promise((resolve, reject) => {
    const outgoing = open({ hostname, port, method, path, agent, headers: { ...headers, ...length } });
    outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error("no answer within a minute")));
    outgoing.on("response", (incoming) => read(incoming).then(resolve, reject));
    outgoing.on("upgrade", (incoming, socket) => {
      socket.destroy();
      resolve(answerOf(incoming, ""));
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      // An idle connection may close under a request, which then was never read.
      if (outgoing.reusedSocket && isHungUp(error)) send(url, sent).then(resolve, reject);
      else reject(error);
    });
    if (body !== null && chunked === true)
      for (let at = 0; at < body.length; at += 65_536) outgoing.write(body.subarray(at, at + 65_536));
    outgoing.end(chunked === true ? undefined : (body ?? undefined));
  });
}

/** The other side has closed the connection. */
export const isHungUp = ({ code }: NodeJS.ErrnoException): boolean =>
  code === "ECONNRESET" || code === "EPIPE";

async function read(incoming: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return answerOf(incoming, Buffer.concat(parts).toString("utf8"));
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, text: string): Answer {
  const flat = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]);
  return { status: statusCode, headers: Object.fromEntries(flat), text, json: parsed(text) };
}

export function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Bytes on a connection of their own, and everything that came back until the other side closed it or fell silent
 * for `quietMs`. For what no client of HTTP would send.
 */
export async function sendRaw(url: string, parts: readonly (string | Buffer)[], quietMs = 2_000) {
  const { hostname, port } = new URL(url);
  return new Promise<string>((resolve) => {
    const heard: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    const done = () => {
      socket.destroy();
      resolve(Buffer.concat(heard).toString("latin1"));
    };
    socket.setTimeout(quietMs, done);
    socket.on("data", (data) => heard.push(data));
    for (const event of ["error", "close"]) socket.on(event, done);
    for (const part of parts) socket.write(part);
  });
}
