import { HELD_SHOWN, STATS_ROWS_MAX } from "../../contract/limits.ts";
import { accept, type Result } from "../../contract/result.ts";
import type { Agent } from "../../contract/stats.ts";
import { toUsd } from "../../rules/budget.ts";
import { expiresAt } from "../../rules/lease.ts";
import { dayOf, startOfDay, successRate } from "../../rules/run-stats.ts";
import type { Context } from "../context.ts";
import { agentIds, type HeldRow, heldBy, tokensOf } from "../store/agents.ts";
import { lastSeq } from "../store/events.ts";
import type { RunStatsRow } from "../store/rows.ts";
import { runsOf } from "../store/run-stats.ts";
import { viewRef } from "../view.ts";
import { countOf, outcomesOf, sumRuns } from "./run-sums.ts";

export interface ListAgents {
  /** By name, after this one. */
  after: string;
  /** How far back runs are counted, today included. */
  days: number;
  limit: number;
}

export interface AgentPage {
  agents: Agent[];
  hasMore: boolean;
  nextCursor: string | null;
  seq: number;
}

/** Everybody with a token, a run or a task, by name. */
export function listAgents(ctx: Context, { after, days, limit }: ListAgents): Result<AgentPage> {
  const ids = agentIds(ctx.sql, after, limit + 1);
  const shown = ids.slice(0, limit);
  const hasMore = ids.length > limit;
  const tokens = tokensOf(ctx.sql, shown);
  const since = dayOf(ctx.now) - days + 1;
  const runs = Map.groupBy(runsOf(ctx.sql, shown, since, STATS_ROWS_MAX), (row) => row.agent_id);
  const held = Map.groupBy(heldBy(ctx.sql, shown, HELD_SHOWN), (row) => row.agent_id);
  return accept({
    agents: shown.map((agentId) => {
      const rows = runs.get(agentId) ?? [];
      const ended = sumRuns(rows);
      const outcomes = outcomesOf(ended);
      const holds = held.get(agentId) ?? [];
      const used = tokens.get(agentId)?.last_used_at ?? null;
      const running = holds[0]?.cost_micros ?? 0;
      return {
        agentId,
        roles: tokens.get(agentId)?.roles ?? [],
        lastSeenAt: latest([used, ...holds.map((row) => row.last_beat_at)]),
        held: holds[0]?.held ?? 0,
        tasks: holds.map((row) => viewHeld(ctx, row)),
        outcomes,
        daily: byDay(rows),
        successRate: successRate(outcomes),
        costUsd: toUsd(ended.cost_micros + running),
      };
    }),
    hasMore,
    nextCursor: hasMore ? (shown.at(-1) ?? null) : null,
    seq: lastSeq(ctx.sql),
  });
}

function viewHeld(ctx: Context, row: HeldRow): Agent["tasks"][number] {
  const { leaseTtlMs } = ctx.board.settings;
  return {
    ...viewRef(row),
    expiresAt: row.last_beat_at === null ? null : expiresAt(row.last_beat_at, leaseTtlMs),
    stop: row.directive,
  };
}

function byDay(rows: readonly RunStatsRow[]): Agent["daily"] {
  return [...Map.groupBy(rows, ({ day }) => day)]
    .sort(([a], [b]) => b - a)
    .map(([day, group]) => {
      const sums = sumRuns(group);
      return {
        day: startOfDay(day),
        succeeded: sums.succeeded,
        ended: countOf(sums),
        costUsd: toUsd(sums.cost_micros),
      };
    });
}

function latest(times: (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(...known);
}
