import type { ToldCards } from "../../contract/answers.ts";
import type { BoardEvent, EventKind } from "../../contract/events.ts";
import { EVENT_SCAN_MAX } from "../../contract/limits.ts";
import { accept, type Result, refuse } from "../../contract/result.ts";
import { fitting } from "../answer-size.ts";
import type { Context } from "../context.ts";
import { lastSeq, oldestSeq, readEvents, viewEvent } from "../store/events.ts";
import { cardsOfEvents } from "./cards-of-events.ts";
import { requireTask } from "./find-task.ts";

export interface ListEvents {
  /** Ascending: events with a higher seq. Descending: with a lower one. Null: from the respective end. */
  cursor: number | null;
  order: "asc" | "desc";
  taskId: string | null;
  kinds: EventKind[];
  /** With the cards of what changed. */
  cards: boolean;
  limit: number;
}

export interface EventPage extends Partial<ToldCards> {
  events: BoardEvent[];
  hasMore: boolean;
  /** A seq to go on from; null at the end. */
  nextCursor: string | null;
  seq: number;
}

/** The log from a place on. A place older than what is kept cannot be resumed from. */
export function listEvents(ctx: Context, input: ListEvents): Result<EventPage> {
  const last = lastSeq(ctx.sql);
  const start = input.cursor ?? (input.order === "asc" ? 0 : last + 1);
  const oldest = oldestSeq(ctx.sql);
  if (input.order === "asc" && input.cursor !== null && start + 1 < oldest)
    return refuse("resync", "The log no longer reaches back that far.", {
      oldestSeq: oldest,
      hint: "Read the board anew and go on from its seq.",
    });
  let taskId: string | null = null;
  if (input.taskId !== null) {
    const found = requireTask(ctx, input.taskId);
    if (!found.ok) return found;
    taskId = found.task.id;
  }
  // A filter by kind looks at a stretch of the log, then hands back where it ended.
  const scanning = input.kinds.length > 0 && taskId === null;
  const stretch = scanning ? EVENT_SCAN_MAX : Number.MAX_SAFE_INTEGER;
  const ascending = input.order === "asc";
  const above = ascending ? start : Math.max(0, start - 1 - stretch);
  const below = ascending ? Math.min(last, start + stretch) + 1 : start;
  const range = { taskId, kinds: input.kinds, above, below, order: input.order };
  const rows = readEvents(ctx.sql, range, input.limit + 1);
  const shown = fitting(rows.slice(0, input.limit));
  const cut = rows.length > shown.length;
  const stretchEnded = scanning && (ascending ? below <= last : above > 0);
  const scannedTo = ascending ? below - 1 : above + 1;
  const resumeAt = cut ? shown.at(-1)?.seq : stretchEnded ? scannedTo : undefined;
  const hasMore = resumeAt !== undefined;
  return accept({
    events: shown.map(viewEvent),
    ...(input.cards ? cardsOfEvents(ctx, shown, last) : {}),
    hasMore,
    nextCursor: hasMore ? String(resumeAt) : null,
    seq: last,
  });
}
