import { describe, expect, it } from "vitest";
import { SUM_MAX } from "../../src/contract/limits.ts";
import {
  type Account,
  isExhausted,
  marksReached,
  roundUsd,
  toMicros,
  toUsd,
} from "../../src/rules/budget.ts";

const account = (spentUsd: number, budgetUsd: number | null): Account | null =>
  budgetUsd === null ? null : { spent: toMicros(spentUsd), budget: toMicros(budgetUsd) };

describe("money", () => {
  it.each([
    [0, 0],
    [1, 1_000_000],
    [0.1, 100_000],
    [1.005, 1_005_000],
    [0.000001, 1],
    [0.0000004, 0],
    [0.0000005, 1],
    [1e9, 1e15],
  ])("%d dollars are %d micro-dollars", (usd, micros) => {
    expect(toMicros(usd)).toBe(micros);
  });

  it("is summed exactly: ten times 0.1 is 1, three times 0.1 is 0.3", () => {
    const sum = (times: number) =>
      toUsd(Array.from({ length: times }, () => toMicros(0.1)).reduce((a, b) => a + b));
    expect(sum(10)).toBe(1);
    expect(sum(3)).toBe(0.3);
    expect(0.1 + 0.1 + 0.1).not.toBe(0.3);
  });

  it("is rounded to whole micro-dollars once, and stays as it is from then on", () => {
    expect(roundUsd(1.23456789)).toBe(1.234568);
    expect(roundUsd(roundUsd(1.23456789))).toBe(roundUsd(1.23456789));
    for (const usd of [0, 0.1, 0.7, 19.99, 123_456.654321]) expect(roundUsd(usd)).toBe(usd);
  });

  it("never becomes more than can be counted exactly", () => {
    expect(toMicros(1e300)).toBe(SUM_MAX);
    expect(Number.isSafeInteger(toMicros(1e10))).toBe(true);
  });
});

describe("a budget", () => {
  it.each([
    [0, 100, false],
    [99.999999, 100, false],
    [100, 100, true],
    [110, 100, true],
    [0, 0, true],
    [1_000, null, false],
  ])("of which %d is spent, of %s, is exhausted: %s", (spent, budget, exhausted) => {
    expect(isExhausted(account(spent, budget))).toBe(exhausted);
  });

  it.each<[string, Account | null, Account | null, string[]]>([
    ["under 80 %", account(0, 100), account(60, 100), []],
    ["just under 80 %", account(0, 100), account(79.999999, 100), []],
    ["at 80 %", account(60, 100), account(80, 100), ["budget_warning"]],
    ["between the marks", account(60, 100), account(99.999999, 100), ["budget_warning"]],
    ["at 100 %", account(80, 100), account(100, 100), ["budget_stopped"]],
    ["past both at once", account(60, 100), account(110, 100), ["budget_warning", "budget_stopped"]],
    ["beyond, where both were told", account(110, 100), account(500, 100), []],
    ["past the warning, told before", account(85, 100), account(90, 100), []],
    [
      "the first cent of a budget of nothing",
      account(0, 0),
      account(0.01, 0),
      ["budget_warning", "budget_stopped"],
    ],
    ["nothing of nothing", account(0, 0), account(0, 0), []],
    ["anything without a budget", account(0, null), account(1_000, null), []],
  ])("reaches what has to be told, once: %s", (_what, before, after, marks) => {
    expect(marksReached(before, after)).toEqual(marks);
  });

  it.each<[string, number | null, number | null, string[]]>([
    ["set far above what is spent", null, 1_000, []],
    ["set where 80 % is spent", null, 100, ["budget_warning"]],
    ["set below what is spent", null, 50, ["budget_warning", "budget_stopped"]],
    ["lowered to where 80 % is spent", 1_000, 100, ["budget_warning"]],
    ["lowered below what is spent", 100, 80, ["budget_stopped"]],
    ["raised", 80, 1_000, []],
    ["taken away", 50, null, []],
    ["set to nothing", 100, 0, ["budget_stopped"]],
  ])("tells at 85 spent what is reached when it is %s", (_what, before, after, marks) => {
    expect(marksReached(account(85, before), account(85, after))).toEqual(marks);
  });

  it("that is raised tells again the marks above what is spent, and no others", () => {
    const raised = marksReached(account(85, 100), account(85, 106));
    expect(raised).toEqual([]);
    // 80 % of 106 is 84.8: the warning stands.
    expect(marksReached(account(85, 106), account(106, 106))).toEqual(["budget_stopped"]);
    // 80 % of 200 is 160: it is told anew.
    expect(marksReached(account(85, 200), account(160, 200))).toEqual(["budget_warning"]);
  });
});
