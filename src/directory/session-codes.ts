/** Codes of sign-in links: kept as digests, good once and for a minute. */
import * as z from "zod";
import type { Sql } from "../board/store/sql.ts";

export const sessionCodeRow = z.object({
  code_hash: z.string(),
  identity: z.string(),
  expires_at: z.int(),
});

export interface SessionCode {
  /** The digest of the code; the code itself is told once and kept nowhere. */
  codeHash: string;
  /** Whom it signs in, as JSON; it holds no secret. */
  identity: string;
  expiresAt: number;
}

export function saveCode(sql: Sql, code: SessionCode, now: number): void {
  sql.run("delete from session_codes where expires_at <= ?", now);
  sql.run(
    "insert into session_codes (code_hash, identity, expires_at) values (?, ?, ?)",
    code.codeHash,
    code.identity,
    code.expiresAt,
  );
}

/** Whom the code signs in. It is gone with this; null: it is not good, or not any more. */
export function takeCode(sql: Sql, codeHash: string, now: number): string | null {
  const row = sql.first(
    "delete from session_codes where code_hash = ? returning identity, expires_at",
    codeHash,
  );
  return row === null || Number(row["expires_at"]) <= now ? null : String(row["identity"]);
}
