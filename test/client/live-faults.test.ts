/** What the published reader makes of faults: its caller's, and those of whoever is at the other end. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { type FollowOptions, follow } from "../../src/client/live.ts";
import type { SocketLike } from "../../src/client/live-socket.ts";
import { call, newBoard, ok } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { lastSeq, polling, read, seqs } from "./reading.ts";

describe.each([
  ["a socket", {}],
  ["long polls", polling],
])("over %s", (_way, options) => {
  it("what its caller throws at events ends it, and comes out", async () => {
    const board = await newBoard();
    const onEvents = () => {
      throw new Error("a bug of the caller's");
    };
    const reading = read(board, { onEvents, ...options });
    await expect(reading.end).rejects.toThrow("a bug of the caller's");
    expect(reading.states.at(-1)).toBe("ended");
  });

  it.each([
    ["fails", () => Promise.reject(new TypeError("fetch failed"))],
    ["answers an older seq", () => Promise.resolve(0)],
  ])("reading anew is tried again when it %s", async (_how, fail) => {
    const board = await newBoard();
    for (const title of ["a", "b", "c", "d"]) await board.add({ title });
    await inside(board, ({ sql }) => sql.run("delete from events where seq < 5"));
    const end = await lastSeq(board);
    let tries = 0;
    const onResync = async () => {
      if (++tries === 1) return fail();
      return ok(await call(board.lead, "GET", `${board.path}/snapshot`)).seq;
    };
    const reading = read(board, { after: 2, onResync, ...options });
    await reading.until(() => reading.states.at(-1) === "live");
    await board.add({ title: "next" });
    await reading.until(() => reading.events.length > 0);
    expect([tries, seqs(reading), reading.states]).toEqual([
      2,
      [end + 1],
      expect.arrayContaining(["offline"]),
    ]);
  });
});

describe("with a clock of the test's own", () => {
  afterEach(() => vi.useRealTimers());

  /** A socket that does as it is told. */
  class Puppet implements SocketLike {
    readonly #listeners = new Map<string, (event: { data?: unknown; code?: number }) => void>();
    send() {}
    close() {}
    addEventListener(type: string, listener: (event: { data?: unknown; code?: number }) => void) {
      this.#listeners.set(type, listener);
    }
    emit(type: string, event: { data?: unknown; code?: number } = {}) {
      this.#listeners.get(type)?.(event);
    }
  }

  const hello = { data: '{"type":"hello","seq":0}' };
  const following = (options: Partial<FollowOptions>) =>
    follow({
      ...{ url: "https://edgeboard.test", board: "b", token: "t", after: 0 },
      ...{ onEvents: () => {}, onResync: (seq: number) => seq, ...options },
    });

  it("a service that greets and drops everyone at once is left alone longer each time", async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    let tries = 0;
    const end = following({
      signal: stop.signal,
      connect: () => {
        tries++;
        const socket = new Puppet();
        setTimeout(() => {
          socket.emit("message", hello);
          setTimeout(() => socket.emit("close", { code: 1006 }), 1);
        }, 1);
        return socket;
      },
      fetch: () => {
        tries++;
        return Promise.reject(new TypeError("fetch failed"));
      },
    });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(25);
    stop.abort();
    expect(await end).toBe("aborted");
  });

  it("one that stood for long is opened again soon, though nothing happened on it", async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    const sockets: Puppet[] = [];
    const connect = () => {
      const socket = new Puppet();
      sockets.push(socket);
      return socket;
    };
    const end = following({ signal: stop.signal, connect });
    for (let times = 1; times <= 6; times++) {
      await vi.advanceTimersByTimeAsync(1);
      sockets.at(-1)?.emit("message", hello);
      await vi.advanceTimersByTimeAsync(15_000);
      sockets.at(-1)?.emit("close", { code: 1006 });
      await vi.advanceTimersByTimeAsync(500);
      expect(sockets).toHaveLength(times + 1);
    }
    stop.abort();
    expect(await end).toBe("aborted");
  });

  it("what no Edgeboard would say breaks the connection, not the program", async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    const sockets: Puppet[] = [];
    const connect = () => {
      const socket = new Puppet();
      sockets.push(socket);
      return socket;
    };
    const end = following({ signal: stop.signal, connect });
    await vi.advanceTimersByTimeAsync(1);
    expect(() => sockets[0]?.emit("message", { data: "<html>" })).not.toThrow();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sockets).toHaveLength(2);
    stop.abort();
    expect(await end).toBe("aborted");
  });

  it("nothing is left running when it has ended, whatever is still said", async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    const socket = new Puppet();
    const end = following({ signal: stop.signal, connect: () => socket });
    await vi.advanceTimersByTimeAsync(1);
    socket.emit("message", hello);
    stop.abort();
    expect(await end).toBe("aborted");
    for (const data of ["pong", hello.data]) socket.emit("message", { data });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("polls go on at once while there is more, and wait only where they are not let wait", async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    const asked: string[] = [];
    const end = following({
      ...{ signal: stop.signal, kinds: ["task_dropped"], ...polling },
      fetch: async (input) => {
        asked.push(new URL(String(input)).searchParams.get("after") ?? "");
        const seq = Math.min(Number(asked.at(-1)) + 5_000, 30_000);
        return Response.json({ events: [], nextCursor: seq < 30_000 ? String(seq) : null, seq: 30_000 });
      },
    });
    // The second try of a socket, after the first one failed.
    await vi.advanceTimersByTimeAsync(500);
    expect(asked.slice(0, 7)).toEqual(["0", "5000", "10000", "15000", "20000", "25000", "30000"]);
    expect(asked.length).toBeLessThan(10);
    stop.abort();
    expect(await end).toBe("aborted");
  });
});
