import { accept, type Refusal, type Result } from "../../contract/result.ts";
import type { LeaseProof } from "../../contract/roles.ts";
import { toMicros } from "../../rules/budget.ts";
import { expiresAt } from "../../rules/lease.ts";
import type { Context } from "../context.ts";
import { countUnread } from "../store/comments.ts";
import type { ExecutionRow } from "../store/rows.ts";
import { saveBeat, saveBeatReport } from "../store/running.ts";
import { addUsage } from "../store/usage.ts";
import { requireTask } from "./find-task.ts";
import { requireLease } from "./lease-check.ts";
import { type Spending, spendingOf, stopReasons, tellReport } from "./spending.ts";

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

/** Proves the holder alive: one row written, two with usage. What it used may spend a budget, and that is told. */
export function heartbeat(ctx: Context, input: Heartbeat): Result<Beat> {
  const found = requireTask(ctx, input.id);
  if (!found.ok) return found;
  const held = requireLease(ctx, found.task, input.lease);
  if (!held.ok) return held;
  const { execution } = held;
  const costMicros = save(ctx, execution, input);
  const spending = spendingOf(ctx, found.task);
  if (costMicros > 0) tellReport(ctx, found.task, spending, costMicros);
  const { leaseTtlMs, beatEveryMs } = ctx.board.settings;
  const until = expiresAt(ctx.now, leaseTtlMs);
  ctx.beaten({
    taskId: execution.task_id,
    epoch: execution.epoch,
    heartbeatAt: ctx.now,
    expiresAt: until,
  });
  return accept({
    lease: { expiresAt: until, ttlMs: leaseTtlMs, beatEveryMs },
    directives: directivesFor(ctx, execution, spending),
    newComments: countUnread(ctx.sql, execution.task_id, execution.comments_read, execution.agent_id),
  });
}

/** What it cost since the last report, in micro-dollars. */
function save(ctx: Context, execution: ExecutionRow, { progress, usage }: Heartbeat): number {
  const { task_id: taskId, epoch } = execution;
  if (usage === undefined && progress === undefined) {
    saveBeat(ctx.sql, taskId, epoch, ctx.now);
    return 0;
  }
  const used = {
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    costMicros: toMicros(usage?.costUsd ?? 0),
  };
  saveBeatReport(ctx.sql, taskId, epoch, ctx.now, { progress: progress ?? null, ...used });
  if (usage !== undefined)
    addUsage(ctx.sql, {
      cost_micros: used.costMicros,
      input_tokens: used.inputTokens,
      output_tokens: used.outputTokens,
      cache_read: 0,
      cache_write: 0,
    });
  return used.costMicros;
}

function directivesFor(ctx: Context, execution: ExecutionRow, spending: Spending): Directive[] {
  const directives: Directive[] = [];
  if (execution.directive !== null)
    directives.push({ kind: execution.directive, reason: execution.directive_reason });
  if (ctx.board.paused) directives.push({ kind: "drain", reason: "The board is paused." });
  for (const reason of stopReasons(spending)) directives.push({ kind: "budget_stop", reason });
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
