/** What a board does without being asked: when its object starts, and when its alarm fires. */
import ddl from "../../migrations-free-schema/board.sql";
import * as limits from "../contract/limits.ts";
import { retryAfterFailure } from "../rules/next-alarm.ts";
import { earliestDue } from "./alarm.ts";
import type { Deliveries } from "./deliveries.ts";
import { closeOrphans } from "./operations/close-orphans.ts";
import { forgetDeliveries } from "./operations/deliveries.ts";
import { sweepStale } from "./operations/sweep-stale.ts";
import { ITSELF, type Runner } from "./runner.ts";
import { type Board, saveFailedAlarms, saveLastSweep } from "./store/board-row.ts";
import { fillCounts } from "./store/counts.ts";
import { trimLog } from "./store/events.ts";
import { trimImports } from "./store/imports.ts";
import { isBehind, saveLineage } from "./store/lineage.ts";
import { promoteDeferred } from "./store/ready-queue.ts";
import { trimReplies } from "./store/replies.ts";
import { installRunStats } from "./store/run-stats.ts";
import { fingerprint, reconcile } from "./store/schema.ts";
import { trimTails } from "./store/tails.ts";
import { trimTokens } from "./store/token-ends.ts";
import { installUsage } from "./store/usage.ts";
import { tell } from "./tell.ts";

export const SCHEMA = fingerprint(ddl);

/** Looks at the schema and closes damage. It judges nobody's beats: an eviction is not a crash of the agents. */
export function onStart(runner: Runner): void {
  if (isBehind(runner.sql, "board", SCHEMA))
    runner.storage.transactionSync(() => {
      reconcile(runner.sql, ddl);
      fillCounts(runner.sql);
      installUsage(runner.sql);
      installRunStats(runner.sql);
      saveLineage(runner.sql, "board", SCHEMA);
    });
  const board = runner.board();
  try {
    const closed = runner.storage.transactionSync(() => {
      const context = runner.context(board, ITSELF, runner.now());
      const count = closeOrphans(context);
      runner.outbox.write(context);
      return count;
    });
    if (closed === 0) return;
    runner.announce(runner.now());
    void tell("warn", "orphans closed", board.id, { closed });
  } catch (error) {
    void tell("error", "orphans not closed", board.id, { error: String(error) });
  }
}

/** Makes sure that what is due has an alarm, also when the platform gave one up. */
export async function seeToAlarm(runner: Runner): Promise<void> {
  await runner.alarm.load();
  const due = earliestDue(runner.sql, runner.board(), false, runner.outbox.nextAt());
  if (due !== null) runner.alarm.bringForward(due);
}

/** What one alarm did, in numbers. */
interface Done {
  swept: number;
  promoted: number;
  eventsTrimmed: number;
  repliesTrimmed: number;
  importsForgotten: number;
  deliveriesForgotten: number;
  tailsEmptied: number;
  tokensForgotten: number;
  deliveriesBegun: number;
}

/**
 * One batch of everything that is due, then the next alarm, last. A failure is tried again later each time. What was
 * done is told in a line; an alarm that found nothing to do writes none.
 */
export async function onAlarm(runner: Runner, deliveries: Deliveries): Promise<void> {
  runner.alarm.fired();
  const now = runner.now();
  const board = runner.board();
  const { rowsRead, rowsWritten } = runner.sql;
  let done: Done | null = null;
  let failed: { error: string; failures: number } | null = null;
  let next: number | null;
  try {
    done = recover(runner, deliveries, board, now);
    next = nextAfter(runner, board, now, done);
  } catch (error) {
    failed = { error: String(error), failures: board.failedAlarms + 1 };
    saveFailedAlarms(runner.sql, failed.failures);
    next = retryAfterFailure(failed.failures, board.settings.sweepEveryMs, now);
  }
  if (next !== null) runner.alarm.set(Math.max(next, now + limits.SWEEP_AGAIN_MS));
  runner.announce(now);
  const cost = {
    rowsRead: runner.sql.rowsRead - rowsRead,
    rowsWritten: runner.sql.rowsWritten - rowsWritten,
  };
  if (failed !== null) await tell("error", "the alarm failed", board.id, { ...failed, ...cost });
  else if (done !== null && Object.values(done).some((count) => count > 0))
    await tell("log", "alarm", board.id, { ...done, ...cost });
}

function recover(runner: Runner, deliveries: Deliveries, board: Board, now: number): Done {
  const { sql, outbox } = runner;
  const done = runner.storage.transactionSync(() => {
    const context = runner.context(board, ITSELF, now);
    // What is archived stays as it is; its leases are looked at when it is taken out again.
    const swept = board.archived ? 0 : sweepStale(context);
    outbox.write(context);
    const { tailRetentionMs } = board.settings;
    const tailsEmptied =
      board.archived || tailRetentionMs === null
        ? 0
        : trimTails(sql, now - tailRetentionMs, now, limits.TAIL_TRIM_BATCH);
    const trimmed = {
      tailsEmptied,
      tokensForgotten: trimTokens(sql, now - limits.TOKEN_KEPT_MS, limits.TOKEN_TRIM_BATCH),
      deliveriesForgotten: forgetDeliveries(context),
      repliesTrimmed: trimReplies(sql, now - limits.IDEMPOTENCY_TTL_MS, limits.IDEMPOTENCY_TRIM_BATCH),
      importsForgotten: trimImports(sql, now - limits.IMPORT_TTL_MS, limits.IMPORT_TRIM_BATCH),
      promoted: promoteDeferred(sql, now),
      eventsTrimmed: trimLog(sql, board.settings.eventRetention),
    };
    runner.oldestSeq = null;
    saveLastSweep(sql, now);
    if (board.failedAlarms > 0) saveFailedAlarms(sql, 0);
    return { swept, ...trimmed };
  });
  return { ...done, deliveriesBegun: deliveries.begin(now) };
}

/** When to come back, or null when nothing is due any more. A full batch may have left something behind. */
function nextAfter({ sql, outbox, forWork }: Runner, board: Board, now: number, done: Done): number | null {
  const more =
    done.swept === limits.SWEEP_BATCH ||
    done.repliesTrimmed === limits.IDEMPOTENCY_TRIM_BATCH ||
    done.importsForgotten === limits.IMPORT_TRIM_BATCH ||
    done.deliveriesForgotten === limits.WEBHOOK_TRIM_BATCH ||
    done.promoted === limits.PROMOTE_BATCH ||
    done.tailsEmptied === limits.TAIL_TRIM_BATCH ||
    done.tokensForgotten === limits.TOKEN_TRIM_BATCH ||
    done.eventsTrimmed === limits.RETENTION_BATCH;
  if (more) return now + limits.SWEEP_AGAIN_MS;
  return earliestDue(sql, { ...board, lastSweepAt: now }, forWork.size > 0, outbox.nextAt());
}
