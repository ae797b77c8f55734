/**
 * Which schemas a database has been brought up from, by addition alone. A release that finds its own among them may
 * use what a later one has left: it names every column it reads and writes, so it does not mind those it never heard
 * of. That is what happens while a release rolls out, and after it is rolled back.
 */
import * as z from "zod";
import type { Sql } from "./sql.ts";

/** Releases whose schema today's has grown out of, for databases that are made by today's. */
const EARLIER: Record<Kept, readonly string[]> = { board: [], directory: [] };

/** Fingerprints kept; one is added by each release that changes the schema. */
const KEPT_MAX = 50;

/** Tables of one row that remember the schema. */
type Kept = "board" | "directory";

const FINGERPRINT = {
  board: "select schema_fingerprint from board limit 1",
  directory: "select schema_fingerprint from directory limit 1",
};
const BEFORE = {
  board: "select schema_before from board limit 1",
  directory: "select schema_before from directory limit 1",
};
const SAVE = {
  board: "update board set schema_fingerprint = ?, schema_before = ?",
  directory: "update directory set schema_fingerprint = ?, schema_before = ?",
};

/**
 * Whether the database has to be brought up to our schema. Where a later release has been here it is taken as it
 * stands, under our fingerprint: so the later one, when it comes back, fills anew what we did not keep for it.
 */
export function isBehind(sql: Sql, table: Kept, ours: string): boolean {
  if (sql.first(FINGERPRINT[table])?.["schema_fingerprint"] === ours) return false;
  const before = readBefore(sql, table);
  if (!before.includes(ours)) return true;
  sql.run(SAVE[table], ours, JSON.stringify(before));
  return false;
}

/** For a new database: the schemas that a release before ours would know it by. */
export function newLineage(table: Kept): string {
  return JSON.stringify(EARLIER[table]);
}

/** The database has been brought up to this schema; what it was before is remembered. */
export function saveLineage(sql: Sql, table: Kept, ours: string): void {
  const was = sql.first(FINGERPRINT[table])?.["schema_fingerprint"];
  const before = new Set([...readBefore(sql, table), ...(typeof was === "string" ? [was] : [])]);
  sql.run(SAVE[table], ours, JSON.stringify([...before].slice(-KEPT_MAX)));
}

/** A database that never heard of it has no such column. */
function readBefore(sql: Sql, table: Kept): string[] {
  const column = "select name from pragma_table_xinfo(?) where name = 'schema_before'";
  if (sql.first(column, table) === null) return [];
  return z.array(z.string()).parse(JSON.parse(String(sql.first(BEFORE[table])?.["schema_before"] ?? "[]")));
}
