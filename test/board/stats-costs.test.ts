/** What counting runs and reading the counters costs, in rows. */
import { expect, it } from "vitest";
import { claimTask } from "../../src/board/operations/claim-task.ts";
import { describeStats } from "../../src/board/operations/describe-stats.ts";
import { listAgents } from "../../src/board/operations/list-agents.ts";
import { sweepStale } from "../../src/board/operations/sweep-stale.ts";
import { addRuns } from "../../src/board/store/run-stats.ts";
import { newBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { inside, LEAD, WORKER } from "../support/inside.ts";
import { cost, counters, DAY, MIDNIGHT, NOW, run, TTL, value } from "../support/runs.ts";

const COUNTERS = /run_stats/;

it("the end of a run writes one row, of its agent's day, and what it used another", async () => {
  const board = await newBoard();
  await inside(board, (visit) => {
    fill(visit.sql, { count: 3, priority: 0 });
    const end = (number: number, word?: object) => () =>
      run(visit, { number, claimedAt: NOW, endedAt: NOW, ...(word === undefined ? {} : { word }) });
    expect(cost(visit, end(1), COUNTERS)).toEqual({ read: 1, written: 1 });
    expect(cost(visit, end(2), COUNTERS)).toEqual({ read: 1, written: 1 });
    expect(cost(visit, end(3, { costUsd: 1 }), /board_usage|run_stats/)).toEqual({ read: 2, written: 2 });
  });
});

it("a sweep of 200 runs writes one row for each agent and runtime among them, in one statement", async () => {
  const board = await newBoard({ maxAttempts: 0 });
  await inside(board, (visit) => {
    fill(visit.sql, { count: 200, priority: 0 });
    for (let number = 1; number <= 200; number++)
      value(claimTask(visit.context(NOW, { ...WORKER, sub: `agent-${number % 4}` }), { id: `n${number}` }));
    const start = visit.costs.length;
    const swept = cost(visit, () => expect(sweepStale(visit.context(NOW + TTL))).toBe(200), COUNTERS);
    expect(swept.written).toBe(4);
    expect(visit.costs.slice(start).filter(({ query }) => COUNTERS.test(query))).toHaveLength(1);
    const { byAgent } = value(describeStats(visit.context(NOW + TTL), { days: 1 }));
    expect(byAgent.map(({ outcomes }) => outcomes.timed_out)).toEqual([50, 50, 50, 50]);
  });
});

it("stats read a row for each counter of their days and two for each agent, however much there is", async () => {
  const board = await newBoard();
  await inside(board, (visit) => {
    const today = MIDNIGHT / DAY;
    const of = (agent: number, from: number, to: number) =>
      Array.from({ length: to - from }, (_, day) => ({
        agent_id: `agent-${agent}`,
        day: today - from - day,
      }));
    for (let agent = 0; agent < 10; agent++) addRuns(visit.sql, counters(of(agent, 0, 200)));
    fill(visit.sql, { count: 10_000, priority: 0 });
    const read = (days: number) => cost(visit, () => describeStats(visit.context(NOW), { days })).read;
    const [week, month] = [read(7), read(30)];
    expect(month - week).toBe(10 * 23);
    expect(week).toBeLessThanOrEqual(10 * 7 + 4 * 10 + 10);
  });
});

it("a page of agents reads in proportion to its agents, their days and what they hold", async () => {
  const board = await newBoard();
  await inside(board, (visit) => {
    const named = (agent: number) => `agent-${String(agent).padStart(4, "0")}`;
    const all = Array.from({ length: 1_000 }, (_, agent) => ({ agent_id: named(agent) }));
    addRuns(visit.sql, counters(all));
    fill(visit.sql, { count: 5_000, priority: 0, status: "done" });
    visit.sql.run("update tasks set assignee_agent_id = ?", named(0));
    fill(visit.sql, { count: 5, priority: 0 });
    for (let task = 5_001; task <= 5_005; task++)
      value(claimTask(visit.context(NOW, { ...WORKER, sub: named(1) }), { id: `n${task}` }));
    const list = (limit: number) =>
      cost(visit, () => {
        const page = value(listAgents(visit.context(NOW, LEAD), { after: "", days: 30, limit }));
        expect(page.agents).toHaveLength(limit);
        expect(page.agents[1]).toMatchObject({ held: 5 });
      }).read;
    const [ten, twenty] = [list(10), list(20)];
    expect(ten).toBeLessThan(200);
    expect(twenty - ten).toBeLessThanOrEqual(10 * 10);
  });
});
