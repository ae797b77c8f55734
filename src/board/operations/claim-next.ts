/** Picks the next ready task this caller may claim and claims it, in one transaction. */
import { CLAIM_SCAN_MAX, RETRY_AFTER_MS } from "../../contract/limits.ts";
import { accept, type Result } from "../../contract/result.ts";
import { isExhausted } from "../../rules/budget.ts";
import type { Context } from "../context.ts";
import { placeOf, promoteDeferred, type QueuePlace, readyTasks } from "../store/ready-queue.ts";
import type { TaskRow } from "../store/rows.ts";
import { obstacleToClaim } from "./claim-refusal.ts";
import { resolveId } from "./find-task.ts";
import { type Grant, grantTask } from "./grant.ts";
import { boardAccount } from "./spending.ts";

export interface ClaimNext {
  limit: number;
  runtime?: string;
  teamId?: string;
  labels?: string[];
  kind?: string;
  parentTaskId?: string;
}

export interface Claims {
  claims: Grant[];
  /** Where there was nothing: when to ask again. */
  retryAfterMs?: number;
  paused?: true;
  /** The board's budget is spent: nothing is handed out until a lead raises it. */
  budgetExhausted?: true;
  /** The filter was not satisfied within the first thousand ready tasks; there may be more behind. */
  scanLimit?: true;
  /** Where the log stood, for whoever then waits for work. */
  seq: number;
}

export function claimNext(ctx: Context, input: ClaimNext): Result<Claims> {
  if (ctx.board.paused)
    return accept({ claims: [], retryAfterMs: retryAfter(ctx), paused: true, seq: ctx.log.last() });
  if (isExhausted(boardAccount(ctx, ctx.board.settings.budgetUsd)))
    return accept({
      claims: [],
      retryAfterMs: retryAfter(ctx),
      budgetExhausted: true,
      seq: ctx.log.last(),
    });
  promoteDeferred(ctx.sql, ctx.now);
  const runtime = input.runtime ?? ctx.caller.runtime;
  const parent = input.parentTaskId;
  const filter = parent === undefined ? input : { ...input, parentTaskId: resolveId(ctx, parent) };
  const claimant = { runtime, capabilities: ctx.caller.capabilities };
  const claims: Grant[] = [];
  let examined = 0;
  let place: QueuePlace | null = null;
  let exhausted = false;
  while (claims.length < input.limit && !exhausted && examined < CLAIM_SCAN_MAX) {
    // The first page is what an unfiltered call needs; a filtered one then reads in larger steps.
    const page: number = examined === 0 ? input.limit : Math.min(200, CLAIM_SCAN_MAX - examined);
    const rows = readyTasks(ctx.sql, ctx.board.settings.readyOrder, page, place);
    exhausted = rows.length < page;
    examined += rows.length;
    const last = rows.at(-1);
    if (last !== undefined) place = placeOf(last, ctx.board.settings.readyOrder);
    for (const task of rows) {
      if (claims.length === input.limit) break;
      if (!matches(task, filter) || obstacleToClaim(ctx, task, claimant, false) !== null) continue;
      const grant = grantTask(ctx, task, { agentId: ctx.caller.sub, runtime });
      if (grant !== null) claims.push(grant);
    }
  }
  const scanLimit = claims.length < input.limit && !exhausted;
  return accept({
    claims,
    seq: ctx.log.last(),
    ...(claims.length === 0 ? { retryAfterMs: retryAfter(ctx) } : {}),
    ...(scanLimit ? { scanLimit: true as const } : {}),
  });
}

function matches(task: TaskRow, input: ClaimNext): boolean {
  return (
    (input.teamId === undefined || task.team_id === input.teamId) &&
    (input.kind === undefined || task.kind === input.kind) &&
    (input.parentTaskId === undefined || task.parent_task_id === input.parentTaskId) &&
    (input.labels === undefined || includesAll(JSON.parse(task.labels), input.labels))
  );
}

function includesAll(have: string[], wanted: string[]): boolean {
  return wanted.every((label) => have.includes(label));
}

function retryAfter(ctx: Context): number {
  return Math.floor(RETRY_AFTER_MS * (1 + ctx.random()));
}
