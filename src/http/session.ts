/** The cookie of a signed-in browser. Never the token itself, and of no use to another site. */
import type { Context } from "hono";
import { generateCookie, getCookie } from "hono/cookie";
import type { Edge } from "./edge.ts";

const NAME = "edgeboard";

/** A browser takes the `__Host-` prefix over TLS only; on this machine itself there may be none. */
export function isPlain(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

export function readSession(c: Context<Edge>): string | undefined {
  return isPlain(c.req.url) ? getCookie(c, NAME) : getCookie(c, NAME, "host");
}

/** The header that sets it; with no seconds left, the one that takes it away. */
export function sessionCookie(url: string, session: string, maxAgeS: number): string {
  const cookie = { path: "/", httpOnly: true, sameSite: "Strict", maxAge: maxAgeS } as const;
  return isPlain(url)
    ? generateCookie(NAME, session, cookie)
    : generateCookie(NAME, session, { ...cookie, secure: true, prefix: "host" });
}

/**
 * Whether a cookie may do this: a browser sends it along by itself, so a write and a socket have to come from our
 * own pages. Browsers name the origin of each of these.
 */
export function isOwnOrigin(c: Context<Edge>): boolean {
  const reads = c.req.method === "GET" || c.req.method === "HEAD";
  if (reads && c.req.header("upgrade") === undefined) return true;
  return c.req.header("origin") === new URL(c.req.url).origin;
}
