/** MCP as its simplest clients speak it: one request of the protocol is one of HTTP. */
import manifest from "../../../package.json" with { type: "json" };
import { Failure } from "../failure.ts";
import type { AtServer } from "./check.ts";
import { ask } from "./wire.ts";

/** The last revision that greets. */
const REVISION = "2025-11-25";
const CLIENT = { name: "edgeboard-doctor", version: manifest.version };

export interface Speaker {
  token: string;
  /** A board's own path, for a token that is good for all. */
  path?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: results of every shape
type Json = any;

/** The server's name for itself, after the greeting that older clients begin with. */
export async function greet(at: AtServer, speaker: Speaker): Promise<string> {
  const given = { protocolVersion: REVISION, capabilities: {}, clientInfo: CLIENT };
  return (await say(at, speaker, "initialize", given)).serverInfo?.name ?? "";
}

export async function toolNames(at: AtServer, speaker: Speaker): Promise<string[]> {
  const { tools = [] } = await say(at, speaker, "tools/list", {});
  return tools.map(({ name }: { name: string }) => name);
}

/** The text of a tool's answer. */
export async function useTool(at: AtServer, speaker: Speaker, name: string, given: object): Promise<string> {
  const { content = [], isError } = await say(at, speaker, "tools/call", { name, arguments: given });
  const text: string = content[0]?.text ?? "";
  if (isError === true) throw new Failure(`The tool ${name} is refused: ${text}`);
  return text;
}

async function say(
  at: AtServer,
  { token, path = "/mcp" }: Speaker,
  method: string,
  params: object,
): Promise<Json> {
  const body = { jsonrpc: "2.0", id: 1, method, params };
  const heard = await ask(at, path, {
    method: "POST",
    token,
    body,
    headers: { accept: "application/json, text/event-stream" },
  });
  const result = heard.json?.result;
  if (heard.status === 200 && typeof result === "object" && result !== null) return result;
  const why = heard.json?.error?.message ?? heard.json?.detail ?? "which is not of the protocol";
  throw new Failure(`POST ${path} answers ${method} with ${heard.status}: ${why}`);
}
