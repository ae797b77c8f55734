/** The board as a reader joins it: one consistent read, bounded whatever stands on the board. */
import { SNAPSHOT_MAX_BYTES, SNAPSHOT_REST_BYTES } from "../../contract/limits.ts";
import type { Snapshot } from "../../contract/live.ts";
import { accept, type Result } from "../../contract/result.ts";
import type { TaskCard } from "../../contract/task.ts";
import { TASK_STATUSES, type TaskStatus } from "../../rules/status.ts";
import { cardOf } from "../card.ts";
import type { Context } from "../context.ts";
import { readCounts } from "../store/counts.ts";
import { lastSeq } from "../store/events.ts";
import { EVERY_TASK, listTasks } from "../store/task-lists.ts";
import { viewTasks } from "../view.ts";
import { viewBoard } from "./board.ts";

const COLUMN_MAX_BYTES = Math.floor((SNAPSHOT_MAX_BYTES - SNAPSHOT_REST_BYTES) / TASK_STATUSES.length);

export interface GetSnapshot {
  /** Cards of each column at most. */
  limit: number;
}

export function getSnapshot(ctx: Context, input: GetSnapshot): Result<Snapshot> {
  return accept({
    board: viewBoard(ctx.board),
    counts: readCounts(ctx.sql),
    columns: Object.fromEntries(
      TASK_STATUSES.map((status) => [status, readColumn(ctx, status, input.limit)]),
    ) as Snapshot["columns"],
    seq: lastSeq(ctx.sql),
  });
}

/** Its newest tasks, as many as fit; the cursor goes on where they end. */
function readColumn(ctx: Context, status: TaskStatus, limit: number): Snapshot["columns"][TaskStatus] {
  const rows = listTasks(ctx.sql, { ...EVERY_TASK, statuses: [status] }, "newest", null, limit + 1);
  const cards = fittingCards(viewTasks(ctx, rows.slice(0, limit)).map(cardOf));
  const last = cards.at(-1);
  const hasMore = rows.length > cards.length;
  return { tasks: cards, hasMore, nextCursor: hasMore && last !== undefined ? String(last.number) : null };
}

function fittingCards(cards: TaskCard[]): TaskCard[] {
  const encoder = new TextEncoder();
  let bytes = 0;
  const end = cards.findIndex((card, index) => {
    bytes += encoder.encode(JSON.stringify(card)).length + 1;
    return index > 0 && bytes > COLUMN_MAX_BYTES;
  });
  return end === -1 ? cards : cards.slice(0, end);
}
