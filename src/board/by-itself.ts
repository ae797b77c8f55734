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
    console.warn(JSON.stringify({ message: "orphans closed", board: board.id, closed }));
  } catch (error) {
    console.error(JSON.stringify({ message: "orphans not closed", board: board.id, error: String(error) }));
  }
}

/** Makes sure that what is due has an alarm, also when the platform gave one up. */
export async function seeToAlarm(runner: Runner): Promise<void> {
  await runner.alarm.load();
  const due = earliestDue(runner.sql, runner.board(), false, runner.outbox.nextAt());
  if (due !== null) runner.alarm.bringForward(due);
}

/** One batch of everything that is due, then the next alarm, last. A failure is tried again later each time. */
export function onAlarm(runner: Runner, deliveries: Deliveries): void {
  runner.alarm.fired();
  const now = runner.now();
  const board = runner.board();
  let next: number | null;
  try {
    next = recover(runner, deliveries, board, now);
  } catch (error) {
    console.error(JSON.stringify({ message: "the alarm failed", board: board.id, error: String(error) }));
    const failures = board.failedAlarms + 1;
    saveFailedAlarms(runner.sql, failures);
    next = retryAfterFailure(failures, board.settings.sweepEveryMs, now);
  }
  if (next !== null) runner.alarm.set(Math.max(next, now + limits.SWEEP_AGAIN_MS));
  runner.announce(now);
}

/** When to come back, or null when nothing is due any more. */
function recover(runner: Runner, deliveries: Deliveries, board: Board, now: number): number | null {
  const { sql, outbox } = runner;
  const more = runner.storage.transactionSync(() => {
    const context = runner.context(board, ITSELF, now);
    // What is archived stays as it is; its leases are looked at when it is taken out again.
    const swept = board.archived ? 0 : sweepStale(context);
    outbox.write(context);
    const unlogged = forgetDeliveries(context);
    const trimmed = trimReplies(sql, now - limits.IDEMPOTENCY_TTL_MS, limits.IDEMPOTENCY_TRIM_BATCH);
    const forgotten = trimImports(sql, now - limits.IMPORT_TTL_MS, limits.IMPORT_TRIM_BATCH);
    const promoted = promoteDeferred(sql, now);
    const { tailRetentionMs } = board.settings;
    const emptied =
      board.archived || tailRetentionMs === null
        ? 0
        : trimTails(sql, now - tailRetentionMs, now, limits.TAIL_TRIM_BATCH);
    const dropped = trimTokens(sql, now - limits.TOKEN_KEPT_MS, limits.TOKEN_TRIM_BATCH);
    const cut = trimLog(sql, board.settings.eventRetention);
    runner.oldestSeq = null;
    saveLastSweep(sql, now);
    if (board.failedAlarms > 0) saveFailedAlarms(sql, 0);
    return (
      swept === limits.SWEEP_BATCH ||
      trimmed === limits.IDEMPOTENCY_TRIM_BATCH ||
      forgotten === limits.IMPORT_TRIM_BATCH ||
      unlogged === limits.WEBHOOK_TRIM_BATCH ||
      promoted === limits.PROMOTE_BATCH ||
      emptied === limits.TAIL_TRIM_BATCH ||
      dropped === limits.TOKEN_TRIM_BATCH ||
      cut === limits.RETENTION_BATCH
    );
  });
  deliveries.begin(now);
  if (more) return now + limits.SWEEP_AGAIN_MS;
  return earliestDue(sql, { ...board, lastSweepAt: now }, runner.forWork.size > 0, outbox.nextAt());
}
