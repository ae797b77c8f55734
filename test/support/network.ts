/** The network between a client and the Worker of the tests: what is sent is noted, and broken as a test likes. */
import { exports } from "cloudflare:workers";
import type { Clock } from "../../src/client/clock.ts";
import { Edgeboard, type EdgeboardOptions } from "../../src/client/index.ts";

/** `no_request`: it never arrives. `no_reply`: it does, and nobody hears the answer. */
export type Fault = "no_request" | "no_reply" | number;

export interface Sent {
  /** Such as `POST /claims`, below the board. */
  call: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  key: string | null;
  fault: Fault | null;
  status: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  answer: any;
}

export interface Network {
  fetch: typeof fetch;
  sent: Sent[];
  /** Those of one call. */
  of: (call: RegExp) => Sent[];
  /** When nothing is on its way any more. */
  quiet: () => Promise<void>;
}

/** `faults` says what becomes of a request; `n` counts those of the same call, from 1. */
export function network(faults: (sent: Sent, n: number) => Fault | null = () => null): Network {
  const sent: Sent[] = [];
  let inFlight = 0;
  const through = async (url: string, init: RequestInit = {}): Promise<Response> => {
    init.signal?.throwIfAborted();
    const path = new URL(url).pathname.replace(/^\/api\/v1(?:\/boards\/[^/]+)?/, "");
    const headers = new Headers(init.headers);
    const one: Sent = {
      call: `${init.method} ${path}`,
      body: headers.get("content-type") === "application/json" ? JSON.parse(String(init.body)) : init.body,
      key: headers.get("idempotency-key"),
      ...{ fault: null, status: null, answer: null },
    };
    sent.push(one);
    one.fault = faults(one, sent.filter(({ call }) => call === one.call).length);
    if (typeof one.fault === "number") return refusal(one.fault);
    if (one.fault === "no_request") throw new TypeError("fetch failed");
    const response = await exports.default.fetch(url, init);
    const text = await response.text();
    one.status = response.status;
    const isJson = response.headers.get("content-type")?.includes("json") && !text.includes("\n");
    one.answer = isJson ? JSON.parse(text) : text;
    if (one.fault === "no_reply") throw new TypeError("fetch failed");
    return new Response(response.status === 204 ? null : text, {
      status: response.status,
      headers: response.headers,
    });
  };
  return {
    sent,
    fetch: (async (url: string, init?: RequestInit) => {
      inFlight++;
      try {
        return await through(url, init);
      } finally {
        inFlight--;
      }
    }) as typeof fetch,
    of: (call) => sent.filter((one) => call.test(one.call)),
    quiet: async () => {
      for (let calm = 0; calm < 3; calm = inFlight === 0 ? calm + 1 : 0) await scheduler.wait(1);
    },
  };
}

function refusal(status: number): Response {
  const code = status === 429 ? "rate_limited" : status === 503 ? "board_unavailable" : "internal";
  const problem = { type: "about:blank", title: code, status, code, detail: "Not now.", retryable: true };
  return Response.json({ ...problem, requestId: "r" }, { status, headers: { "retry-after": "2" } });
}

/** Time that passes when a test says so; chance that is always in the middle. */
export class TestClock implements Clock {
  time = 1_000_000;
  /** Every pause that was asked for. */
  pauses: number[] = [];
  #sleepers: { at: number; wake: () => void }[] = [];

  now = () => this.time;
  random = () => 0.5;
  pause = (ms: number, signal?: AbortSignal): Promise<void> => {
    this.pauses.push(ms);
    return new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const sleeper = { at: this.time + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      const leave = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      };
      signal?.addEventListener("abort", leave, { once: true });
    });
  };

  /** Moves on, waking one sleeper after the other at its time, each followed by what it then does. */
  async advance(ms: number, quiet: () => Promise<void>): Promise<void> {
    const end = this.time + ms;
    await quiet();
    for (;;) {
      const next = this.#sleepers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      this.time = next.at;
      next.wake();
      await quiet();
    }
    this.time = end;
  }
}

/** Real time, with pauses that are over at once: for what is tried again. */
export const impatient = (): Clock & { pauses: number[] } => {
  const pauses: number[] = [];
  return {
    pauses,
    now: () => Date.now(),
    random: () => 0.5,
    pause: async (ms) => {
      pauses.push(ms);
      await scheduler.wait(0);
    },
  };
};

export function connect(
  { fetch }: Network,
  token: string,
  options: Partial<EdgeboardOptions> = {},
): Edgeboard {
  return new Edgeboard({ url: "https://edgeboard.test/", token, fetch, clock: impatient(), ...options });
}
