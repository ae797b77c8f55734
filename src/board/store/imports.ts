/** Imports that arrive in parts: what was begun, and the texts that came so far. */
import * as z from "zod";
import {
  columnsOf,
  type ImportRow,
  importChunkRow,
  importRow,
  insertOne,
  parseRows,
  valuesOf,
} from "./rows.ts";
import type { Sql } from "./sql.ts";

const COLUMNS = columnsOf(importRow);
const INSERT = insertOne("imports", importRow);
const INSERT_CHUNK = insertOne("import_chunks", importChunkRow);

export function insertImport(sql: Sql, row: ImportRow): void {
  sql.run(INSERT, ...valuesOf(importRow, row));
}

export function findImport(sql: Sql, id: string): ImportRow | null {
  const row = sql.first(`select ${COLUMNS} from imports where id = ?`, id);
  return row === null ? null : importRow.parse(row);
}

/** How many are under way: begun since, and not committed. */
export function countOpenImports(sql: Sql, since: number, limit: number): number {
  return sql.number(
    `select count(*) from (
       select 1 from imports indexed by imports_by_age where created_at > ? and report is null limit ?
     )`,
    since,
    limit,
  );
}

/** In place of what part `part` was before. */
export function savePart(sql: Sql, importId: string, part: number, chunks: readonly string[]): void {
  sql.run("delete from import_chunks where import_id = ? and part = ?", importId, part);
  for (const [index, body] of chunks.entries())
    sql.run(INSERT_CHUNK, ...valuesOf(importChunkRow, { import_id: importId, part, chunk: index, body }));
}

const partSize = z.object({ part: z.int(), bytes: z.int() });

/** The parts there are, in order, with their sizes; the texts are not read. */
export function partSizes(sql: Sql, importId: string, limit: number): z.infer<typeof partSize>[] {
  return parseRows(
    partSize,
    sql.all(
      `select part, sum(octet_length(body)) as bytes from import_chunks
       where import_id = ? group by part order by part limit ?`,
      importId,
      limit,
    ),
  );
}

/** The texts of all parts in their order, one at a time: together they may be larger than memory. */
export function* textsOf(sql: Sql, importId: string): Generator<string> {
  let at: { part: number; chunk: number } | null = { part: 0, chunk: 0 };
  while (at !== null) {
    const row = sql.first(
      `select part, chunk, body from import_chunks
       where import_id = ?1 and (part, chunk) >= (?2, ?3) order by part, chunk limit 1`,
      importId,
      at.part,
      at.chunk,
    );
    if (row === null) return;
    yield String(row["body"]);
    at = { part: Number(row["part"]), chunk: Number(row["chunk"]) + 1 };
  }
}

/** Committed: the report stays, so that a repeat is answered the same; the texts go. */
export function saveReport(sql: Sql, importId: string, report: string): void {
  sql.run("delete from import_chunks where import_id = ?", importId);
  sql.run("update imports set report = ? where id = ?", report, importId);
}

export function deleteImport(sql: Sql, id: string): void {
  sql.run("delete from import_chunks where import_id = ?", id);
  sql.run("delete from imports where id = ?", id);
}

/** Forgets imports begun before the cutoff; how many. */
export function trimImports(sql: Sql, cutoff: number, limit: number): number {
  const old = sql.all(
    "select id from imports indexed by imports_by_age where created_at <= ? order by created_at limit ?",
    cutoff,
    limit,
  );
  for (const { id } of old) deleteImport(sql, String(id));
  return old.length;
}

export function oldestImportAt(sql: Sql): number | null {
  const row = sql.first(
    "select created_at from imports indexed by imports_by_age order by created_at limit 1",
  );
  return row === null ? null : Number(row["created_at"]);
}
