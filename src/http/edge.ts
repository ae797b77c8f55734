import type { Meter } from "../board/meter.ts";
import type { Reason } from "../contract/reasons.ts";
import type { Caller } from "../contract/roles.ts";

/** What a request carries through the Worker. */
export interface Edge {
  Bindings: Env;
  Variables: {
    requestId: string;
    caller: Caller;
    /** The board the token was minted for; null for the operator. */
    tokenBoard: string | null;
    /** When the token, or the browser's session, ends; null: it does not. */
    expiresAt: number | null;
    /** What boards did for it. */
    meter: Meter;
    /** Which tool of MCP was called. */
    tool: string;
    /** Why it was refused; absent: it was not. */
    refused?: Reason;
  };
}
