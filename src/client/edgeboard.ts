/** A server, and whoever calls it. */
import { BASE } from "../contract/route.ts";
import { ADDRESSES, type RouteName } from "./addresses.ts";
import { Board } from "./board.ts";
import type { Answer, Body, CallOptions, Input, Query } from "./calls.ts";
import { CLOCK, type Clock, newKey } from "./clock.ts";
import { repeatOf } from "./repeats.ts";
import { type Retry, send } from "./send.ts";

export interface EdgeboardOptions {
  /** Where Edgeboard is, such as `https://board.example`. */
  url: string;
  /** Without one, the browser's session. */
  token?: string | undefined;
  /** The platform's own by default. */
  fetch?: typeof fetch;
  /** How long a call is tried before it is `Unreachable`; 0: there is one try only. */
  budgetMs?: number;
  /** How long one try may take, waiting and large bodies aside. */
  timeoutMs?: number;
  /** A try failed, and there will be another. */
  onRetry?: (retry: Retry) => void;
  clock?: Clock;
}

const BUDGET_MS = 30_000;
const TIMEOUT_MS = 10_000;
/** What a slow line carries; a large body gets the time it takes at this pace. */
const CHARS_PER_MS = 50;

/** These are answered when a whole board has been written. */
const WHOLE_BOARD: Partial<Record<RouteName, number>> = { createArchive: 270_000, restoreArchive: 270_000 };

/** What every call is made of. */
interface Loose {
  params?: Record<string, string>;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

/** Answered as text, as it comes. */
const STREAMS: readonly RouteName[] = ["exportBoard", "exportAudit", "getArchive", "getMetrics"];

export class Edgeboard {
  readonly url: string;
  readonly clock: Clock;
  readonly options: EdgeboardOptions;

  constructor(options: EdgeboardOptions) {
    this.options = options;
    this.url = options.url.replace(/\/+$/, "");
    this.clock = options.clock ?? CLOCK;
  }

  /** Any route, by its name. */
  async call<N extends RouteName>(name: N, input: Input<N>, options: CallOptions = {}): Promise<Answer<N>> {
    const { params = {}, query = {}, body } = input as Loose;
    const [method = "", path = ""] = ADDRESSES[name].split(" ");
    const conditions = conditionsOf(options);
    const repeat = repeatOf(name, body ?? {}, Object.keys(conditions).length > 0);
    const sends = method === "GET" || method === "DELETE" ? undefined : encode(body);
    const extra =
      (WHOLE_BOARD[name] ?? 0) +
      waitOf(query) +
      waitOf(body) +
      (sends === undefined ? 0 : sends.text.length / CHARS_PER_MS);
    const { fetch: own = (url, init) => fetch(url, init), token, onRetry } = this.options;
    const { budgetMs = BUDGET_MS, timeoutMs = TIMEOUT_MS } = this.options;
    const answer = await send(
      { fetch: own, clock: this.clock, onRetry },
      {
        method,
        url: this.url + BASE + fill(path, params) + search(query),
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(sends === undefined ? {} : { "content-type": sends.type }),
          ...(repeat === "key" ? { "idempotency-key": options.idempotencyKey ?? newKey() } : {}),
          ...conditions,
        },
        ...(sends === undefined ? {} : { body: sends.text }),
        repeatable: repeat !== "once",
        streams: STREAMS.includes(name),
        // None at all stays none: one try, which has the time it takes.
        budgetMs: options.budgetMs ?? (budgetMs === 0 ? 0 : budgetMs + extra),
        timeoutMs: options.timeoutMs ?? timeoutMs + extra,
        signal: options.signal,
      },
    );
    return answer as Answer<N>;
  }

  /** A board; without an id, the one the token is for. */
  board(id?: string): Board {
    return new Board(this, id);
  }

  me(options?: CallOptions) {
    return this.call("whoAmI", {}, options);
  }

  createBoard(body: Body<"createBoard">, options?: CallOptions) {
    return this.call("createBoard", { body }, options);
  }

  listBoards(query: Query<"listBoards"> = {}, options?: CallOptions) {
    return this.call("listBoards", { query }, options);
  }

  /** Who made and deleted boards; for the operator. */
  audit(query: Query<"listDirectoryAudit"> = {}, options?: CallOptions) {
    return this.call("listDirectoryAudit", { query }, options);
  }

  openSession(body: Body<"openSession">, options?: CallOptions) {
    return this.call("openSession", { body }, options);
  }

  linkSession(options?: CallOptions) {
    return this.call("linkSession", {}, options);
  }

  closeSession(options?: CallOptions) {
    return this.call("closeSession", {}, options);
  }
}

function encode(body: unknown): { type: string; text: string } {
  if (typeof body === "string") return { type: "text/plain", text: body };
  return { type: "application/json", text: JSON.stringify(body ?? {}) };
}

function fill(path: string, params: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === "") throw new TypeError(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
}

function search(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    // The one list that stands in one parameter.
    if (name === "include") return [[name, String(value)]];
    return [value].flat().map((each) => [name, String(each)]);
  });
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

/** How long the server was asked to hold its answer back. */
function waitOf(asked: unknown): number {
  const { waitMs } = (typeof asked === "object" && asked !== null ? asked : {}) as { waitMs?: unknown };
  return typeof waitMs === "number" ? waitMs : 0;
}

function conditionsOf({ ifVersion, ifChangeSeq }: CallOptions): Record<string, string> {
  return {
    ...(ifVersion === undefined ? {} : { "if-match": `"${ifVersion}"` }),
    ...(ifChangeSeq === undefined ? {} : { "if-match-seq": String(ifChangeSeq) }),
  };
}
