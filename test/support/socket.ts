/** A socket on a board, as a client holds it: what came, in order. */
import { exports } from "cloudflare:workers";
import { expect } from "vitest";
import type { LiveMessage } from "../../src/contract/live.ts";
import type { TestBoard } from "./api.ts";

export interface Follower {
  socket: WebSocket;
  /** Every message but pongs, as it came. */
  messages: LiveMessage[];
  pongs: number;
  closed: { code: number; reason: string } | null;
  /** The seqs of all events heard, in order. */
  seqs: () => number[];
  /** Until `condition` holds; a turn of the event loop at a time. */
  until: (condition: () => boolean) => Promise<void>;
  ack: (seq: number) => void;
}

export async function upgrade(
  board: { path: string },
  token: string | null,
  query = "",
  headers: Record<string, string> = {},
): Promise<Response> {
  return exports.default.fetch(`https://edgeboard.test/api/v1${board.path}/live${query}`, {
    headers: {
      upgrade: "websocket",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
}

export async function follow(board: TestBoard, query = "", token = board.lead): Promise<Follower> {
  const response = await upgrade(board, token, query);
  expect(response.status, await (response.webSocket === null ? response.text() : "")).toBe(101);
  return hold(response.webSocket as WebSocket);
}

export function hold(socket: WebSocket): Follower {
  const follower: Follower = {
    socket,
    messages: [],
    pongs: 0,
    closed: null,
    seqs: () =>
      follower.messages.flatMap((message) =>
        message.type === "events" ? message.events.map((event) => event.seq) : [],
      ),
    until: async (condition) => {
      for (let turns = 0; !condition(); turns++) {
        if (turns > 2_000) throw new Error(`never came: ${JSON.stringify(follower.messages).slice(0, 500)}`);
        await scheduler.wait(1);
      }
    },
    ack: (seq) => socket.send(JSON.stringify({ type: "ack", seq })),
  };
  socket.addEventListener("message", ({ data }) => {
    if (data === "pong") follower.pongs++;
    else follower.messages.push(JSON.parse(data as string));
  });
  socket.addEventListener("close", ({ code, reason }) => {
    follower.closed = { code, reason };
  });
  socket.accept();
  return follower;
}
