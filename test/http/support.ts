/** What the tests of the HTTP edge share: routes as paths, raw requests, walks over pages, signed tokens. */
import { env, exports } from "cloudflare:workers";
import { decodeJwt, type JWTPayload, SignJWT } from "jose";
import { expect } from "vitest";
import type { Reason } from "../../src/contract/reasons.ts";
import { BASE, type Route } from "../../src/contract/route.ts";
import { ROUTES } from "../../src/contract/routes.ts";
import { call, ok, type Reply, refused, type TestBoard } from "../support/api.ts";

export const ALL: Route[] = Object.values<Route>(ROUTES);

/** A route's path below the base, its parameters filled in. */
export function pathOf(route: Route, params: Record<string, string>): string {
  return route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? `no-${name}`);
}

/** One request exactly as it is given: nothing is added, the body may be bytes. */
export async function send(path: string, init: RequestInit, base = BASE): Promise<Reply> {
  const response = await exports.default.fetch(`https://edgeboard.test${base}${path}`, init);
  return readReply(response);
}

export async function readReply(response: Response): Promise<Reply> {
  const text = await response.text();
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {}
  return { status: response.status, json, text, headers: response.headers };
}

/** What must not move when a request is refused: the counts, the log's seq, and these tasks. */
export async function standing(board: TestBoard, ...tasks: string[]): Promise<string> {
  const paths = [board.path, ...tasks.map((id) => `${board.path}/tasks/${id}?include=comments,executions`)];
  const replies = await Promise.all(paths.map((path) => call(board.lead, "GET", path)));
  return replies.map((reply) => JSON.stringify(ok(reply))).join("\n");
}

/** A refusal of what was sent; with a path, one of its issues names it. */
export function invalid(
  reply: Reply,
  path?: string,
  what = "",
  status = 400,
  code: Reason = "invalid_request",
) {
  expect(`${what} ${reply.status} ${reply.json?.code}`, reply.text.slice(0, 300)).toBe(
    `${what} ${status} ${code}`,
  );
  refused(reply, status, code);
  if (path === undefined) return;
  const paths = reply.json.issues.map((issue: { path: string }) => issue.path);
  expect(paths, what).toContain(path);
  for (const issue of reply.json.issues) expect(issue.message, what).toMatch(/\S/);
}

interface Walked {
  // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
  rows: any[];
  pages: number;
}

/** Follows the cursors of a list to its end. Every page but the last is full. */
export async function walk(
  token: string,
  path: string,
  limit: number,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<Walked> {
  const walked: Walked = { rows: [], pages: 0 };
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = ok(
      await call(token, "GET", `${path}${path.includes("?") ? "&" : "?"}limit=${limit}${more}`),
    );
    const rows = Object.values(page).find(Array.isArray) as unknown[];
    expect(rows.length).toBeLessThanOrEqual(limit);
    expect(page.hasMore).toBe(page.nextCursor !== null);
    if (page.hasMore) expect(rows.length).toBe(limit);
    walked.rows.push(...rows);
    walked.pages += 1;
    cursor = page.nextCursor;
    if (cursor !== null) await between(walked.pages);
  } while (cursor !== null);
  return walked;
}

/** A token signed by the test: the claims of a real one, with changes. */
export async function forge(
  token: string,
  changes: JWTPayload = {},
  { key = env.EDGEBOARD_SIGNING_KEY, alg = "HS256", typ = "edgeboard+jwt" as string | null } = {},
): Promise<string> {
  return new SignJWT({ ...decodeJwt(token), ...changes })
    .setProtectedHeader({ alg, ...(typ === null ? {} : { typ }) })
    .sign(new TextEncoder().encode(key));
}

export function base64url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** A request to claim, edit and so on that carries an idempotency key. */
export function keyed(token: string, path: string, key: string, body: unknown = {}): Promise<Reply> {
  return call(token, "POST", path, body, { "idempotency-key": key });
}

const TWINS = 20;

export function isReplay(reply: Reply): boolean {
  return reply.headers.get("idempotency-replayed") === "true";
}

/** Twenty at once, of which one did the work and all say the same. */
export async function twins(ask: () => Promise<Reply>, status: number): Promise<Reply> {
  const replies = await Promise.all(Array.from({ length: TWINS }, ask));
  for (const reply of replies) ok(reply, status);
  expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
  expect(replies.filter((reply) => !isReplay(reply))).toHaveLength(1);
  return replies[0] as Reply;
}
