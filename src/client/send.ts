/** One call, as many tries as it takes: the same request each time, within a budget, and only where that is safe. */
import type { Clock } from "./clock.ts";
import { type Problem, Refused, Unreachable } from "./errors.ts";
import { backoff } from "./pause.ts";

export interface Outgoing {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** It may be sent again also when nobody knows whether it arrived. */
  repeatable: boolean;
  /** It is answered by a stream, which is handed over unread. */
  streams: boolean;
  budgetMs: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface Retry {
  /** Of how many tries this was the last. */
  attempts: number;
  waitMs: number;
  cause: unknown;
}

export interface Wire {
  fetch: typeof fetch;
  clock: Clock;
  onRetry?: ((retry: Retry) => void) | undefined;
}

export async function send({ fetch, clock, onRetry }: Wire, request: Outgoing): Promise<unknown> {
  const deadline = clock.now() + request.budgetMs;
  let outcome: Unreachable["outcome"] = "nothing_changed";
  for (let attempts = 1; ; attempts++) {
    const leftMs = request.budgetMs === 0 ? request.timeoutMs : Math.max(deadline - clock.now(), 1);
    const tried = await attempt(fetch, request, Math.min(request.timeoutMs, leftMs));
    if ("answer" in tried) return tried.answer;
    const { cause, arrived } = tried;
    if (arrived !== "no" && request.method !== "GET") outcome = "unknown";
    const retryAfterMs = cause instanceof Refused ? (cause.retryAfterMs ?? 0) : 0;
    const waitMs = Math.max(retryAfterMs, backoff(attempts, clock.random()));
    const again = arrived === "no" || (arrived === "maybe" && request.repeatable);
    if (!again || clock.now() + waitMs > deadline)
      throw new Unreachable(`${request.method} ${request.url}: ${textOf(cause)}`, cause, outcome, attempts);
    onRetry?.({ attempts, waitMs, cause });
    await clock.pause(waitMs, request.signal);
    request.signal?.throwIfAborted();
  }
}

/** `stranger`: something answered, but not Edgeboard, and it will not be there the next time either. */
type Failure = { cause: unknown; arrived: "no" | "maybe" | "stranger" };

async function attempt(
  fetch: Wire["fetch"],
  request: Outgoing,
  timeoutMs: number,
): Promise<{ answer: unknown } | Failure> {
  request.signal?.throwIfAborted();
  const { method, headers, body } = request;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  const signal = request.signal === undefined ? late.signal : AbortSignal.any([request.signal, late.signal]);
  let response: Response;
  let text: string;
  try {
    response = await fetch(request.url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
    if (response.ok && request.streams) return { answer: response.body };
    text = await response.text();
  } catch (cause) {
    request.signal?.throwIfAborted();
    return { cause: late.signal.aborted ? late.signal.reason : cause, arrived: "maybe" };
  } finally {
    clearTimeout(timer);
  }
  return read(response, text);
}

function read(response: Response, text: string): { answer: unknown } | Failure {
  if (response.status === 204) return { answer: undefined };
  const json = parsed(text);
  if (response.ok && json !== undefined) return { answer: json };
  if (!isProblem(json)) {
    const cause = new Error(`answered ${response.status}, and not as Edgeboard does`);
    const lasting = response.status >= 400 && response.status < 500;
    return { cause, arrived: lasting ? "stranger" : "maybe" };
  }
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const refused = new Refused(json, Number.isFinite(seconds) ? seconds * 1_000 : null);
  if (response.status === 429) return { cause: refused, arrived: "no" };
  if (response.status === 503) return { cause: refused, arrived: "maybe" };
  throw refused;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(json: unknown): json is Problem {
  return typeof json === "object" && json !== null && "code" in json && "detail" in json;
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
