/**
 * The recovery passes, run by hand. `stale` is the sweep of the alarm; `orphans` is for after a restore, when
 * every worker of the running rows is known to be gone: their runs fail with a tombstone, so that a second pass
 * finds nothing.
 */
import { SWEEP_BATCH } from "../../contract/limits.ts";
import { accept, type Result } from "../../contract/result.ts";
import { audit, type Context } from "../context.ts";
import { staleExecutions } from "../store/running.ts";
import { sweepStale } from "./sweep-stale.ts";
import { takeBack } from "./take-back.ts";

export interface Reconcile {
  pass: "stale" | "orphans";
  /** A run is stale when it has not beaten for this long; the lease's TTL where it is not given. */
  staleAfterMs?: number;
}

export interface Reconciled {
  /** Runs this closed. */
  closed: number;
  /** There may be more: call again. */
  hasMore: boolean;
}

export function reconcile(ctx: Context, input: Reconcile): Result<Reconciled> {
  const staleAfterMs = input.staleAfterMs ?? ctx.board.settings.leaseTtlMs;
  const closed =
    input.pass === "stale" ? sweepStale(ctx, staleAfterMs) : closeStaleOrphans(ctx, staleAfterMs);
  if (closed > 0) audit(ctx, "reconcile", { data: { pass: input.pass, staleAfterMs, closed } });
  return accept({ closed, hasMore: closed === SWEEP_BATCH });
}

function closeStaleOrphans(ctx: Context, staleAfterMs: number): number {
  const orphans = staleExecutions(ctx.sql, ctx.now - staleAfterMs, SWEEP_BATCH);
  for (const orphan of orphans)
    takeBack(
      ctx,
      { ...orphan, recovery_tombstone: 1 },
      { via: "orphan", status: "failed", reason: "orphan", evenInReview: true },
    );
  return orphans.length;
}
