/** The ways to connect an agent: the clients of MCP as the contract has them, and our own command line. */
import { CONNECT_CLIENTS, type ConnectBlock, connectBlocks, TOKEN_VARIABLE } from "../../contract/connect.ts";

export const WAYS = [...CONNECT_CLIENTS, "edgeboard"] as const;
export type Way = (typeof WAYS)[number];

export const WAY_NAMES: Record<Way, string> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  cursor: "Cursor",
  vscode: "VS Code",
  curl: "curl",
  edgeboard: "Edgeboard CLI",
};

/** A token that is minted here knows its board, so no block has to name it. */
export function blocksOf(way: Way, origin: string): ConnectBlock[] {
  return way === "edgeboard" ? [commandLine(origin)] : connectBlocks(way, { origin });
}

function commandLine(origin: string): ConnectBlock {
  return {
    place: "command line",
    language: "sh",
    text: [
      `export EDGEBOARD_URL=${origin}`,
      "edgeboard ready                  # what can be worked on",
      "edgeboard claim                  # take the next of it",
      "edgeboard work -- ./agent.sh     # or run a command for one task after the other",
    ].join("\n"),
  };
}

/** VS Code asks for the token itself; everybody else finds it in the environment. */
export function readsVariable(way: Way): boolean {
  return way !== "vscode";
}

/** The one line in which the token itself stands. It has no character that a shell takes for something else. */
export function exportLine(token: string): string {
  return `export ${TOKEN_VARIABLE}=${token}`;
}
