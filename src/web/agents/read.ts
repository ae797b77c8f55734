/** Reads lists that come in pages whole, as far as a page of ours can show them. */
import type { Board } from "../../client/board.ts";
import type { Answer } from "../../client/calls.ts";
import { LIST_MAX } from "../../contract/limits.ts";

export type TokenInfo = Answer<"listTokens">["tokens"][number];
export type Agent = Answer<"listAgents">["agents"][number];

const PAGES_MAX = 10;

export async function readTokens(board: Board, signal?: AbortSignal): Promise<TokenInfo[]> {
  const tokens: TokenInfo[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await board.listTokens({ limit: LIST_MAX, ...at(cursor) }, { signal });
    tokens.push(...answer.tokens);
    if (answer.nextCursor === null) break;
    cursor = answer.nextCursor;
  }
  return tokens;
}

export async function readAgents(board: Board, days: number, signal?: AbortSignal): Promise<Agent[]> {
  const agents: Agent[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await board.agents({ limit: LIST_MAX, days, ...at(cursor) }, { signal });
    agents.push(...answer.agents);
    if (answer.nextCursor === null) break;
    cursor = answer.nextCursor;
  }
  return agents;
}

function at(cursor: string | undefined) {
  return cursor === undefined ? {} : { cursor };
}
