/** The interface as a client sees it, against the Worker in the test runtime. */
import { env, exports } from "cloudflare:workers";
import { expect } from "vitest";
import type { Settings } from "../../src/contract/settings.ts";
import type { Task } from "../../src/contract/task.ts";

export const OPERATOR: string = env.EDGEBOARD_OPERATOR_TOKEN;

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any;
  text: string;
  headers: Headers;
}

/** One request. `body`: a string goes as it is, anything else as JSON. */
export async function call(
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await exports.default.fetch(`https://edgeboard.test/api/v1${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {}
  return { status: response.status, json, text, headers: response.headers };
}

/** The answer of a call that has to succeed. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export function ok(reply: Reply, status = 200): any {
  expect(reply.status, reply.text.slice(0, 500)).toBe(status);
  return reply.json;
}

/** The problem of a call that has to be refused. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export function refused(reply: Reply, status: number, code: string): any {
  expect(reply.status, reply.text.slice(0, 500)).toBe(status);
  expect(reply.headers.get("content-type")).toContain("application/problem+json");
  expect(reply.json).toMatchObject({ status, code });
  return reply.json;
}

type DeepPartial<T> = { [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };

export interface TestBoard {
  id: string;
  path: string;
  lead: string;
  /** A token for an agent; the same call gives another one. */
  mint: (agentId: string, role?: string, extra?: object) => Promise<string>;
  add: (body: object, token?: string) => Promise<Task>;
  get: (id: string) => Promise<Task>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  claim: (id: string, token: string, body?: object) => Promise<any>;
  stub: () => ReturnType<typeof env.BOARDS.getByName>;
}

/** A board of its own for each test. */
export async function newBoard(settings: DeepPartial<Settings> = {}): Promise<TestBoard> {
  const id = `t-${crypto.randomUUID()}`;
  const made = ok(await call(OPERATOR, "POST", "/boards", { id, name: "Test", settings }), 201);
  const path = `/boards/${id}`;
  const lead: string = made.token;
  return {
    id,
    path,
    lead,
    mint: async (agentId, role = "worker", extra = {}) =>
      ok(await call(lead, "POST", `${path}/tokens`, { agentId, role, ...extra }), 201).token,
    add: async (body, token = lead) => ok(await call(token, "POST", `${path}/tasks`, body), 201).task,
    get: async (taskId) => ok(await call(lead, "GET", `${path}/tasks/${taskId}`)).task,
    claim: async (taskId, token, body = {}) =>
      ok(await call(token, "POST", `${path}/tasks/${taskId}/claim`, body)),
    stub: () => env.BOARDS.getByName(id),
  };
}

/** Every event of a board, oldest first. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export async function events(board: TestBoard, query = ""): Promise<any[]> {
  return ok(await call(board.lead, "GET", `${board.path}/events?limit=200${query}`)).events;
}

/** Everything a refusal must not change, as one text. */
export async function fingerprintOf(board: TestBoard, taskId: string): Promise<string> {
  const read = async (path: string) => (await call(board.lead, "GET", board.path + path)).text;
  const [task, log, executions] = await Promise.all([
    read(`/tasks/${taskId}`),
    read("/events?limit=200"),
    read(`/tasks/${taskId}/executions`),
  ]);
  return `${task}\n${log}\n${executions}`;
}

/** Every board there is, page by page: files share a directory. */
export async function everyBoard(): Promise<{ id: string; name: string }[]> {
  const boards: { id: string; name: string }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = ok(
      await call(OPERATOR, "GET", `/boards?limit=200${cursor === "" ? "" : `&cursor=${cursor}`}`),
    );
    boards.push(...page.boards);
    cursor = page.nextCursor;
  }
  return boards;
}
