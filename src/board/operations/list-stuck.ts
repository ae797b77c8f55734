/** What needs a person: counted by reason, and listed reason by reason, each by number. */
import { STUCK_REASONS, type StuckPage, type StuckReason, type StuckTask } from "../../contract/insight.ts";
import { accept, type Result } from "../../contract/result.ts";
import type { Context } from "../context.ts";
import { lastSeq } from "../store/events.ts";
import { promoteDeferred } from "../store/ready-queue.ts";
import { badCursor } from "./bad-cursor.ts";
import { countStuck } from "./count-stuck.ts";
import { STUCK_TASKS } from "./stuck-tasks.ts";

export interface ListStuck {
  /** Null: every reason. */
  reason: StuckReason | null;
  cursor: string | null;
  limit: number;
}

/** A task that moves meanwhile may be missed or seen twice, as in the queue. */
export function listStuck(ctx: Context, input: ListStuck): Result<StuckPage> {
  const asked = input.reason === null ? STUCK_REASONS : [input.reason];
  const place = input.cursor === null ? null : readPlace(input.cursor, asked);
  if (place === undefined) return badCursor();
  promoteDeferred(ctx.sql, ctx.now);
  const { counts, atLeast, unoffered } = countStuck(ctx);
  const found: StuckTask[] = [];
  const left = place === null ? asked : asked.slice(asked.indexOf(place.reason));
  for (const reason of left) {
    const wanted = input.limit + 1 - found.length;
    if (wanted === 0) break;
    if (counts[reason] === 0) continue;
    const after = place?.reason === reason ? place.number : 0;
    found.push(...STUCK_TASKS[reason](ctx, after, wanted, unoffered));
  }
  const shown = found.slice(0, input.limit);
  const last = shown.at(-1);
  const hasMore = found.length > shown.length;
  return accept({
    stuck: shown,
    counts,
    atLeast,
    hasMore,
    nextCursor: hasMore && last !== undefined ? `${last.reason}.${last.task.number}` : null,
    seq: lastSeq(ctx.sql),
  });
}

/** Undefined: not a cursor of this list. */
function readPlace(cursor: string, asked: readonly StuckReason[]) {
  const match = /^([a-z_]+)\.(\d{1,15})$/.exec(cursor);
  const reason = asked.find((name) => name === match?.[1]);
  return match === null || reason === undefined ? undefined : { reason, number: Number(match[2]) };
}
