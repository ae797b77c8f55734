/**
 * What a socket is sent, made once for all who come by the same place of the log and ask for the same, also when
 * they come one after the other. What lies between two places never changes, so a frame stays right; one with cards
 * only as long as nothing happens on the board.
 */
import {
  EVENT_SCAN_MAX,
  FRAME_EVENTS_MAX,
  FRAME_MAX_CHARS,
  FRAME_READ_ROWS,
  FRAMES_KEPT_CHARS,
  LOOKED_AT_CHARS,
} from "../contract/limits.ts";
import type { LiveMessage } from "../contract/live.ts";
import type { LogBounds } from "../rules/retention.ts";
import { cardsOfEvents } from "./operations/cards-of-events.ts";
import type { Filter } from "./operations/open-live.ts";
import { readBoardRow, viewBoard } from "./store/board-row.ts";
import { type EventRange, readEvents, viewEvent } from "./store/events.ts";
import type { EventRow } from "./store/rows.ts";
import type { Sql } from "./store/sql.ts";
import type { View } from "./view.ts";

export interface Frame {
  /** Everything up to here is told. */
  seq: number;
  /** Null: there is nothing in it for this reader. */
  text: string | null;
  /** What it counts for among what a reader has not read yet: its length, and what making it took. */
  weight: number;
  /** It goes no further however long the log gets. */
  full: boolean;
}

export class Frames {
  readonly #sql: Sql;
  readonly #made = new Map<string, Frame>();
  #keptChars = 0;
  #beats = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The next frame for who was told everything up to `seq`, of a log that stands so; null: nothing is new. */
  after(seq: number, filter: Filter, log: LogBounds, now: number): Frame | null {
    if (seq === log.last) return null;
    if (seq > log.last || seq + 1 < log.oldest) return resync(log.last);
    const shown = filter.cards ? `${log.last} ${this.#beats}` : "";
    const name = `${seq} ${filter.taskId ?? ""} ${filter.kinds.join(",")} ${shown}`;
    const made = this.#made.get(name);
    // One that ended with the log is made anew when there is more: who is behind gets it in few frames.
    if (made !== undefined && (made.full || made.seq === log.last)) return made;
    const frame = this.#read(seq, filter, log.last, now);
    this.#keep(name, frame);
    return frame;
  }

  /** A lease was proved alive, of which the log says nothing: cards made before show it as it was. */
  beaten(): void {
    this.#beats++;
  }

  /** Another board may begin here. */
  forget(): void {
    this.#made.clear();
    this.#keptChars = 0;
  }

  /** The newest ones, as many as fit; the oldest is the one that most have passed by. */
  #keep(name: string, frame: Frame): void {
    this.#drop(name);
    this.#made.set(name, frame);
    this.#keptChars += charsOf(name, frame);
    for (const oldest of this.#made.keys()) {
      if (this.#keptChars <= FRAMES_KEPT_CHARS) return;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    const frame = this.#made.get(name);
    if (frame === undefined) return;
    this.#made.delete(name);
    this.#keptChars -= charsOf(name, frame);
  }

  /** What one turn committed is one frame, unless it is very much. */
  #read(above: number, filter: Filter, last: number, now: number): Frame {
    const picks = filter.taskId !== null || filter.kinds.length > 0;
    const stretch = picks ? EVENT_SCAN_MAX : FRAME_EVENTS_MAX;
    const to = Math.min(above + stretch, last);
    const range = { ...filter, above, below: to + 1, order: "asc" as const };
    const { rows, cut } = readFitting(this.#sql, range);
    const seq = cut ? (rows.at(-1)?.seq ?? to) : to;
    const full = cut || to - above === stretch;
    // A whole stretch with nothing in it is told all the same: the reader says when to look on.
    if (rows.length === 0 && !full) return { seq, text: null, weight: 0, full };
    const cards = filter.cards && rows.length > 0 ? cardsOfEvents(this.#view(now), rows, last) : {};
    const text = message({ type: "events", seq, events: rows.map(viewEvent), ...cards });
    return { seq, text, weight: text.length + (picks ? (seq - above) * LOOKED_AT_CHARS : 0), full };
  }

  #view(now: number): View {
    const row = readBoardRow(this.#sql);
    if (row === null) throw new Error("the board has no row");
    return { sql: this.#sql, now, board: viewBoard(row) };
  }
}

/**
 * The log does not reach back that far, or was never that long: this reader followed another board. It weighs nothing,
 * since only what events weigh is asked a receipt for.
 */
function resync(seq: number): Frame {
  return { seq, text: message({ type: "resync", seq }), weight: 0, full: true };
}

/** How far a reader is of whom nothing was chosen for long. */
export function progress(seq: number): Frame {
  const text = message({ type: "events", seq, events: [] });
  return { seq, text, weight: text.length, full: true };
}

function message(live: LiveMessage): string {
  return JSON.stringify(live);
}

/** With something for the entry itself, so that ten thousand empty ones count too. */
function charsOf(name: string, { text }: Frame): number {
  return 200 + name.length + (text?.length ?? 0);
}

/**
 * At least one, whatever it weighs; `cut` when there may be more of them. A few are read at a time: they may be heavy,
 * and then only few fit.
 */
function readFitting(sql: Sql, range: EventRange): { rows: EventRow[]; cut: boolean } {
  const rows: EventRow[] = [];
  let chars = 0;
  while (rows.length < FRAME_EVENTS_MAX) {
    const above = rows.at(-1)?.seq ?? range.above;
    const some = readEvents(sql, { ...range, above }, FRAME_READ_ROWS);
    for (const row of some) {
      chars += row.data.length;
      if (rows.length > 0 && chars > FRAME_MAX_CHARS) return { rows, cut: true };
      rows.push(row);
    }
    if (some.length < FRAME_READ_ROWS) return { rows, cut: false };
  }
  return { rows, cut: true };
}
