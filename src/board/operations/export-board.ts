/**
 * Everything of a board as lines: a header, then tables in an order in which a line speaks of earlier ones (but
 * for a parent that is younger than its child), then an end that counts them.
 */
import { accept, type Result, refuse } from "../../contract/result.ts";
import { FORMAT_VERSION, type Line, type LineOf } from "../../import-export/edgeboard-lines.ts";
import type { Context } from "../context.ts";
import { lastSeq } from "../store/events.ts";
import * as pages from "../store/export-pages.ts";
import type { Sql } from "../store/sql.ts";
import * as lines from "./export-lines.ts";

type Counts = Omit<LineOf<"end">, "type">;

/** How far an export has come, and what the board has to look like still. */
export interface ExportPlace {
  seq: number;
  section: number;
  /** The last row that was written of it. */
  last: unknown;
  counts: Counts;
}

export interface ReadExport {
  /** Null: from the beginning. */
  from: ExportPlace | null;
  maxBytes: number;
}

export interface ExportChunk {
  /** UTF-8, whole lines. */
  bytes: Uint8Array[];
  /** Null at the end. */
  next: ExportPlace | null;
  paused: boolean;
}

interface Section {
  name: keyof Counts;
  page: (sql: Sql, last: unknown) => unknown[];
  line: (row: never) => Line;
}

function section<Row>(
  name: keyof Counts,
  page: (sql: Sql, last: Row | null) => Row[],
  line: (row: Row) => Line,
): Section {
  return { name, page: page as Section["page"], line: line as Section["line"] };
}

const SECTIONS = [
  section("tasks", pages.tasksAfter, lines.taskLine),
  section("dependencies", pages.edgesAfter, lines.dependencyLine),
  section("comments", pages.commentsAfter, lines.commentLine),
  section("executions", pages.runsAfter, lines.executionLine),
  section("workspaces", pages.workspacesAfter, lines.workspaceLine),
];

const utf8 = new TextEncoder();
const encode = (written: readonly Line[]) =>
  utf8.encode(written.map((line) => `${JSON.stringify(line)}\n`).join(""));

/** One consistent piece, at least `maxBytes` long unless the end comes first. Goes on only on the same board. */
export function readExport(ctx: Context, input: ReadExport): Result<ExportChunk> {
  const seq = lastSeq(ctx.sql);
  const { paused } = ctx.board;
  if (input.from !== null && input.from.seq !== seq)
    return refuse("board_busy", "The board changed while it was exported.");
  const { counts, ...place } = input.from ?? { seq, section: 0, last: null, counts: NOTHING };
  const written = { ...counts };
  const bytes: Uint8Array[] = input.from === null ? [encode([headerOf(ctx, seq)])] : [];
  let size = bytes.reduce((sum, piece) => sum + piece.length, 0);
  let { section: at, last } = place;
  for (let part = SECTIONS[at]; part !== undefined; part = SECTIONS[at]) {
    if (size >= input.maxBytes)
      return accept({ bytes, next: { seq, section: at, last, counts: written }, paused });
    const rows = part.page(ctx.sql, last);
    if (rows.length === 0) {
      at++;
      last = null;
      continue;
    }
    const piece = encode(rows.map((row) => (part as Section).line(row as never)));
    bytes.push(piece);
    size += piece.length;
    written[part.name] += rows.length;
    last = rows.at(-1);
  }
  bytes.push(encode([{ type: "end", ...written }]));
  return accept({ bytes, next: null, paused });
}

const NOTHING: Counts = { tasks: 0, dependencies: 0, comments: 0, executions: 0, workspaces: 0 };

function headerOf({ board }: Context, seq: number): LineOf<"board"> {
  const { id, name, settings } = board;
  return { type: "board", version: FORMAT_VERSION, id, name, settings, exportedAtSeq: seq };
}
