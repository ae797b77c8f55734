/** Who gets in: the board exists, the token was minted for this incarnation and still stands. */
import { TOKEN_TOUCH_MS } from "../contract/limits.ts";
import { type Refusal, refuse } from "../contract/result.ts";
import type { Caller } from "../contract/roles.ts";
import { type Board, readBoardRow, viewBoard } from "./store/board-row.ts";
import type { TokenRow } from "./store/rows.ts";
import type { Sql } from "./store/sql.ts";
import { findToken, saveLastUse } from "./store/tokens.ts";

export type Admission = { ok: true; board: Board; token: TokenRow | null; caller: Caller } | Refusal;

export function boardNotFound(): Refusal {
  return refuse("board_not_found", "There is no such board.");
}

/** The Worker looked at the end of the token when the call came; a call that waits may outlive it. */
export function admit(sql: Sql, caller: Caller, now: number): Admission {
  const row = readBoardRow(sql);
  if (row === null) return boardNotFound();
  if (caller.jti === null) return { ok: true, board: viewBoard(row), token: null, caller };
  const token = caller.inc === row.incarnation ? findToken(sql, caller.jti) : null;
  if (token === null || token.revoked_at !== null)
    return refuse("token_revoked", "This token was revoked.", { hint: "Ask a lead for a new one." });
  if (token.expires_at !== null && token.expires_at <= now)
    return refuse("token_expired", "This token has expired.", { hint: "Ask a lead for a new one." });
  return { ok: true, board: viewBoard(row), token, caller: withTraits(caller, token) };
}

/** What its token says of a caller by the way. The row has it too, and a browser's session no room for it. */
function withTraits(caller: Caller, { runtime, capabilities }: TokenRow): Caller {
  return { ...caller, runtime, capabilities: JSON.parse(capabilities) };
}

/** Remembers that a token is in use, at most every five minutes. Beats do not: their own row shows it. */
export function touchToken(sql: Sql, token: TokenRow | null, now: number): void {
  if (token !== null && (token.last_used_at ?? 0) + TOKEN_TOUCH_MS <= now) saveLastUse(sql, token.jti, now);
}
