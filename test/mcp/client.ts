/** A client of MCP as small as one can be: raw requests, in either era of the protocol. */
import { exports } from "cloudflare:workers";
import { expect } from "vitest";
import type { TestBoard } from "../support/api.ts";

export const MODERN = "2026-07-28";
export const LEGACY = "2025-11-25";

export interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any;
  text: string;
  headers: Headers;
}

const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
};

/** A request as it is given, to whichever path, or whole address. */
export async function post(
  token: string | null,
  body: unknown,
  headers: Record<string, string> = {},
  path = "/mcp",
  method = "POST",
): Promise<Answered> {
  const response = await exports.default.fetch(new URL(path, "https://edgeboard.test"), {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    ...(method === "GET" || method === "HEAD"
      ? {}
      : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {}
  return { status: response.status, json, text, headers: response.headers };
}

export interface Message {
  body: { jsonrpc: string; id: number; method: string; params: Record<string, unknown> };
  headers: Record<string, string>;
}
export type Era = (method: string, params?: Record<string, unknown>) => Message;

/** A request of the present revision: its headers say what its body says. */
export const modern: Era = (method, params = {}) => {
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } };
  const headers: Record<string, string> = { "mcp-protocol-version": MODERN, "mcp-method": method };
  if (typeof params["name"] === "string") headers["mcp-name"] = params["name"];
  return { body, headers };
};

export const legacy: Era = (method, params = {}) => ({
  body: { jsonrpc: "2.0", id: 1, method, params },
  headers: { "mcp-protocol-version": LEGACY },
});

export function ask(token: string, method: string, params = {}, era = modern): Promise<Answered> {
  const { body, headers } = era(method, params);
  return post(token, body, headers);
}

/** A call of a tool that has to be answered: its result, and how many bytes came. */
export async function callTool(
  token: string,
  name: string,
  args: object = {},
  era = modern,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
): Promise<{ result: any; bytes: number }> {
  const answered = await ask(token, "tools/call", { name, arguments: args }, era);
  expect(answered.status, answered.text.slice(0, 500)).toBe(200);
  expect(answered.json.error, answered.text.slice(0, 500)).toBeUndefined();
  return { result: answered.json.result, bytes: new TextEncoder().encode(answered.text).length };
}

/** What a tool says when it does what it was asked: the same in both forms. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
export async function does(token: string, name: string, args: object = {}, era = modern): Promise<any> {
  const { result } = await callTool(token, name, args, era);
  expect(result.isError, JSON.stringify(result).slice(0, 800)).not.toBe(true);
  expect(result.content).toHaveLength(1);
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
  return result.structuredContent;
}

/** What it says when it refuses: a text that begins with the code. */
export async function refuses(token: string, name: string, args: object, code: string): Promise<string> {
  const { result } = await callTool(token, name, args);
  expect(result.isError, JSON.stringify(result).slice(0, 800)).toBe(true);
  expect(result.structuredContent).toBeUndefined();
  const { text } = result.content[0];
  expect(text.split(":")[0]).toBe(code);
  return text;
}

/** The endpoint that names its board. */
export const pathOf = (board: TestBoard): string => `/boards/${board.id}/mcp`;
