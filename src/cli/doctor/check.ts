/** A check as a value, and what the checks of each kind have at hand. */
import type { Board } from "../../client/board.ts";
import type { Me } from "../../contract/answers.ts";
import type { Verdict } from "./verdict.ts";

export interface Check<At> {
  /** As it is told, and as `--only` takes it. */
  name: string;
  /** What it throws is told as what went wrong, like that of any command. */
  run: (at: At) => Promise<Verdict>;
}

/** A server, and nobody in particular who asks it. */
export interface AtServer {
  url: string;
  /** Aborted when the check's time is over, or whoever waits for it has had enough. */
  signal: AbortSignal;
}

/** The board of a token, which is somebody's: nothing is written there. */
export interface AtBoard extends AtServer {
  token: string;
  me: Me;
  id: string;
  board: Board;
}

/** A board of our own: its lead, and two who work on it. */
export interface AtScratch extends AtServer {
  id: string;
  tokens: Hands<string>;
  lead: Board;
  ann: Board;
  ben: Board;
  /** Where a webhook is to go, if not to this machine. */
  webhook: string | undefined;
}

export type Hands<T> = Record<"lead" | "ann" | "ben", T>;
