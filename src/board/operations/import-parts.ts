/**
 * An import that is larger than one body: begun, sent in parts, and committed, until which nobody sees any of it.
 * The parts are one text in the order of their numbers, wherever it was cut.
 */
import * as limits from "../../contract/limits.ts";
import type { ImportFormat } from "../../contract/requests/imports.ts";
import { accept, type Refusal, type Result, refuse } from "../../contract/result.ts";
import { readBeads } from "../../import-export/beads.ts";
import { sourceFaults } from "../../import-export/imported.ts";
import { type Source, textOf } from "../../import-export/source.ts";
import { readTaskMaster } from "../../import-export/taskmaster.ts";
import type { Context } from "../context.ts";
import {
  countOpenImports,
  deleteImport,
  findImport,
  insertImport,
  partSizes,
  savePart,
  saveReport,
  textsOf,
} from "../store/imports.ts";
import type { ImportRow } from "../store/rows.ts";
import { type ImportedBoard, importBoard } from "./import-board.ts";
import { type ImportReport, importTasks } from "./import-tasks.ts";

export interface BegunImport {
  id: string;
  format: ImportFormat;
  reset: boolean;
  expiresAt: number;
}

export function beginImport(
  ctx: Context,
  input: { format: ImportFormat; reset: boolean },
): Result<BegunImport> {
  const max = limits.IMPORTS_OPEN_MAX;
  if (countOpenImports(ctx.sql, ctx.now - limits.IMPORT_TTL_MS, max) >= max)
    return refuse("board_busy", `At most ${max} imports may be under way.`, {
      hint: "Commit or delete one of them.",
    });
  const id = ctx.newId();
  insertImport(ctx.sql, {
    id,
    format: input.format,
    reset: input.reset ? 1 : 0,
    report: null,
    created_by: ctx.caller.sub,
    created_at: ctx.now,
    tenant_id: null,
  });
  const expiresAt = ctx.now + limits.IMPORT_TTL_MS;
  ctx.due(expiresAt);
  return accept({ id, ...input, expiresAt });
}

export interface PutPart {
  id: string;
  n: number;
  text: string;
}

export interface PartReport {
  n: number;
  bytes: number;
  /** How many have arrived. */
  parts: number;
  totalBytes: number;
}

export function putImportPart(ctx: Context, { id, n, text }: PutPart): Result<PartReport> {
  const found = requireImport(ctx, id);
  if (!found.ok) return found;
  if (found.row.report !== null) return refuse("already_closed", "This import was committed.");
  savePart(ctx.sql, id, n, [...chunksOf(text)]);
  const sizes = partSizes(ctx.sql, id, limits.IMPORT_PARTS_MAX);
  const totalBytes = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const limit = sizeLimit(found.row.format);
  if (totalBytes > limit)
    return refuse("body_too_large", `All parts together may have at most ${limit} bytes.`, { limit });
  const bytes = sizes.find(({ part }) => part === n)?.bytes ?? 0;
  return accept({ n, bytes, parts: sizes.length, totalBytes });
}

export interface CommitImport {
  id: string;
  dryRun: boolean;
}

/** The report is kept with the import, so that a commit whose answer was lost can be sent again. */
export function commitImport(ctx: Context, { id, dryRun }: CommitImport): Result<ImportedBoard> {
  const found = requireImport(ctx, id);
  if (!found.ok) return found;
  const { row } = found;
  if (row.report !== null) return accept({ report: JSON.parse(row.report), renamed: null });
  const missing = missingPart(ctx, id);
  if (missing !== null) return missing;
  // Read anew each time it is gone through: as a whole it may not fit into memory.
  const source: Source = { [Symbol.iterator]: () => textsOf(ctx.sql, id) };
  const imported = bringIn(ctx, row, source, dryRun);
  if (imported.ok) saveReport(ctx.sql, id, keptReport(imported.value.report));
  return imported;
}

/** As text that fits into a row: of very many skipped things, the first ones. */
function keptReport(report: ImportReport): string {
  const whole = JSON.stringify(report);
  if (whole.length <= limits.IMPORT_LINE_MAX_CHARS) return whole;
  return JSON.stringify({ ...report, skipped: report.skipped.slice(0, limits.IMPORT_ISSUES_MAX) });
}

export function dropImport(ctx: Context, id: string): Result<null> {
  const found = requireImport(ctx, id);
  if (!found.ok) return found;
  deleteImport(ctx.sql, id);
  return accept(null);
}

function bringIn(ctx: Context, row: ImportRow, source: Source, dryRun: boolean): Result<ImportedBoard> {
  const reset = row.reset === 1;
  if (row.format === "edgeboard") return importBoard(ctx, { source, reset, dryRun });
  const read =
    row.format === "beads" ? readBeads(source, { reset }) : readTaskMaster(textOf(source), { reset });
  const faults = sourceFaults(read);
  if (faults !== null) return faults;
  const { tasks, skipped } = read;
  const imported = importTasks(ctx, { source: row.format, tasks, skipped, dryRun });
  return imported.ok ? accept({ report: imported.value, renamed: null }) : imported;
}

type Found = { ok: true; row: ImportRow } | Refusal;

/** One that is due to be forgotten is gone, whether the alarm was here or not. */
function requireImport(ctx: Context, id: string): Found {
  const row = findImport(ctx.sql, id);
  if (row !== null && row.created_at + limits.IMPORT_TTL_MS > ctx.now) return { ok: true, row };
  return refuse("import_not_found", "There is no such import on this board.", {
    hint: "It may have been deleted, or forgotten after a day. Begin another.",
  });
}

function sizeLimit(format: ImportFormat): number {
  return format === "edgeboard" ? limits.IMPORT_TOTAL_MAX_BYTES : limits.IMPORT_WHOLE_MAX_BYTES;
}

function missingPart(ctx: Context, id: string): Refusal | null {
  const sizes = partSizes(ctx.sql, id, limits.IMPORT_PARTS_MAX);
  const numbers = new Set(sizes.map(({ part }) => part));
  const last = sizes.at(-1)?.part ?? 1;
  const issues = Array.from({ length: last }, (_, index) => index + 1)
    .filter((n) => !numbers.has(n))
    .map((n) => ({ path: `parts.${n}`, message: "has not arrived" }));
  return issues.length === 0
    ? null
    : refuse("import_invalid", "Parts are missing.", { issues: issues.slice(0, limits.IMPORT_ISSUES_MAX) });
}

/** Texts that one row can hold; no character is cut in two. An empty part is still a part. */
function* chunksOf(text: string): Generator<string> {
  if (text === "") yield "";
  for (let start = 0; start < text.length; ) {
    const end = start + limits.SQL_JSON_MAX_CHARS;
    const cut = end < text.length && isHighSurrogate(text, end - 1) ? end - 1 : end;
    yield text.slice(start, cut);
    start = cut;
  }
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff;
}
