/** How many tasks need a person, by reason: what is told with every page of `stuck`. */
import { STUCK_REASONS, type StuckReason } from "../../contract/insight.ts";
import { DEMANDS_MAX, OFFERS_MAX, STUCK_COUNT_MAX } from "../../contract/limits.ts";
import { isOffered } from "../../rules/stuck.ts";
import type { Context } from "../context.ts";
import { countDemanding, demandedLists, offeredLists } from "../store/capabilities.ts";
import { readCounts } from "../store/counts.ts";
import { countStranded } from "../store/stranded.ts";
import { countAttemptLimited, countRunning } from "../store/stuck.ts";

export interface Unoffered {
  /** Lists of required capabilities, as they are stored, that no live token has. */
  lists: string[];
  /** What each live token that has any has. */
  offers: string[][];
}

export interface StuckCounts {
  counts: Record<StuckReason, number>;
  /** Reasons of which there are more than were counted. */
  atLeast: StuckReason[];
  unoffered: Unoffered;
}

/** A run that began by then has run too long; null where the board sets no bound. */
export function overrunCutoff(ctx: Context): number | null {
  const { maxRunMs } = ctx.board.settings;
  return maxRunMs === null ? null : ctx.now - maxRunMs;
}

/** With a little more than is told, so that it shows where there are more. */
export function countStuck(ctx: Context): StuckCounts {
  const most = STUCK_COUNT_MAX + 1;
  const { found: others, unoffered, partial } = countAllButUnreachable(ctx, most);
  const found: Record<StuckReason, number> = { ...others, unreachable: countStranded(ctx.sql, most) };
  const counts = { ...found };
  for (const reason of STUCK_REASONS) counts[reason] = Math.min(found[reason], STUCK_COUNT_MAX);
  const cut = (reason: StuckReason) =>
    found[reason] > counts[reason] || (reason === "unclaimable" && partial);
  return { counts, atLeast: STUCK_REASONS.filter(cut), unoffered };
}

/**
 * What reads no more than it counts, and the running executions; to know what is unreachable, every task that cannot
 * finish is looked at. What is held without a lease is what stands in a status less what runs there: both are at
 * hand, one as a kept count, the other as the walk over running executions.
 */
export function countAllButUnreachable(ctx: Context, most: number) {
  const standing = readCounts(ctx.sql);
  const { inProgress, inReview } = countRunning(ctx.sql, overrunCutoff(ctx) ?? -1);
  const { unoffered, partial } = findUnoffered(ctx);
  const found: Record<Exclude<StuckReason, "unreachable">, number> = {
    no_lease: standing.in_progress - inProgress.running,
    attempt_limit: countAttemptLimited(ctx.sql, most),
    no_reviewer: standing.in_review - inReview.running,
    overrun: inProgress.overrun + inReview.overrun,
    unclaimable: unoffered.lists.length === 0 ? 0 : countDemanding(ctx.sql, unoffered.lists, most),
  };
  return { found, unoffered, partial };
}

function findUnoffered(ctx: Context): { unoffered: Unoffered; partial: boolean } {
  const demands = demandedLists(ctx.sql, DEMANDS_MAX + 1);
  if (demands.length === 0) return { unoffered: { lists: [], offers: [] }, partial: false };
  const offers = offeredLists(ctx.sql, ctx.now, OFFERS_MAX).map((list): string[] => JSON.parse(list));
  const lists = demands.slice(0, DEMANDS_MAX).filter((list) => !isOffered(JSON.parse(list), offers));
  return { unoffered: { lists, offers }, partial: demands.length > DEMANDS_MAX };
}
