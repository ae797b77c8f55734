/** What a socket is sent, made once for all who stand at the same place of the log and ask for the same. */
import { EVENT_SCAN_MAX, FRAME_EVENTS_MAX, FRAME_MAX_CHARS } from "../contract/limits.ts";
import type { LiveMessage } from "../contract/live.ts";
import type { Filter } from "./operations/open-live.ts";
import { logBounds, readEvents, viewEvent } from "./store/events.ts";
import type { EventRow } from "./store/rows.ts";
import type { Sql } from "./store/sql.ts";

export interface Frame {
  /** Everything up to here is told. */
  seq: number;
  /** Null: there is nothing in it for this reader. */
  text: string | null;
}

export class Frames {
  readonly #sql: Sql;
  readonly #log: { oldest: number; last: number };
  readonly #made = new Map<string, Frame>();

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#log = logBounds(sql);
  }

  /** The next frame for who was told everything up to `seq`; null: nothing is new. */
  after(seq: number, filter: Filter): Frame | null {
    if (seq === this.#log.last) return null;
    const name = `${seq} ${filter.taskId ?? ""} ${filter.kinds.join(",")}`;
    const made = this.#made.get(name);
    if (made !== undefined) return made;
    const frame =
      seq > this.#log.last || seq + 1 < this.#log.oldest ? this.#resync() : this.#read(seq, filter);
    this.#made.set(name, frame);
    return frame;
  }

  /** The log does not reach back that far, or was never that long: this reader followed another board. */
  #resync(): Frame {
    const seq = this.#log.last;
    return { seq, text: message({ type: "resync", seq }) };
  }

  /** What one turn committed is one frame, unless it is very much. */
  #read(above: number, filter: Filter): Frame {
    const picks = filter.taskId !== null || filter.kinds.length > 0;
    const to = Math.min(above + (picks ? EVENT_SCAN_MAX : FRAME_EVENTS_MAX), this.#log.last);
    const range = { ...filter, above, below: to + 1, order: "asc" as const };
    const { rows, cut } = fittingRows(readEvents(this.#sql, range, FRAME_EVENTS_MAX));
    const seq = cut ? (rows.at(-1)?.seq ?? to) : to;
    if (rows.length === 0) return { seq, text: null };
    return { seq, text: message({ type: "events", seq, events: rows.map(viewEvent) }) };
  }
}

function message(live: LiveMessage): string {
  return JSON.stringify(live);
}

/** At least one, whatever it weighs; `cut` when there may be more of them. */
function fittingRows(rows: readonly EventRow[]): { rows: readonly EventRow[]; cut: boolean } {
  let chars = 0;
  const end = rows.findIndex((row, index) => {
    chars += row.data.length;
    return index > 0 && chars > FRAME_MAX_CHARS;
  });
  return end === -1
    ? { rows, cut: rows.length === FRAME_EVENTS_MAX }
    : { rows: rows.slice(0, end), cut: true };
}
