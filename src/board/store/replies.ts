/** Recorded answers, so that a request whose reply was lost is answered again instead of done again. */
import { columnsOf, insertOne, type ReplyRow, replyRow, valuesOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

export function findReply(sql: Sql, principal: string, scope: string, key: string): ReplyRow | null {
  const row = sql.first(
    `select ${columnsOf(replyRow)} from replies where principal = ? and scope = ? and idempotency_key = ?`,
    principal,
    scope,
    key,
  );
  return row === null ? null : replyRow.parse(row);
}

export function insertReply(sql: Sql, row: ReplyRow): void {
  sql.run(insertOne("replies", replyRow), ...valuesOf(replyRow, row));
}

export function deleteReply(sql: Sql, principal: string, scope: string, key: string): void {
  sql.run(
    "delete from replies where principal = ? and scope = ? and idempotency_key = ?",
    principal,
    scope,
    key,
  );
}

/** Forgets replies stored before the cutoff; how many. */
export function trimReplies(sql: Sql, cutoff: number, limit: number): number {
  return sql.all(
    `delete from replies where (principal, scope, idempotency_key) in (
       select principal, scope, idempotency_key from replies indexed by replies_by_age
       where created_at <= ? order by created_at limit ?
     ) returning created_at`,
    cutoff,
    limit,
  ).length;
}

export function oldestReplyAt(sql: Sql): number | null {
  const row = sql.first(
    "select created_at from replies indexed by replies_by_age order by created_at limit 1",
  );
  return row === null ? null : Number(row["created_at"]);
}
