/**
 * A small client of the interface. A refusal is a value; what may be sent again is sent again, and a claim
 * carries a key, so that a repeat of it can never take a second task.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type * as z from "zod";
import type { problem } from "../../src/contract/answers.ts";

export type Problem = z.infer<typeof problem>;
export type Reply<T> = { ok: true; value: T } | { ok: false; problem: Problem };

/** Too many requests, and a board or runtime that is just starting again. */
const RETRIED: ReadonlySet<number> = new Set([429, 503]);
const NETWORK_TRIES = 5;

export class Api {
  readonly #base: string;
  readonly #token: string;

  /** `base` may end in a board's path: all calls are then below it. */
  constructor(base: string, token: string) {
    this.#base = base;
    this.#token = token;
  }

  /** One call. `body`: a string goes as it is, anything else as JSON. */
  async send<T>(method: "GET" | "POST", path: string, body?: object | string): Promise<Reply<T>> {
    const request: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(method === "POST" ? { "idempotency-key": randomUUID() } : {}),
        ...(body === undefined
          ? {}
          : { "content-type": typeof body === "string" ? "application/x-ndjson" : "application/json" }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    };
    for (;;) {
      const response = await reach(`${this.#base}${path}`, request);
      const answer = await response.text();
      if (response.ok) return { ok: true, value: JSON.parse(answer) as T };
      if (!RETRIED.has(response.status)) return { ok: false, problem: JSON.parse(answer) as Problem };
      await sleep(Number(response.headers.get("retry-after") ?? 1) * 1_000);
    }
  }

  /** A call that has no reason to be refused. */
  async must<T>(method: "GET" | "POST", path: string, body?: object | string): Promise<T> {
    const reply = await this.send<T>(method, path, body);
    if (reply.ok) return reply.value;
    const { code, detail, issues = [] } = reply.problem;
    const where = issues.slice(0, 3).map((issue) => `\n  ${issue.path}: ${issue.message}`);
    throw new Error(`${code}: ${detail}${where.join("")}`);
  }

  /** Every page of a list. */
  async all<K extends string, T>(path: string, name: K): Promise<T[]> {
    type Page = Record<K, T[]> & { nextCursor: string | null };
    const rows: T[] = [];
    let cursor: string | null = null;
    do {
      const from: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page: Page = await this.must("GET", `${path}?limit=200${from}`);
      rows.push(...page[name]);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return rows;
  }
}

/** An idle connection may close under a request; a server that stays away is an error. */
async function reach(url: string, request: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      return await fetch(url, request);
    } catch (error) {
      if (tries === NETWORK_TRIES) throw error;
      await sleep(50 * tries);
    }
  }
}
