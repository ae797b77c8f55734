/**
 * The door to MCP: who calls, from where, how much. The protocol itself and its tools are loaded when somebody is
 * let in, so that whoever speaks REST does not wait for them.
 */
import type { Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { boardStub } from "../board/stub.ts";
import { BODY_MAX_BYTES } from "../contract/limits.ts";
import { refuse } from "../contract/result.ts";
import { authenticate } from "./authenticate.ts";
import type { Edge } from "./edge.ts";
import { problem } from "./problem.ts";
import { limitByAddress, limitByToken } from "./rate-limit.ts";
import { isPlain } from "./session.ts";

export function mountMcp(app: Hono<Edge>): void {
  for (const path of ["/mcp", "/boards/:board/mcp"])
    app.all(
      path,
      limitByAddress,
      authenticate({ role: "viewer" }),
      limitByToken,
      ownOrigin,
      postOnly,
      bodyLimit({ maxSize: BODY_MAX_BYTES, onError: tooLarge }),
      serve,
    );
}

/**
 * Clients that are no browsers name no origin; a page of somebody else's is not for our boards. Without TLS a name
 * proves nothing, as whoever owns it may point it at this machine: there, only the machine's own names count.
 */
const ownOrigin = createMiddleware<Edge>(async (c, next) => {
  const origin = c.req.header("origin");
  const own = new URL(c.req.url);
  const trusted = own.protocol === "https:" || isPlain(c.req.url);
  if (origin === undefined || (trusted && origin === own.origin)) return next();
  return problem(c, refuse("forbidden", "This endpoint is not for pages of other origins."));
});

/** There is no stream to open and no session to end. */
const postOnly = createMiddleware<Edge>(async (c, next) => {
  if (c.req.method === "POST") return next();
  c.header("allow", "POST");
  return problem(c, refuse("method_not_allowed", "This path answers POST."));
});

function tooLarge(c: Context): Response {
  const limit = BODY_MAX_BYTES;
  return problem(c, refuse("body_too_large", `The body may have at most ${limit} bytes.`, { limit }));
}

async function serve(c: Context<Edge>): Promise<Response> {
  const boardId = c.req.param("board") ?? c.get("tokenBoard");
  if (boardId === null)
    return problem(
      c,
      refuse("invalid_request", "The operator's token is for no one board.", {
        hint: "Use /boards/<board>/mcp, or a token of the board.",
      }),
    );
  const { answerMcp } = await import("../mcp/endpoint.ts");
  const response = await answerMcp(c.req.raw, {
    env: c.env,
    caller: c.get("caller"),
    board: boardStub(c.env, boardId, c.get("meter")),
    note: { tool: (name) => c.set("tool", name), refused: (code) => c.set("refused", code) },
    requestId: c.get("requestId"),
  });
  const headers = new Headers(response.headers);
  headers.set("cache-control", "no-store");
  return new Response(response.body, { status: response.status, headers });
}
