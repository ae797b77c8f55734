/** How a client of MCP is told of a board: its own configuration, word for word. */
export const CONNECT_CLIENTS = ["claude-code", "codex", "cursor", "vscode", "curl"] as const;
export type ConnectClient = (typeof CONNECT_CLIENTS)[number];

export interface ConnectBlock {
  /** Where it goes: a file, or the command line. */
  place: string;
  language: "sh" | "json" | "toml";
  text: string;
}

export interface ConnectTo {
  /** Scheme and host of the deployment, without a slash at the end. */
  origin: string;
  /** Needed where the token is the operator's; any other token knows its board. */
  board?: string;
}

/** The token stays out of every file: they name this variable, or ask. */
export const TOKEN_VARIABLE = "EDGEBOARD_TOKEN";

/** One way or several for the same client; the first is the one to try. */
export function connectBlocks(client: ConnectClient, to: ConnectTo): ConnectBlock[] {
  const url = endpointOf(to);
  switch (client) {
    case "claude-code":
      return [
        shell(
          `claude mcp add --transport http edgeboard ${url} --header "Authorization: Bearer $${TOKEN_VARIABLE}"`,
        ),
        json(".mcp.json", {
          mcpServers: { edgeboard: { type: "http", url, headers: bearer(TOKEN_VARIABLE) } },
        }),
      ];
    case "codex":
      return [
        {
          place: "~/.codex/config.toml",
          language: "toml",
          text: `[mcp_servers.edgeboard]\nurl = "${url}"\nbearer_token_env_var = "${TOKEN_VARIABLE}"`,
        },
      ];
    case "cursor":
      return [
        json(".cursor/mcp.json", {
          mcpServers: { edgeboard: { url, headers: bearer("env", TOKEN_VARIABLE) } },
        }),
      ];
    case "vscode":
      return [
        json(".vscode/mcp.json", {
          inputs: [
            { type: "promptString", id: "edgeboard-token", description: "Edgeboard token", password: true },
          ],
          servers: { edgeboard: { type: "http", url, headers: bearer("input", "edgeboard-token") } },
        }),
      ];
    case "curl":
      return [
        shell(
          `curl -sS --fail-with-body ${url} \\\n  -H "Authorization: Bearer $${TOKEN_VARIABLE}" \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(LIST_READY)}'`,
        ),
      ];
  }
}

export function endpointOf({ origin, board }: ConnectTo): string {
  return board === undefined ? `${origin}/mcp` : `${origin}/boards/${board}/mcp`;
}

/** A first question that changes nothing. */
const LIST_READY = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "list_tasks", arguments: { ready: true } },
};

/** A place that the client fills in: a variable, or an answer to a question of its own. */
const bearer = (...path: string[]) => ({ Authorization: `Bearer $\{${path.join(":")}}` });

const shell = (text: string): ConnectBlock => ({ place: "command line", language: "sh", text });

const json = (place: string, value: object): ConnectBlock => ({
  place,
  language: "json",
  text: JSON.stringify(value, null, 2),
});
