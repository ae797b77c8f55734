/** What a board's socket says, read as it comes. The client's own follower would fall back on polls without a word. */
import { on } from "node:events";
import type { BoardEvent } from "../../contract/events.ts";
import type { LiveMessage } from "../../contract/live.ts";
import { BASE } from "../../contract/route.ts";
import type { AtServer } from "./check.ts";

type Frames = AsyncGenerator<LiveMessage, void>;

/** Before Node 22 there are none. */
export const HAS_SOCKETS = "WebSocket" in globalThis;

/** It is opened by the first read, and closed by `return`. It ends early where none can be had, or it breaks. */
export async function* frames(
  { url, signal }: AtServer,
  { board, token, after }: { board: string; token: string; after: number },
): Frames {
  const address = new URL(`${url}${BASE}/boards/${encodeURIComponent(board)}/live?after=${after}`);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const Socket = WebSocket as unknown as new (url: string, options: object) => WebSocket;
  const socket = new Socket(address.href, { headers: { authorization: `Bearer ${token}` } });
  try {
    const heard = on(socket as unknown as NodeJS.EventEmitter, "message", { signal, close: ["close"] });
    for await (const [{ data }] of heard as AsyncIterableIterator<[{ data: unknown }]>)
      yield JSON.parse(String(data)) as LiveMessage;
  } finally {
    socket.close();
  }
}

/** Its first word: where the log stands. Null: there was no such word. */
export async function greeting(line: Frames): Promise<number | null> {
  const { value } = await line.next();
  return value?.type === "hello" ? value.seq : null;
}

/** Everything that is told up to this seq; less, where the line ends before. */
export async function eventsUpTo(line: Frames, seq: number): Promise<BoardEvent[]> {
  const events: BoardEvent[] = [];
  for (;;) {
    const { value, done } = await line.next();
    if (done === true || value === undefined) return events;
    if (value.type !== "events") continue;
    events.push(...value.events);
    if (value.seq >= seq) return events;
  }
}
