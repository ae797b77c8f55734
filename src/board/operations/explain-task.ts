/** Why a task is not ready, or not this caller's to claim; what it waits for, and who has to act. */
import type { ChainLink, Explanation, ExplanationNote } from "../../contract/insight.ts";
import {
  BLOCKERS_SHOWN,
  BLOCKS_SCAN_MAX,
  CHAIN_MAX,
  CHAIN_SCAN_MAX,
  NOTES_MAX,
  RECURRING_BLOCKS,
  RELATIVES_SCAN_MAX,
} from "../../contract/limits.ts";
import { accept, type Refusal, type Result, refuse } from "../../contract/result.ts";
import { mustActOn, mustActOnRefusal, type Placed, type Standing, standingOf } from "../../rules/explain.ts";
import { isReady } from "../../rules/readiness.ts";
import { includesRole } from "../../rules/roles.ts";
import { isLocked, isTerminal } from "../../rules/status.ts";
import type { Context } from "../context.ts";
import { countBlocks } from "../store/blocks.ts";
import { openBlockersOf } from "../store/dependencies.ts";
import { type Frontier, frontierOf, type LinkRow, waitingRelatives } from "../store/open-chain.ts";
import type { ExecutionRow, TaskRow } from "../store/rows.ts";
import { runningExecutions } from "../store/running.ts";
import { readinessOf, viewLease, viewRef } from "../view.ts";
import { attemptsOf } from "./attempts.ts";
import { holderOf, refusalsOfClaim } from "./claim-refusal.ts";
import { requireTask } from "./find-task.ts";

const NOTHING_OPEN: Frontier = { links: [], circular: false, truncated: false };

export function explainTask(ctx: Context, id: string): Result<Explanation> {
  const found = requireTask(ctx, id);
  if (!found.ok) return found;
  const { task } = found;
  const waits = task.open_deps > 0 && !isTerminal(task.status);
  const blockers = waits ? openBlockersOf(ctx.sql, task.id, BLOCKERS_SHOWN + 1) : [];
  const frontier = waits ? frontierOf(ctx.sql, task.id, CHAIN_SCAN_MAX, CHAIN_MAX) : NOTHING_OPEN;
  const locked = [task, ...frontier.links].filter(({ status }) => isLocked(status)).map((row) => row.id);
  const running = locked.length === 0 ? [] : runningExecutions(ctx.sql, locked);
  const runs = new Map(running.map((run) => [run.task_id, run]));
  const place = (row: LinkRow | TaskRow) => placeOf(ctx, row, runs.get(row.id) ?? null);
  const placed = frontier.links.map(place);
  const blocks =
    task.status === "blocked" ? countBlocks(ctx.sql, task.id, task.blocked_reason, BLOCKS_SCAN_MAX) : 0;
  const reasons = [...refusals(ctx, task)].map((refusal) => ({
    ...viewReason(task, refusal),
    // A drop is a reason of its own: for the others the task stands where it stood.
    mustAct: mustActOnRefusal(refusal.reason, place({ ...task, dropped: 0 }), placed),
    ...(refusal.extra?.["taskStatus"] === "blocked" ? viewBlock(ctx, task, blocks) : {}),
  }));
  return accept({
    task: { ...viewRef(task), taskStatus: task.status, dropped: task.dropped === 1 },
    ready: isReady(readinessOf(task), ctx.now),
    claimable: reasons.length === 0,
    reasons,
    blockers: blockers.slice(0, BLOCKERS_SHOWN).map((row) => ({ ...viewRef(row), onCancel: row.on_cancel })),
    chain: frontier.links.map((row) => viewLink(ctx, row, place(row).standing, runs.get(row.id) ?? null)),
    notes: [...circles(task, frontier, waits), ...recurring(task, blocks), ...familyNotes(ctx, task)].slice(
      0,
      NOTES_MAX,
    ),
    truncated: frontier.truncated || blockers.length > BLOCKERS_SHOWN,
  });
}

/** What the same caller's claim is refused for, from the role on; a claim tells the first. */
function* refusals(ctx: Context, task: TaskRow): Generator<Refusal> {
  if (!includesRole(ctx.caller.role, "worker")) yield refuse("forbidden", "A viewer may not claim.");
  if (ctx.board.archived)
    yield refuse("board_archived", "The board is archived: it can be read, not changed.");
  if (task.dropped === 1) yield refuse("task_not_found", "The task was dropped.");
  const { runtime, capabilities } = ctx.caller;
  yield* refusalsOfClaim(ctx, task, { runtime, capabilities }, false);
}

/** The open blockers stand beside the reasons, and what to do is `mustAct`. */
function viewReason(task: TaskRow, refusal: Refusal) {
  const { openBlockers: _blockers, hint: _hint, ...facts } = refusal.extra ?? {};
  const open = refusal.reason === "not_ready" ? { openDependencies: task.open_deps } : {};
  return { code: refusal.reason, detail: refusal.detail, ...facts, ...open };
}

function viewBlock(ctx: Context, task: TaskRow, timesBlocked: number) {
  return { blockedReason: task.blocked_reason, timesBlocked, attempts: attemptsOf(ctx, task.id) };
}

function recurring(task: TaskRow, blocks: number): ExplanationNote[] {
  if (blocks < RECURRING_BLOCKS) return [];
  const detail = `n${task.number} was blocked ${blocks} times for this reason: to unblock it once more will hardly help.`;
  return [{ kind: "recurring_block", detail }];
}

function placeOf(ctx: Context, row: LinkRow | TaskRow, run: ExecutionRow | null): Placed {
  const stance = { ...readinessOf(row), lease: run === null ? null : viewLease(ctx, run).state };
  return { number: row.number, standing: standingOf(stance, ctx.now) };
}

function viewLink(ctx: Context, row: LinkRow, standing: Standing, run: ExecutionRow | null): ChainLink {
  const holder = holderOf(ctx, row, run);
  return {
    ...viewRef(row),
    state: stateOf(standing),
    dropped: row.dropped === 1,
    mustAct: mustActOn({ number: row.number, standing }),
    ...(holder === null ? {} : { holder }),
    ...(row.status === "blocked" ? { blockedReason: row.blocked_reason } : {}),
    ...(standing === "deferred" ? { notBefore: row.not_before } : {}),
  };
}

function stateOf(standing: Standing): ChainLink["state"] {
  switch (standing) {
    case "cancelled":
    case "dropped":
      return "unreachable";
    case "waiting":
    case "done":
      // The frontier holds neither: what waits is passed, and what is done holds nobody up.
      throw new Error(`a link of the chain is ${standing}`);
    default:
      return standing;
  }
}

function circles(task: TaskRow, frontier: Frontier, waits: boolean): ExplanationNote[] {
  const stuck = waits && frontier.links.length === 0 && !frontier.truncated;
  if (!frontier.circular && !stuck) return [];
  const what = frontier.circular ? `n${task.number}` : `What n${task.number} waits for`;
  return [{ kind: "cycle", detail: `${what} waits for itself: its edges were damaged.` }];
}

/** Such an edge is legal and easily taken for the cause: hierarchy holds nobody back. */
function familyNotes(ctx: Context, task: TaskRow): ExplanationNote[] {
  if (isTerminal(task.status)) return [];
  return waitingRelatives(ctx.sql, task.id, RELATIVES_SCAN_MAX, NOTES_MAX).map((row) => {
    const [self, other] = [`n${task.number}`, `n${row.number}`];
    const relation = row.ancestor === 1 ? "ancestor" : "descendant";
    const wait = row.upstream === 1 ? `${self} waits for ${other}` : `${other} waits for ${self}`;
    return {
      kind: "family",
      detail: `${wait}, its own ${row.upstream === 1 ? relation : opposite(relation)}. That is legal: hierarchy itself holds no task back.`,
      task: viewRef(row),
    };
  });
}

function opposite(relation: "ancestor" | "descendant"): "ancestor" | "descendant" {
  return relation === "ancestor" ? "descendant" : "ancestor";
}
