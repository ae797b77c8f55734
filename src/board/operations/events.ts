import type { BoardEvent, EventKind } from "../../contract/events.ts";
import { EVENT_SCAN_MAX } from "../../contract/limits.ts";
import { accept, type Result, refuse } from "../../contract/result.ts";
import type { Context } from "../context.ts";
import {
  eventsAfter,
  eventsBefore,
  lastSeq,
  oldestSeq,
  taskEventsAfter,
  taskEventsBefore,
  viewEvent,
} from "../store/events.ts";
import { requireTask } from "./find-task.ts";

export interface ListEvents {
  /** Ascending: events with a higher seq. Descending: with a lower one. Null: from the respective end. */
  cursor: number | null;
  order: "asc" | "desc";
  taskId: string | null;
  kinds: EventKind[];
  limit: number;
}

export interface EventPage {
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
  const filtered = input.kinds.length > 0;
  const scan = filtered ? EVENT_SCAN_MAX : input.limit + 1;
  const rows =
    taskId === null
      ? (input.order === "asc" ? eventsAfter : eventsBefore)(ctx.sql, start, scan)
      : (input.order === "asc" ? taskEventsAfter : taskEventsBefore)(ctx.sql, taskId, start, scan);
  const matching = filtered ? rows.filter((row) => input.kinds.includes(row.kind as EventKind)) : rows;
  const shown = matching.slice(0, input.limit);
  const scanEnded = rows.length === scan;
  const hasMore = matching.length > input.limit || (filtered && scanEnded);
  const resumeAt = matching.length > input.limit || !filtered ? shown.at(-1)?.seq : rows.at(-1)?.seq;
  return accept({
    events: shown.map(viewEvent),
    hasMore,
    nextCursor: hasMore && resumeAt !== undefined ? String(resumeAt) : null,
    seq: last,
  });
}
