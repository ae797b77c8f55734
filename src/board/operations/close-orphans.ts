import { SWEEP_BATCH } from "../../contract/limits.ts";
import type { Context } from "../context.ts";
import { structuralOrphans } from "../store/running.ts";
import { takeBack } from "./take-back.ts";

/**
 * Runs whose task is missing, dropped or not being worked on: no move leaves one behind, so each is damage.
 * Beats are not judged here: an object that starts was evicted, its agents did not crash.
 */
export function closeOrphans(ctx: Context): number {
  const orphans = structuralOrphans(ctx.sql, SWEEP_BATCH);
  for (const orphan of orphans)
    takeBack(
      ctx,
      { ...orphan, recovery_tombstone: 1 },
      { via: "orphan", status: "failed", reason: "orphan" },
    );
  return orphans.length;
}
