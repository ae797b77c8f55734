/**
 * Puts a route and its handler on the app. What every route has in common happens here, in this order: token and
 * role, rate, size, syntax; then ONE call to the board; then the answer.
 */
import type { Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { timeout } from "hono/timeout";
import type { Meter } from "../board/meter.ts";
import type { Call, Reply } from "../board/replay.ts";
import { type BoardStub, boardStub } from "../board/stub.ts";
import { BODY_MAX_BYTES, REQUEST_MAX_MS } from "../contract/limits.ts";
import { type Refusal, refuse } from "../contract/result.ts";
import type { Caller } from "../contract/roles.ts";
import { BASE, type BodyOf, type ParamsOf, type QueryOf, type Route } from "../contract/route.ts";
import { authenticate } from "./authenticate.ts";
import type { Edge } from "./edge.ts";
import { operationKey } from "./operation-key.ts";
import { shedReads } from "./overload.ts";
import { problem } from "./problem.ts";
import { limitByToken } from "./rate-limit.ts";
import { RequestTimedOut } from "./stub-failure.ts";
import { type Conditions, readBody, readConditions, readIdempotencyKey, readQuery } from "./validate.ts";

/** A request as a handler sees it: checked, typed, with the board at hand. */
export interface Incoming<R extends Route> {
  env: Env;
  caller: Caller;
  tokenBoard: string | null;
  expiresAt: number | null;
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  text: string;
  conditions: Conditions;
  /** What every operation of the board is called with. */
  call: Call;
  board: BoardStub;
  /** For whoever calls a board by itself. */
  meter: Meter;
  /** Aborted when the client has gone. */
  signal: AbortSignal;
  requestId: string;
  url: string;
  /** The client asks for a socket. */
  upgrades: boolean;
}

export interface Answer {
  status: 101 | 200 | 201 | 204;
  /** A text or a stream goes out as it is, under the route's own content type; with 101 it is the client's socket. */
  body: unknown;
  headers?: Record<string, string>;
  replayed?: true;
}

export type Handler<R extends Route> = (incoming: Incoming<R>) => Promise<Answer | Refusal>;

export interface Mounted {
  route: Route;
  handler: (incoming: Incoming<Route>) => Promise<Answer | Refusal>;
}

export function handle<R extends Route>(route: R, handler: Handler<R>): Mounted {
  return { route, handler: handler as unknown as Mounted["handler"] };
}

/** An operation's reply as an answer; its refusal as it is. */
export function answer<T>(
  reply: Reply<T>,
  status: Answer["status"] = 200,
  body: (value: T) => unknown = (value) => value,
  headers?: (value: T) => Record<string, string>,
): Answer | Refusal {
  if (!reply.ok) return reply;
  return {
    status,
    body: body(reply.value),
    ...(headers === undefined ? {} : { headers: headers(reply.value) }),
    ...(reply.replayed === true ? { replayed: true } : {}),
  };
}

export function mount(app: Hono<Edge>, mounted: readonly Mounted[]): void {
  for (const { route, handler } of mounted)
    app.on(
      route.method,
      BASE + route.path,
      authenticate(route),
      limitByToken,
      shedReads,
      timeout(REQUEST_MAX_MS, () => new RequestTimedOut()),
      bodyLimit({ maxSize: route.maxBytes ?? BODY_MAX_BYTES, onError: (c) => tooLarge(c, route) }),
      (c) => serve(c, route, handler),
    );
  for (const path of new Set(mounted.map(({ route }) => route.path))) {
    const methods = mounted.filter(({ route }) => route.path === path).map(({ route }) => route.method);
    app.all(BASE + path, (c) => {
      c.header("allow", methods.join(", "));
      return problem(c, refuse("method_not_allowed", `This path answers ${methods.join(", ")}.`));
    });
  }
}

async function serve(c: Context<Edge>, route: Route, handler: Mounted["handler"]): Promise<Response> {
  const query = readQuery(route, c.req);
  if (!query.ok) return problem(c, query);
  const body = await readBody(route, c.req);
  if (!body.ok) return problem(c, body);
  const key = route.keyed === true ? readIdempotencyKey(c.req) : { ok: true as const, value: null };
  if (!key.ok) return problem(c, key);
  const conditions =
    route.conditional === true
      ? readConditions(c.req)
      : { ok: true as const, value: { ifVersion: null, ifChangeSeq: null } };
  if (!conditions.ok) return problem(c, conditions);
  const params: Record<string, string> = c.req.param();
  const caller = c.get("caller");
  const meter = c.get("meter");
  const scope = `${route.method} ${c.req.path}`;
  const outcome = await handler({
    env: c.env,
    caller,
    tokenBoard: c.get("tokenBoard"),
    expiresAt: c.get("expiresAt"),
    params: params as never,
    query: query.value as never,
    body: body.value.json as never,
    text: body.value.text,
    conditions: conditions.value,
    call: {
      caller,
      ...(key.value === null
        ? {}
        : { key: await operationKey(scope, key.value, `${c.req.url}\n${body.value.text}`) }),
    },
    get board() {
      return boardStub(c.env, params["board"] ?? "", meter);
    },
    meter,
    signal: c.req.raw.signal,
    requestId: c.get("requestId"),
    url: c.req.url,
    upgrades: c.req.header("upgrade")?.toLowerCase() === "websocket",
  });
  return "ok" in outcome ? problem(c, outcome) : reply(c, route, outcome);
}

function reply(c: Context<Edge>, route: Route, outcome: Answer): Response {
  c.header("cache-control", "no-store");
  if (outcome.replayed === true) {
    c.header("idempotency-replayed", "true");
    // Boards are made by the directory, which is no board.
    c.get("meter").replayed = true;
  }
  for (const [name, value] of Object.entries(outcome.headers ?? {})) c.header(name, value);
  if (outcome.status === 204) return c.body(null, 204);
  if (outcome.status === 101)
    return new Response(null, { status: 101, webSocket: outcome.body as WebSocket });
  if (route.textAnswer !== undefined) {
    c.header("content-type", route.textAnswer.type);
    return c.body(outcome.body as ReadableStream | string, outcome.status);
  }
  return c.json(outcome.body as object, outcome.status);
}

function tooLarge(c: Context, route: Route): Response {
  const limit = route.maxBytes ?? BODY_MAX_BYTES;
  return problem(c, refuse("body_too_large", `The body may have at most ${limit} bytes.`, { limit }));
}
