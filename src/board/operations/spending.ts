/**
 * How far budgets are spent, and the events that tell it, each once: they follow the primary event of the same
 * transaction. Where no budget is set, nothing is read and nothing is written.
 */
import { type Refusal, refuse } from "../../contract/result.ts";
import { type Account, isExhausted, marksReached, toMicros, toUsd } from "../../rules/budget.ts";
import type { Context } from "../context.ts";
import { costOf } from "../store/executions.ts";
import type { ExecutionRow, TaskRow } from "../store/rows.ts";
import { saveChangeSeq } from "../store/tasks.ts";
import { readUsage } from "../store/usage.ts";

/** Null where there is no budget. */
export interface Spending {
  task: Account | null;
  board: Account | null;
}

type Scope = keyof Spending;

export function spendingOf(ctx: Context, task: TaskRow): Spending {
  return { task: taskAccount(ctx, task), board: boardAccount(ctx, ctx.board.settings.budgetUsd) };
}

/** One row, where the board has this budget. */
export function boardAccount(ctx: Context, budgetUsd: number | null): Account | null {
  if (budgetUsd === null) return null;
  return { spent: readUsage(ctx.sql).cost_micros, budget: toMicros(budgetUsd) };
}

/** A row for each of the task's runs, where it has a budget and ever ran. */
function taskAccount(ctx: Context, task: TaskRow): Account | null {
  if (task.budget_usd === null) return null;
  const spent = task.epoch === 0 ? 0 : costOf(ctx.sql, task.id);
  return { spent, budget: toMicros(task.budget_usd) };
}

/** The spent budgets that keep this task from being claimed, its own first. */
export function* budgetObstacles(ctx: Context, task: TaskRow): Generator<Refusal> {
  const own = taskAccount(ctx, task);
  if (isExhausted(own)) yield exhausted("task", own);
  const board = boardAccount(ctx, ctx.board.settings.budgetUsd);
  if (isExhausted(board)) yield exhausted("board", board);
}

function exhausted(scope: Scope, account: Account): Refusal {
  return refuse("budget_exhausted", `${REASONS[scope]} Nothing more is started on it.`, {
    ...told(scope, account),
    hint:
      scope === "task"
        ? "Ask for the next ready task; a lead may raise this one's budgetUsd."
        : "Wait until a lead raises the board's budgetUsd.",
  });
}

/** Why holders are asked to stop, by what is spent. */
const REASONS: Record<Scope, string> = {
  task: "The task's budget is spent.",
  board: "The board's budget is spent.",
};

/** What a holder is told with every beat once a budget is spent. */
export function stopReasons(spending: Spending): string[] {
  const scopes: Scope[] = ["task", "board"];
  return scopes.filter((scope) => isExhausted(spending[scope])).map((scope) => REASONS[scope]);
}

/** Tells the marks that a report of this cost reached. `spending` is with it; the row has its last event. */
export function tellReport(ctx: Context, task: TaskRow, spending: Spending, costMicros: number): TaskRow {
  const without = (account: Account | null) =>
    account === null ? null : { ...account, spent: account.spent - costMicros };
  const after = tellTask(ctx, task, without(spending.task), spending.task);
  tellBoard(ctx, without(spending.board), spending.board);
  return after;
}

/** The same for what a closed run reported with its last word. */
export function tellRun(ctx: Context, task: TaskRow, closed: ExecutionRow): TaskRow {
  const costMicros = toMicros(closed.cost_usd);
  return costMicros === 0 ? task : tellReport(ctx, task, spendingOf(ctx, task), costMicros);
}

/** Tells the marks that were reached because the task's budget was set or lowered. */
export function tellTaskBudget(ctx: Context, before: TaskRow, after: TaskRow): TaskRow {
  if (before.budget_usd === after.budget_usd || after.budget_usd === null) return after;
  const account = taskAccount(ctx, after);
  const former =
    account === null || before.budget_usd === null
      ? null
      : { ...account, budget: toMicros(before.budget_usd) };
  return tellTask(ctx, after, former, account);
}

/** The same for the board's budget. */
export function tellBoardBudget(ctx: Context, beforeUsd: number | null, afterUsd: number | null): void {
  if (beforeUsd === afterUsd || afterUsd === null) return;
  const account = boardAccount(ctx, afterUsd);
  const former = account === null || beforeUsd === null ? null : { ...account, budget: toMicros(beforeUsd) };
  tellBoard(ctx, former, account);
}

function tellTask(ctx: Context, task: TaskRow, before: Account | null, after: Account | null): TaskRow {
  if (after === null) return task;
  let changeSeq = task.change_seq;
  for (const kind of marksReached(before, after)) {
    changeSeq = ctx.log.reserve();
    ctx.log.append({
      seq: changeSeq,
      kind,
      taskId: task.id,
      epoch: task.epoch,
      tenantId: task.tenant_id,
      data: told("task", after),
    });
  }
  if (changeSeq === task.change_seq) return task;
  saveChangeSeq(ctx.sql, task.number, changeSeq);
  return { ...task, change_seq: changeSeq };
}

function tellBoard(ctx: Context, before: Account | null, after: Account | null): void {
  if (after === null) return;
  for (const kind of marksReached(before, after))
    ctx.log.append({ seq: ctx.log.reserve(), kind, data: told("board", after) });
}

function told(scope: Scope, account: Account) {
  return { scope, spentUsd: toUsd(account.spent), budgetUsd: toUsd(account.budget) };
}
