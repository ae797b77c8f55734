/** How the Worker reaches a board: by its id, one call a request. */
import type { DurableObject } from "cloudflare:workers";
import { jurisdictionOf } from "../rules/jurisdiction.ts";
import type { Board } from "./board.ts";
import type { Meter } from "./meter.ts";
import type { OpenLive } from "./operations/open-live.ts";
import type { Call, Reply } from "./replay.ts";

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

/** With a meter, what its answers cost is added up there. */
export function boardStub(
  env: Env,
  boardId: string,
  meter?: Meter,
  locationHint?: DurableObjectLocationHint,
): BoardStub {
  const options = { retry: RETRY, ...(locationHint === undefined ? {} : { locationHint }) };
  const stub = boardsBeside(env, boardId).getByName(boardId, options) as unknown as BoardStub;
  return meter === undefined ? stub : meter.watch(stub);
}

/** No board can be where this id says: the runtime has no jurisdictions, as on one's own machine. */
export class NoJurisdictions extends Error {
  override readonly name = "NoJurisdictions";
}

/** The boards of the same jurisdiction: elsewhere, the same id is another board. */
function boardsBeside(env: Env, boardId: string): Pick<Env["BOARDS"], "getByName"> {
  const jurisdiction = jurisdictionOf(boardId);
  if (jurisdiction === null) return env.BOARDS;
  try {
    return env.BOARDS.jurisdiction(jurisdiction);
  } catch (cause) {
    throw new NoJurisdictions("this runtime has no jurisdictions", { cause });
  }
}

/** Whether a board of this id can be made here. */
export function canHold(env: Env, boardId: string): boolean {
  try {
    boardsBeside(env, boardId);
    return true;
  } catch (error) {
    if (error instanceof NoJurisdictions) return false;
    throw error;
  }
}

/** What goes along with a request for a socket, in a header of this name. */
export interface SocketRequest {
  call: Call;
  input: OpenLive;
}
export const SENT_ALONG = "edgeboard-call";
/** And what comes back beside the socket. */
export const COST = "edgeboard-cost";

/** The client's end of a socket that follows the board. */
export async function openSocket(
  env: Env,
  boardId: string,
  request: SocketRequest,
  meter: Meter,
): Promise<Reply<WebSocket>> {
  return meter.count(async () => {
    const response = await boardsBeside(env, boardId)
      .getByName(boardId)
      .fetch("https://board/live", {
        headers: { upgrade: "websocket", [SENT_ALONG]: encodeURIComponent(JSON.stringify(request)) },
      });
    if (response.webSocket === null) return response.json<Reply<WebSocket>>();
    const cost = JSON.parse(response.headers.get(COST) ?? "null");
    return { ok: true, value: response.webSocket, ...(cost === null ? {} : { cost }) };
  });
}
