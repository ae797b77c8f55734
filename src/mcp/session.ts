import type { BoardStub } from "../board/stub.ts";
import type { Reason } from "../contract/reasons.ts";
import type { Caller } from "../contract/roles.ts";

/** What one request of a client may reach: its board, as itself. Nothing outlives the request. */
export interface Session {
  env: Env;
  caller: Caller;
  board: BoardStub;
  requestId: string;
  /** For the line that is written of the request. */
  note: {
    tool: (name: string) => void;
    refused: (code: Reason) => void;
  };
}
