/** The tasks of each reason, told with what a person needs to act. Each a fixed number of statements. */
import type { StuckReason, StuckTask } from "../../contract/insight.ts";
import {
  INCLUDED_MAX,
  STRANDED_EDGES_MAX,
  STUCK_COUNT_MAX,
  STUCK_PATH_SHOWN,
} from "../../contract/limits.ts";
import { summarizeAttempts } from "../../rules/attempts.ts";
import { missingEverywhere, mustActOnStuck, wayOf, waysToDeadEnds } from "../../rules/stuck.ts";
import type { Context } from "../context.ts";
import { demandingTasks } from "../store/capabilities.ts";
import { runningExecutions } from "../store/running.ts";
import { strandedEdges } from "../store/stranded.ts";
import {
  attemptLimitedTasks,
  latestRuns,
  type NamedRow,
  namedTasks,
  overrunTasks,
  type RunRow,
  type StuckRow,
  unleasedTasks,
} from "../store/stuck.ts";
import { viewRef } from "../view.ts";
import { holderOf } from "./claim-refusal.ts";
import { overrunCutoff, type Unoffered } from "./count-stuck.ts";

/** Up to `limit` tasks with a higher number than `after`, by number. */
type Lister = (ctx: Context, after: number, limit: number, unoffered: Unoffered) => StuckTask[];

export const STUCK_TASKS: Record<StuckReason, Lister> = {
  no_lease: (ctx, after, limit) =>
    withRuns(ctx, unleasedTasks(ctx.sql, "in_progress", after, limit), 1).map(({ row, runs }) => {
      const holder = holderOf(ctx, row, null);
      return { ...told("no_lease", row, movedAt(row, runs)), ...(holder === null ? {} : { holder }) };
    }),

  unreachable: listUnreachable,

  attempt_limit: (ctx, after, limit) =>
    withRuns(ctx, attemptLimitedTasks(ctx.sql, after, limit), INCLUDED_MAX).map(({ row, runs }) => ({
      ...told("attempt_limit", row, runs.at(-1)?.ended_at ?? row.updated_at),
      attempts: summarizeAttempts(
        runs.map((run) => ({
          status: run.status,
          recoveryTombstone: run.recovery_tombstone === 1,
          leftWork: run.left_work === 1,
        })),
      ),
    })),

  no_reviewer: (ctx, after, limit) =>
    withRuns(ctx, unleasedTasks(ctx.sql, "in_review", after, limit), 1).map(({ row, runs }) => ({
      ...told("no_reviewer", row, movedAt(row, runs)),
      builtBy: runs.at(-1)?.agent_id ?? row.assignee_agent_id,
    })),

  overrun: (ctx, after, limit) => {
    const cutoff = overrunCutoff(ctx);
    const { maxRunMs } = ctx.board.settings;
    if (cutoff === null || maxRunMs === null) return [];
    const rows = overrunTasks(ctx.sql, cutoff, after, limit);
    const running = runningExecutions(
      ctx.sql,
      rows.map((row) => row.id),
    );
    const runs = new Map(running.map((run) => [run.task_id, run]));
    return rows.flatMap((row) => {
      const run = runs.get(row.id);
      const holder = run === undefined ? null : holderOf(ctx, row, run);
      if (run === undefined || holder === null) return [];
      const runningMs = ctx.now - run.started_at;
      return { ...told("overrun", row, run.started_at), holder, maxRunMs, runningMs, progress: run.progress };
    });
  },

  unclaimable: (ctx, after, limit, { lists, offers }) =>
    demandingTasks(ctx.sql, lists, after, limit).map((row) => {
      const requiredCapabilities: string[] = JSON.parse(row.required_capabilities);
      const missing = missingEverywhere(requiredCapabilities, offers);
      return { ...told("unclaimable", row, row.ready_since), requiredCapabilities, missing };
    }),
};

function told(reason: StuckReason, row: StuckRow, since: number): StuckTask {
  return { reason, task: { ...viewRef(row), since }, mustAct: mustActOnStuck(reason, row.number) };
}

function withRuns(ctx: Context, rows: StuckRow[], each: number): { row: StuckRow; runs: RunRow[] }[] {
  const ids = rows.map((row) => row.id);
  const runs = ids.length === 0 ? new Map<string, RunRow[]>() : latestRuns(ctx.sql, ids, each);
  return rows.map((row) => ({ row, runs: runs.get(row.id) ?? [] }));
}

/** A sweep ends a run without touching the task, a person's move touches it without ending one. */
function movedAt(row: StuckRow, runs: RunRow[]): number {
  return Math.max(row.updated_at, runs.at(-1)?.ended_at ?? 0);
}

/** The whole of what is stranded is walked, since a way to a dead end may lead through any of it. */
function listUnreachable(ctx: Context, after: number, limit: number): StuckTask[] {
  const edges = strandedEdges(ctx.sql, STUCK_COUNT_MAX, STRANDED_EDGES_MAX).map((row) => ({
    taskId: row.task_id,
    number: row.number,
    blockerId: row.blocker_id,
    dead: row.dead === 1,
    since: row.since,
  }));
  const ways = waysToDeadEnds(edges);
  const page = [...ways.values()]
    .filter((edge) => edge.number > after)
    .sort((a, b) => a.number - b.number)
    .slice(0, limit)
    .map(({ taskId }) => ({ taskId, way: wayOf(ways, taskId) }));
  const shortened = page.map(({ taskId, way }) => ({ taskId, way, path: shorten(way.map(blockerId)) }));
  const named = namedTasks(ctx.sql, [...new Set(shortened.flatMap(({ taskId, path }) => [taskId, ...path]))]);
  return shortened.flatMap(({ taskId, way, path }) => {
    const row = named.get(taskId);
    const deadEnd = named.get(path.at(-1) ?? "");
    const last = way.at(-1);
    if (row === undefined || deadEnd === undefined || last === undefined) return [];
    const dropped = deadEnd.dropped === 1;
    return {
      reason: "unreachable" as const,
      task: { ...viewRef(row), since: last.since },
      mustAct: mustActOnStuck("unreachable", row.number, { number: deadEnd.number, dropped }),
      blocker: { ...viewRef(deadEnd), dropped },
      path: path.map((id) => viewRef(named.get(id) as NamedRow)),
      pathLength: way.length,
    };
  });
}

const blockerId = (edge: { blockerId: string }) => edge.blockerId;

/** A long path keeps its two ends. */
function shorten(ids: string[]): string[] {
  if (ids.length <= STUCK_PATH_SHOWN) return ids;
  return [...ids.slice(0, STUCK_PATH_SHOWN / 2), ...ids.slice(-STUCK_PATH_SHOWN / 2)];
}
