/** How the Worker reaches a board: by its id, one call a request. */
import type { DurableObject } from "cloudflare:workers";
import type { Board } from "./board.ts";

/** The methods the Worker calls; what `DurableObject` brings is not among them. */
type Operation = Exclude<keyof Board, keyof DurableObject | "alarm" | typeof Rpc.__DURABLE_OBJECT_BRAND>;

/**
 * The board as its callers see it. The platform's own stub type turns every answer with an `unknown` inside
 * into `never`; all our answers are plain data, so the methods' own types hold.
 */
export type BoardStub = {
  [Name in Operation]: (...args: Parameters<Board[Name]>) => Promise<Awaited<ReturnType<Board[Name]>>>;
};

/** The platform retries by itself what never arrived, and reads that got lost: within this time at most. */
const RETRY = { maxRetries: 3, timeoutMs: 1_500 };

export function boardStub(env: Env, boardId: string, locationHint?: DurableObjectLocationHint): BoardStub {
  const options = { retry: RETRY, ...(locationHint === undefined ? {} : { locationHint }) };
  return env.BOARDS.getByName(boardId, options) as unknown as BoardStub;
}
