/** The published reader in a test: what it tells, against the real service. */
import { exports } from "cloudflare:workers";
import { afterEach } from "vitest";
import { type FollowOptions, follow, type LiveState, type Told } from "../../src/client/live.ts";
import type { SocketLike } from "../../src/client/live-socket.ts";
import type { BoardEvent } from "../../src/contract/events.ts";
import type { LeaseBeat } from "../../src/contract/live.ts";
import { call, ok, type TestBoard } from "../support/api.ts";

const URL_OF_TESTS = "https://edgeboard.test";

export async function connect(url: string, headers: Record<string, string>): Promise<SocketLike> {
  const response = await exports.default.fetch(url.replace("wss:", "https:"), {
    headers: { upgrade: "websocket", ...headers },
  });
  const socket = response.webSocket;
  if (socket === null) throw new Error(await response.text());
  socket.accept();
  return socket as unknown as SocketLike;
}

export const polling: Partial<FollowOptions> = {
  connect: () => {
    throw new Error("no sockets here");
  },
};

export interface Reading {
  events: BoardEvent[];
  /** What came with each call of `onEvents`. */
  told: (Told | null)[];
  beats: LeaseBeat[];
  states: LiveState[];
  resyncs: number[];
  end: Promise<string>;
  stop: AbortController;
  until: (condition: () => boolean) => Promise<void>;
}

let open: AbortController[] = [];
afterEach(() => {
  for (const stop of open) stop.abort();
  open = [];
});

export function read(board: TestBoard, options: Partial<FollowOptions> = {}): Reading {
  const stop = new AbortController();
  open.push(stop);
  const reading: Omit<Reading, "end"> = {
    events: [],
    told: [],
    beats: [],
    states: [],
    resyncs: [],
    stop,
    until: async (condition) => {
      for (let turns = 0; !condition(); turns++) {
        if (turns > 5_000) throw new Error(`never came: ${reading.states} ${reading.events.length}`);
        await scheduler.wait(1);
      }
    },
  };
  const end = follow({
    url: URL_OF_TESTS,
    board: board.id,
    token: board.lead,
    after: 0,
    onEvents: (events, _seq, told) => {
      reading.events.push(...events);
      reading.told.push(told);
    },
    onBeats: (beats) => void reading.beats.push(...beats),
    onResync: async (seq) => {
      reading.resyncs.push(seq);
      return ok(await call(board.lead, "GET", `${board.path}/snapshot`)).seq;
    },
    onState: (state) => void reading.states.push(state),
    signal: stop.signal,
    fetch: (input, init) => exports.default.fetch(input as string, init),
    connect,
    ...options,
  });
  return { ...reading, end };
}

export const seqs = ({ events }: Reading) => events.map(({ seq }) => seq);
export const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
export const lastSeq = async (board: TestBoard): Promise<number> =>
  ok(await call(board.lead, "GET", board.path)).seq;
