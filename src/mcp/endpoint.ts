/**
 * One message, one answer, in either era of the protocol. Every request gets a server of its own: there is no
 * session, so a deployment or another isolate in between is not noticed.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { makeServer } from "./server.ts";
import type { Session } from "./session.ts";

export async function answerMcp(request: Request, session: Session): Promise<Response> {
  const message = readMessage(await request.text());
  if (message === undefined) return error(-32700, "Parse error: the body is not JSON");
  if (Array.isArray(message)) return error(-32600, "Invalid request: send one message at a time");
  const accepting = new Request(request.url, {
    method: request.method,
    headers: withAccept(request.headers),
    signal: request.signal,
  });
  return (await isLegacyRequest(accepting, message))
    ? answerLegacy(accepting, message, session)
    : answerModern(accepting, message, session);
}

/** Since 2026-07-28: each request says by itself what a session used to know. */
function answerModern(request: Request, message: unknown, session: Session): Promise<Response> {
  // No subscriptions: nothing here changes that a client could be told of.
  const options = { legacy: "reject", maxSubscriptions: 0 } as const;
  return createMcpHandler(() => makeServer(session), options).fetch(request, { parsedBody: message });
}

/** The revisions of 2025, without the session they allow for. */
async function answerLegacy(request: Request, message: unknown, session: Session): Promise<Response> {
  const server = makeServer(session);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** The protocol wants clients to accept streams, too; those that do not get what they can read anyway. */
function withAccept(given: Headers): Headers {
  const headers = new Headers(given);
  headers.set("accept", "application/json, text/event-stream");
  return headers;
}

function readMessage(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function error(code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status: 400 });
}
