/** Whom does the server take us for, and for how long? */
import type { Me } from "../../../contract/answers.ts";
import { DAY_MS } from "../../../contract/limits.ts";
import { until } from "../../words.ts";
import { failed, good, type Verdict, warning } from "../verdict.ts";

/** `board`: the one that was asked for. */
export function judgeMe(me: Me, board: string | undefined, now: number): Verdict {
  if (me.board === null) return good("The operator's token: it leads every board, and has no end.");
  const words = `${me.agentId}, ${me.role} on ${me.board}`;
  if (board !== undefined && board !== me.board)
    return failed(`This is ${words}: the token is no good on ${board}.`, "Name no board, or use its token.");
  if (me.expiresAt === null) return good(`${words}; the token has no end.`);
  const ends = `${words}; the token ends ${until(me.expiresAt, now)}.`;
  return me.expiresAt - now < DAY_MS ? warning(ends, "Ask a lead for a new one in time.") : good(ends);
}
