/**
 * Budgets: how far one is spent, and what has to be told of it. Money is whole micro-dollars here, rounded once
 * when it comes in, so that sums are exact: ten reports of 0.1 are 1.
 */
import { BUDGET_MARKS, MICROS_PER_USD, SUM_MAX } from "../contract/limits.ts";

/** What was spent of a budget, both in micro-dollars. Null wherever there is no budget. */
export interface Account {
  spent: number;
  budget: number;
}

export type BudgetMark = keyof typeof BUDGET_MARKS;

/** Dollars as whole micro-dollars; more than can be counted exactly is as much as can be. */
export function toMicros(usd: number): number {
  return Math.min(Math.round(usd * MICROS_PER_USD), SUM_MAX);
}

/** Micro-dollars as dollars. */
export function toUsd(micros: number): number {
  return micros / MICROS_PER_USD;
}

/** Dollars in whole micro-dollars, as the ledger keeps them. */
export function roundUsd(usd: number): number {
  return toUsd(toMicros(usd));
}

/** Nothing may be started on it any more. A budget of nothing is spent from the start. */
export function isExhausted(account: Account | null): account is Account {
  return account !== null && account.spent >= account.budget;
}

/**
 * The marks an account reached on its way from `before` to `after`, in their order: by spending, or because its
 * budget was set or lowered. A raised budget leaves the marks above what is spent to be reached again.
 */
export function marksReached(before: Account | null, after: Account | null): BudgetMark[] {
  const marks = Object.keys(BUDGET_MARKS) as BudgetMark[];
  return marks.filter((mark) => hasReached(after, mark) && !hasReached(before, mark));
}

/** As long as nothing is spent there is nothing to tell, whatever the budget. */
function hasReached(account: Account | null, mark: BudgetMark): boolean {
  if (account === null || account.spent === 0) return false;
  return account.spent * 100 >= account.budget * BUDGET_MARKS[mark];
}
