/** The allow-list: a token works only while its row stands here, not revoked. No row holds a secret. */
import { columnsOf, insertOne, parseRows, type TokenRow, tokenRow, valuesOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

const COLUMNS = columnsOf(tokenRow);
const INSERT = insertOne("tokens", tokenRow);

export function insertToken(sql: Sql, row: TokenRow): void {
  sql.run(INSERT, ...valuesOf(tokenRow, row));
}

export function findToken(sql: Sql, jti: string): TokenRow | null {
  const row = sql.first(`select ${COLUMNS} from tokens where jti = ?`, jti);
  return row === null ? null : tokenRow.parse(row);
}

/** By their ids, which are ordered by time of minting. */
export function listTokens(sql: Sql, after: string, limit: number): TokenRow[] {
  return parseRows(
    tokenRow,
    sql.all(`select ${COLUMNS} from tokens where jti > ? order by jti limit ?`, after, limit),
  );
}

export function saveRevoked(sql: Sql, jti: string, now: number): void {
  sql.run("update tokens set revoked_at = ?2 where jti = ?1", jti, now);
}

export function saveLastUse(sql: Sql, jti: string, now: number): void {
  sql.run("update tokens set last_used_at = ?2 where jti = ?1", jti, now);
}
