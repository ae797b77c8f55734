/** Money summed in whole micro-dollars: by beat, run, task and board, whatever is reported and however often. */
import { evictDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { saveBeatReport } from "../../src/board/store/running.ts";
import { SUM_MAX } from "../../src/contract/limits.ts";
import { toMicros, toUsd } from "../../src/rules/budget.ts";
import { call, ok, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { beat, complete, held, told } from "../support/spending.ts";

const spent = async (board: TestBoard): Promise<number> =>
  ok(await call(board.lead, "GET", `${board.path}/stats`)).spent.costUsd;

it("20 reports of 1 at once are 20, and the twentieth is the one that stops", async () => {
  const work = await held({ budgetUsd: 20 }, { budgetUsd: 20 });
  const beats = await Promise.all(Array.from({ length: 20 }, () => beat(work, 1)));
  expect(beats.filter(({ directives }) => directives.length === 2)).toHaveLength(1);
  expect((await work.board.get(work.id)).costUsd).toBe(20);
  expect(await spent(work.board)).toBe(20);
  expect(await told(work.board)).toEqual([
    "task budget_warning: 16 of 20",
    "board budget_warning: 16 of 20",
    "task budget_stopped: 20 of 20",
    "board budget_stopped: 20 of 20",
  ]);
});

it("ten reports of 0.1 are 1 and no less, in beats, runs, the task and the board", async () => {
  const work = await held({ budgetUsd: 1 });
  for (let time = 0; time < 7; time++) await beat(work, 0.1);
  const { execution, task } = await complete(work, { costUsd: 0.3 });
  expect([execution.costUsd, task.costUsd, await spent(work.board)]).toEqual([1, 1, 1]);
  expect((await told(work.board)).at(-1)).toBe("task budget_stopped: 1 of 1");
});

it("sums hold over many small reports, where floating point drifts", async () => {
  const work = await held();
  await inside(work.board, ({ sql }) => {
    const report = { progress: null, inputTokens: 1, outputTokens: 1, costMicros: toMicros(0.123457) };
    for (let time = 0; time < 1_000; time++) saveBeatReport(sql, work.id, 1, time, report);
  });
  expect((await work.board.get(work.id)).costUsd).toBe(123.457);
  expect(Array.from({ length: 1_000 }, () => 0.123457).reduce((sum, each) => sum + each)).not.toBe(123.457);
});

it("sums stay readable whatever holders report", async () => {
  const work = await held();
  const most = { inputTokens: 1e12, outputTokens: 1e12, costUsd: 1e9 };
  const { board, worker, id, leaseToken } = work;
  await inside(board, ({ sql }) => {
    sql.run(
      "update execution_processes set beat_cost_usd = 9007199254, beat_input_tokens = 9007199254740000",
    );
    sql.run("update board_usage set cost_micros = 9007199254740990");
  });
  ok(await call(worker, "POST", `${board.path}/tasks/${id}/heartbeat`, { leaseToken, usage: most }));
  await complete(work, { costUsd: 1e9, inputTokens: 1e12 });
  expect(await spent(board)).toBe(toUsd(SUM_MAX));
  ok(await call(board.lead, "GET", `${board.path}/agents`));
  ok(await call(board.lead, "GET", `${board.path}/tasks/${id}?include=executions`));
});

it("a board older than its counters gains them with what its ledger says", async () => {
  const work = await held();
  const { board } = work;
  await beat(work, 0.25);
  await complete(work, { costUsd: 0.5, inputTokens: 10, cacheRead: 3 });
  const before = ok(await call(board.lead, "GET", `${board.path}/stats`));
  await inside(board, ({ sql }) => {
    sql.run("drop table board_usage");
    sql.run("drop table run_stats");
    sql.run("update board set schema_fingerprint = 'old'");
  });
  await evictDurableObject(board.stub());
  const after = ok(await call(board.lead, "GET", `${board.path}/stats`));
  expect(after).toEqual(before);
  expect(after.spent).toEqual({
    costUsd: 0.75,
    inputTokens: 10,
    outputTokens: 0,
    cacheRead: 3,
    cacheWrite: 0,
  });
});
