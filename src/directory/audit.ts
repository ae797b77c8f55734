/** What was done with boards as a whole, and by whom: it outlives the boards. Never changed, never trimmed. */
import * as z from "zod";
import type { Sql } from "../board/store/sql.ts";

export const directoryAuditRow = z.object({
  number: z.int(),
  at: z.int(),
  actor_id: z.string(),
  kind: z.string(),
  board_id: z.string().nullable(),
});

export interface DirectoryEntry {
  id: number;
  at: number;
  actorId: string;
  kind: string;
  /** Null: it was about no one board. */
  board: string | null;
}

export type DirectoryUse = "board_created" | "board_deleted" | "sign_in_link";

export function insertEntry(
  sql: Sql,
  entry: { at: number; actorId: string; kind: DirectoryUse; board: string | null },
): void {
  sql.run(
    `insert into directory_audit (number, at, actor_id, kind, board_id)
     select coalesce(max(number), 0) + 1, ?, ?, ?, ? from directory_audit`,
    entry.at,
    entry.actorId,
    entry.kind,
    entry.board,
  );
}

/** Newest first, before a row's number. */
export function listEntries(sql: Sql, before: number, limit: number): DirectoryEntry[] {
  return sql
    .all(
      `select number, at, actor_id, kind, board_id from directory_audit
       where number < ? order by number desc limit ?`,
      before,
      limit,
    )
    .map((row) => {
      const { number, at, actor_id, kind, board_id } = directoryAuditRow.parse(row);
      return { id: number, at, actorId: actor_id, kind, board: board_id };
    });
}
