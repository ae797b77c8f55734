/** The Edgeboard that is tested, over the network and through nothing but its interface; and boards of our own on it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after } from "node:test";

export const URL_TESTED = (process.env["EDGEBOARD_URL"] ?? "").replace(/\/$/, "");
export const OPERATOR = process.env["EDGEBOARD_OPERATOR_TOKEN"] ?? "";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Json = any;

export interface Reply {
  status: number;
  json: Json;
  text: string;
  headers: Headers;
}

/** One request; a body that is a string goes as it is, anything else as JSON. It waits out a limit of requests. */
export async function call(
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(new URL(path.startsWith("/mcp") ? path : `/api/v1${path}`, URL_TESTED), {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status === 429) {
    await pause(Number(response.headers.get("retry-after")) * 1_000);
    return call(token, method, path, body, headers);
  }
  return { status: response.status, json: parsed(text), text, headers: response.headers };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The answer of a call that has to succeed. */
export function ok(reply: Reply, status = 200): Json {
  assert.equal(reply.status, status, reply.text.slice(0, 400));
  return reply.json;
}

/** The problem of a call that has to be refused: `409 conflict`. */
export function refused(reply: Reply, wanted: string): Json {
  assert.equal(`${reply.status} ${reply.json?.code}`, wanted, reply.text.slice(0, 400));
  assert.equal(reply.headers.get("content-type"), "application/problem+json");
  return reply.json;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads until what is read holds. */
export async function until<T>(
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  withinMs = 15_000,
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    assert.ok(Date.now() < end, `never came: ${JSON.stringify(value).slice(0, 400)}`);
    await pause(100);
  }
}

export interface Board {
  id: string;
  path: string;
  lead: string;
  /** A token for somebody, a worker unless it is said otherwise. */
  mint: (agentId: string, role?: string, extra?: object) => Promise<string>;
  add: (body: object, token?: string) => Promise<Json>;
  get: (id: string, query?: string) => Promise<Json>;
  claim: (id: string, token: string, body?: object) => Promise<Json>;
  /** Any other call below the board, by its lead. */
  ask: (method: string, below: string, body?: unknown) => Promise<Reply>;
}

const made: string[] = [];

after(async () => {
  await Promise.all(made.map((id) => call(OPERATOR, "DELETE", `/boards/${id}?confirm=${id}`)));
});

/** A board that nobody else has; it is deleted in the end. */
export async function newBoard(settings: object = {}): Promise<Board> {
  const id = `conformance-${randomUUID()}`;
  made.push(id);
  const { token: lead } = ok(
    await call(OPERATOR, "POST", "/boards", { id, name: "Conformance", settings }),
    201,
  );
  const path = `/boards/${id}`;
  const ask = (method: string, below: string, body?: unknown) => call(lead, method, path + below, body);
  return {
    ...{ id, path, lead, ask },
    mint: async (agentId, role = "worker", extra = {}) =>
      ok(await ask("POST", "/tokens", { agentId, role, ...extra }), 201).token,
    add: async (body, token = lead) => ok(await call(token, "POST", `${path}/tasks`, body), 201).task,
    get: async (task, query = "") => ok(await ask("GET", `/tasks/${task}${query}`)),
    claim: async (task, token, body = {}) =>
      ok(await call(token, "POST", `${path}/tasks/${task}/claim`, body)),
  };
}

/** Settings under which a holder may be watched falling silent. */
export const BRIEF = {
  ...{ leaseTtlMs: 1_000, beatEveryMs: 300, sweepEveryMs: 500 },
  backoff: { firstMs: 0, stepMs: 0, maxMs: 0 },
};

/** Ends a run as its holder. */
export const complete = (board: Board, token: string, claim: Json, word: object = {}): Promise<Reply> =>
  call(token, "POST", `${board.path}/tasks/${claim.task.id}/complete`, {
    ...{ leaseToken: claim.lease.token, outcome: "succeeded", status: "done", ...word },
  });

export const VERDICT = {
  status: "pass",
  attempts: [
    {
      ...{ attempt: 1, at: 1, status: "pass", critic: { ran: false } },
      deterministic: { command: "make test", exitCode: 0, passed: true, durationMs: 5 },
    },
  ],
  updatedAt: 1,
};
