/** The directory's tables. */
import * as z from "zod";
import type { Sql, SqlRow } from "../board/store/sql.ts";
import { IDEMPOTENCY_TTL_MS } from "../contract/limits.ts";

export const boardEntryRow = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(["creating", "active", "deleting"]),
  operation_id: z.string(),
  archived: z.union([z.literal(0), z.literal(1)]),
  location_hint: z.string().nullable(),
  created_at: z.int(),
  updated_at: z.int(),
});

export const creationRow = z.object({
  idempotency_key: z.string(),
  body_hash: z.string(),
  board_id: z.string(),
  operation_id: z.string(),
  created_at: z.int(),
});

export const directoryRow = z.object({
  id: z.string(),
  schema_fingerprint: z.string(),
  schema_before: z.string(),
});

export interface BoardEntry {
  id: string;
  name: string;
  state: "creating" | "active" | "deleting";
  operationId: string;
  archived: boolean;
  createdAt: number;
  updatedAt: number;
}

export interface Reservation {
  id: string;
  name: string;
  operationId: string;
  locationHint: string | null;
  /** A repeat under the same key gets the id and operation of the first. */
  key: { value: string; bodyHash: string } | null;
}

export type Reserved =
  | { outcome: "reserved"; id: string; operationId: string; replayed: boolean }
  | { outcome: "board_exists" }
  | { outcome: "idempotency_mismatch" };

const ENTRY = "id, name, state, operation_id, archived, location_hint, created_at, updated_at";

export function reserve(sql: Sql, input: Reservation, now: number): Reserved {
  sql.run("delete from creations where created_at <= ?", now - IDEMPOTENCY_TTL_MS);
  const earlier = input.key === null ? null : findCreation(sql, input.key.value);
  if (earlier !== null && input.key !== null) {
    if (earlier.body_hash !== input.key.bodyHash) return { outcome: "idempotency_mismatch" };
    const entry = find(sql, earlier.board_id);
    if (entry?.operationId === earlier.operation_id)
      return {
        outcome: "reserved",
        id: entry.id,
        operationId: entry.operationId,
        replayed: entry.state === "active",
      };
  }
  if (find(sql, input.id) !== null) return { outcome: "board_exists" };
  sql.run(
    `insert into boards (${ENTRY}) values (?, ?, 'creating', ?, 0, ?, ?, ?)`,
    input.id,
    input.name,
    input.operationId,
    input.locationHint,
    now,
    now,
  );
  if (input.key !== null)
    sql.run(
      `insert into creations (idempotency_key, body_hash, board_id, operation_id, created_at) values (?, ?, ?, ?, ?)
       on conflict (idempotency_key) do update set
         board_id = excluded.board_id, operation_id = excluded.operation_id, created_at = excluded.created_at`,
      input.key.value,
      input.key.bodyHash,
      input.id,
      input.operationId,
      now,
    );
  return { outcome: "reserved", id: input.id, operationId: input.operationId, replayed: false };
}

/**
 * The board stands: true where it did not before. Where its row was rolled back meanwhile it may have been deleted, too: the row comes back as
 * one left half done, which the next listing settles by asking the board.
 */
export function activate(
  sql: Sql,
  input: { id: string; operationId: string; name: string },
  now: number,
): boolean {
  const row = sql.first(
    `insert into boards (${ENTRY}) values (?1, ?2, 'creating', ?3, 0, null, ?4, 0)
     on conflict (id) do update set state = 'active', operation_id = excluded.operation_id, updated_at = ?4
     where state = 'creating' returning state`,
    input.id,
    input.name,
    input.operationId,
    now,
  );
  return row?.["state"] === "active";
}

/** A creation that was refused gives its key back too: it made nothing that could be answered again. */
export function forget(sql: Sql, id: string, operationId: string | null): void {
  if (operationId !== null) sql.run("delete from creations where operation_id = ?", operationId);
  sql.run("delete from boards where id = ?1 and (?2 is null or operation_id = ?2)", id, operationId);
}

/** What it was before; null: there is no such board. */
export function markDeleting(sql: Sql, id: string, now: number): BoardEntry["state"] | null {
  const entry = find(sql, id);
  if (entry !== null) sql.run("update boards set state = 'deleting', updated_at = ?2 where id = ?1", id, now);
  return entry?.state ?? null;
}

export function rename(sql: Sql, input: { id: string; name: string; archived: boolean }, now: number): void {
  sql.run(
    "update boards set name = ?2, archived = ?3, updated_at = ?4 where id = ?1",
    input.id,
    input.name,
    input.archived,
    now,
  );
}

export function list(sql: Sql, after: string, limit: number): BoardEntry[] {
  return sql
    .all(`select ${ENTRY} from boards where state = 'active' and id > ? order by id limit ?`, after, limit)
    .map(readEntry);
}

export function halfDone(sql: Sql, before: number): BoardEntry[] {
  return sql
    .all(
      `select ${ENTRY} from boards where state <> 'active' and updated_at <= ? order by id limit 100`,
      before,
    )
    .map(readEntry);
}

export function begin(sql: Sql, fingerprint: string, before: string): void {
  sql.run(
    "insert into directory (id, schema_fingerprint, schema_before) values ('directory', ?, ?)",
    fingerprint,
    before,
  );
}

function find(sql: Sql, id: string): BoardEntry | null {
  const row = sql.first(`select ${ENTRY} from boards where id = ?`, id);
  return row === null ? null : readEntry(row);
}

function findCreation(sql: Sql, key: string): z.infer<typeof creationRow> | null {
  const row = sql.first(
    `select idempotency_key, body_hash, board_id, operation_id, created_at from creations
     where idempotency_key = ?`,
    key,
  );
  return row === null ? null : creationRow.parse(row);
}

function readEntry(row: SqlRow): BoardEntry {
  const entry = boardEntryRow.parse(row);
  return {
    id: entry.id,
    name: entry.name,
    state: entry.state,
    operationId: entry.operation_id,
    archived: entry.archived === 1,
    createdAt: entry.created_at,
    updatedAt: entry.updated_at,
  };
}
