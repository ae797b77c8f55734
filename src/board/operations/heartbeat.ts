import { accept, type Refusal, type Result } from "../../contract/result.ts";
import type { LeaseProof } from "../../contract/roles.ts";
import { expiresAt } from "../../rules/lease.ts";
import type { Context } from "../context.ts";
import { countUnread } from "../store/comments.ts";
import type { ExecutionRow } from "../store/rows.ts";
import { saveBeat, saveBeatReport } from "../store/running.ts";
import { requireTask } from "./find-task.ts";
import { requireLease } from "./lease-check.ts";

export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  costUsd?: number;
}

export interface Heartbeat {
  id: string;
  lease: LeaseProof | null;
  progress?: string;
  usage?: Usage;
}

export interface Directive {
  kind: "cancel" | "drain" | "budget_stop";
  reason: string | null;
}

export interface Beat {
  lease: { expiresAt: number; ttlMs: number; beatEveryMs: number };
  directives: Directive[];
  /** Comments by others since the holder last read them. */
  newComments: number;
}

/** Proves the holder alive: one row written. */
export function heartbeat(ctx: Context, input: Heartbeat): Result<Beat> {
  const found = requireTask(ctx, input.id);
  if (!found.ok) return found;
  const held = requireLease(ctx, found.task, input.lease);
  if (!held.ok) return held;
  const { execution } = held;
  if (input.usage === undefined && input.progress === undefined)
    saveBeat(ctx.sql, execution.task_id, execution.epoch, ctx.now);
  else
    saveBeatReport(ctx.sql, execution.task_id, execution.epoch, ctx.now, {
      progress: input.progress ?? null,
      inputTokens: input.usage?.inputTokens ?? 0,
      outputTokens: input.usage?.outputTokens ?? 0,
      costUsd: input.usage?.costUsd ?? 0,
    });
  const { leaseTtlMs, beatEveryMs } = ctx.board.settings;
  return accept({
    lease: { expiresAt: expiresAt(ctx.now, leaseTtlMs), ttlMs: leaseTtlMs, beatEveryMs },
    directives: directivesFor(ctx, execution),
    newComments: countUnread(ctx.sql, execution.task_id, execution.comments_read, execution.agent_id),
  });
}

function directivesFor(ctx: Context, execution: ExecutionRow): Directive[] {
  const directives: Directive[] = [];
  if (execution.directive !== null)
    directives.push({ kind: execution.directive, reason: execution.directive_reason });
  if (ctx.board.paused) directives.push({ kind: "drain", reason: "The board is paused." });
  return directives;
}

export interface BatchBeat {
  taskId: string;
  lease: LeaseProof | null;
  usage?: Usage;
}

export type BatchResult = ({ ok: true } & Beat) | Refusal;

/** Each lease by itself: one that is lost never fails the others. */
export function heartbeats(ctx: Context, beats: readonly BatchBeat[]): Result<{ results: BatchResult[] }> {
  const results = beats.map((beat): BatchResult => {
    const result = heartbeat(ctx, { id: beat.taskId, lease: beat.lease, usage: beat.usage });
    return result.ok ? { ok: true, ...result.value } : result;
  });
  return accept({ results });
}
