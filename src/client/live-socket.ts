/** One socket, from its opening to its end. */
import type { LiveMessage } from "../contract/live.ts";
import { BASE } from "../contract/route.ts";
import { CLOSE, PING, PONG } from "../contract/socket.ts";
import type { Reader } from "./live.ts";

/** What is used of a WebSocket, the browser's or any other. */
export interface SocketLike {
  send: (text: string) => void;
  close: (code?: number, reason?: string) => void;
  addEventListener: (
    type: "message" | "close" | "error" | "open",
    listener: (event: { data?: unknown; code?: number }) => void,
  ) => void;
}

/**
 * How a connection ended. `failed`: it never came about. `dropped`: it did, and broke. `again`: nothing is wrong, go on
 * at once.
 */
export type SocketEnd = "failed" | "dropped" | "again" | "unauthorized" | "gone";

const PING_EVERY_MS = 25_000;
const ANSWER_WITHIN_MS = 10_000;

export async function openSocket(reader: Reader): Promise<SocketEnd> {
  const { token, signal, connect = platformSocket } = reader.options;
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  let socket: SocketLike;
  try {
    socket = await connect(socketUrl(reader), headers);
  } catch {
    return "failed";
  }
  return new Promise((resolve, reject) => {
    let greeted: number | null = null;
    let done = false;
    let fault: { error: unknown } | null = null;
    let applied: Promise<void> = Promise.resolve();
    const watch = new Watch(socket, () => end(greeted === null ? "failed" : "dropped"));
    const end = (how: SocketEnd) => {
      if (done) return;
      done = true;
      watch.stop();
      signal?.removeEventListener("abort", abort);
      closeQuietly(socket);
      // What came before the end is applied before anything after it.
      void applied.then(() => (fault === null ? resolve(how) : reject(fault.error)));
    };
    const abort = () => end("dropped");
    signal?.addEventListener("abort", abort, { once: true });
    const hear = async (message: LiveMessage | null) => {
      if (done) return;
      if (message === null) return end(greeted === null ? "failed" : "dropped");
      if (message.type === "hello") greeted = message.seq;
      if (message.type === "events" && !(await reader.apply(message, message.seq))) return end("dropped");
      if (message.type === "beats") await reader.options.onBeats?.(message.beats);
      if (message.type === "resync" && !(await reader.resync(message.seq))) return end("dropped");
      if (done) return;
      if (message.type === "events" && message.ack === true)
        sendQuietly(socket, JSON.stringify({ type: "ack", seq: message.seq }));
      reader.tell(reader.seq >= (greeted ?? 0) ? "live" : "catching_up");
    };
    socket.addEventListener("message", ({ data }) => {
      if (done) return;
      watch.heard();
      if (data === PONG) return;
      applied = applied
        .then(() => hear(read(data)))
        .catch((error) => {
          // The caller's own code threw: that is not for us to hide.
          fault ??= { error };
          end("dropped");
        });
    });
    socket.addEventListener("close", ({ code }) => end(endOf(code, greeted !== null)));
    socket.addEventListener("error", () => end(greeted === null ? "failed" : "dropped"));
    if (signal?.aborted === true) abort();
  });
}

/** Null: nothing that an Edgeboard says. */
function read(data: unknown): LiveMessage | null {
  try {
    return JSON.parse(String(data)) as LiveMessage;
  } catch {
    return null;
  }
}

/** One that has broken meanwhile says so by itself. */
function sendQuietly(socket: SocketLike, text: string): void {
  try {
    socket.send(text);
  } catch {}
}

/** It may be closed already, or not be open yet. */
function closeQuietly(socket: SocketLike): void {
  try {
    socket.close(1000);
  } catch {}
}

function endOf(code: number | undefined, greeted: boolean): SocketEnd {
  if (code === CLOSE.token) return "unauthorized";
  if (code === CLOSE.gone) return "gone";
  return greeted ? "dropped" : "failed";
}

function socketUrl({ options, seq }: Reader): string {
  const url = new URL(`${options.url}${BASE}/boards/${options.board}/live?after=${seq}`);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  if (options.taskId !== undefined) url.searchParams.set("taskId", options.taskId);
  for (const kind of options.kinds ?? []) url.searchParams.append("kind", kind);
  if (options.cards === true) url.searchParams.set("cards", "true");
  return url.href;
}

/** Browsers cannot send a token with a socket and throw here; a session's cookie goes along by itself. */
function platformSocket(url: string, headers: Record<string, string>): SocketLike {
  const Socket = globalThis.WebSocket as unknown as new (url: string, options?: object) => SocketLike;
  return Object.keys(headers).length === 0 ? new Socket(url) : new Socket(url, { headers });
}

/** Notices a connection that is dead without saying so. */
class Watch {
  readonly #socket: SocketLike;
  readonly #dead: () => void;
  #timer: ReturnType<typeof setTimeout>;

  constructor(socket: SocketLike, dead: () => void) {
    this.#socket = socket;
    this.#dead = dead;
    this.#timer = setTimeout(() => this.#ask(), PING_EVERY_MS);
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), PING_EVERY_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #ask(): void {
    this.#timer = setTimeout(this.#dead, ANSWER_WITHIN_MS);
    try {
      this.#socket.send(PING);
    } catch {
      this.#dead();
    }
  }
}
