/**
 * Tokens that have ended, whose rows go after a while. A token without a row is refused like a revoked one, so
 * nothing becomes good again; the ledger and the audit go on naming its id.
 */
import type { Sql } from "./sql.ts";

/** When it was good for the last time. The index has just this expression. */
const ENDS = "min(coalesce(revoked_at, expires_at), coalesce(expires_at, revoked_at))";
/** Without the first token: whoever repeats the board's creation is answered with it. */
const ENDING = `tokens indexed by tokens_by_end
  where (revoked_at is not null or expires_at is not null)
    and jti > (select first.jti from tokens as first order by first.jti limit 1)`;

export const OLD_TOKENS = `select jti from ${ENDING} and ${ENDS} <= ?1 order by ${ENDS} limit ?2`;

/** Forgets tokens that ended before the cutoff; how many. */
export function trimTokens(sql: Sql, cutoff: number, limit: number): number {
  return sql.all(`delete from tokens where jti in (${OLD_TOKENS}) returning jti`, cutoff, limit).length;
}

export function oldestTokenEndAt(sql: Sql): number | null {
  const row = sql.first(`select ${ENDS} as ends from ${ENDING} order by ${ENDS} limit 1`);
  return row === null ? null : Number(row["ends"]);
}
