/** A board in numbers: what its runs came to, by day, agent and runtime, and who holds what. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { claimTask } from "../../src/board/operations/claim-task.ts";
import { completeTask } from "../../src/board/operations/complete-task.ts";
import { describeStats } from "../../src/board/operations/describe-stats.ts";
import { listAgents } from "../../src/board/operations/list-agents.ts";
import { sweepStale } from "../../src/board/operations/sweep-stale.ts";
import type { RunStatsRow } from "../../src/board/store/rows.ts";
import { addRuns } from "../../src/board/store/run-stats.ts";
import type { Agent, Stats } from "../../src/contract/stats.ts";
import { call, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { backdate, type Inside, inside, LEAD, WORKER } from "../support/inside.ts";

const NOW = Date.UTC(2027, 0, 15, 8);
const DAY = 86_400_000;
const MIDNIGHT = Date.UTC(2027, 0, 15);
const TTL = 180_000;

function value<T>(result: { ok: true; value: T } | { ok: false; reason: string }): T {
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

const stats = async (board: TestBoard, query = ""): Promise<Stats> =>
  ok(await call(board.lead, "GET", `${board.path}/stats${query}`));

const agents = async (board: TestBoard, query = ""): Promise<Agent[]> =>
  ok(await call(board.lead, "GET", `${board.path}/agents${query}`)).agents;

interface Run {
  /** The task's number. */
  number: number;
  agentId?: string;
  runtime?: string;
  claimedAt: number;
  endedAt: number;
  word?: object;
}

/** Claims a task and completes it, at times of the test's own. */
function run({ context }: Inside, { number, agentId = "ada", runtime, claimedAt, endedAt, word }: Run): void {
  const caller = { ...WORKER, sub: agentId };
  const { lease } = value(
    claimTask(context(claimedAt, caller), {
      id: `n${number}`,
      ...(runtime === undefined ? {} : { runtime }),
    }),
  );
  value(
    completeTask(context(endedAt, caller), {
      id: `n${number}`,
      lease: { kind: "signed", ...lease },
      outcome: "succeeded",
      status: "done",
      ...word,
    }),
  );
}

/** Counters as rows, each of one success. */
function counters(fields: Partial<RunStatsRow>[]): RunStatsRow[] {
  return fields.map((each) => ({
    day: MIDNIGHT / DAY,
    agent_id: "ada",
    runtime: "",
    succeeded: 1,
    failed: 0,
    timed_out: 0,
    cancelled: 0,
    released: 0,
    cycle_ms: 0,
    waits: 0,
    waited_ms: 0,
    input_tokens: 0,
    output_tokens: 0,
    cache_read: 0,
    cache_write: 0,
    cost_micros: 0,
    tenant_id: null,
    ...each,
  }));
}

/** Rows read and written by `work`; with a pattern, by the statements that match it. */
function cost(visit: Inside, work: () => unknown, pattern = /./): { read: number; written: number } {
  const start = visit.costs.length;
  work();
  const counted = visit.costs.slice(start).filter(({ query }) => pattern.test(query));
  return {
    read: counted.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    written: counted.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
  };
}

const NOTHING = { succeeded: 0, failed: 0, timed_out: 0, cancelled: 0, released: 0 };

describe("stats", () => {
  it("of a new board are all nought, and averages of nothing are null", async () => {
    const board = await newBoard();
    const answer = await stats(board);
    expect(answer).toMatchObject({
      days: 30,
      counts: { todo: 0, done: 0 },
      spent: { costUsd: 0, inputTokens: 0 },
      total: { outcomes: NOTHING, retries: 0, cycle: { averageMs: null, count: 0 }, costUsd: 0 },
      throughput: [],
      byAgent: [],
      byRuntime: [],
    });
    expect(answer.since % DAY).toBe(0);
  });

  it("count every way a run ends, once, where it ends", async () => {
    const board = await newBoard({ backoff: { firstMs: 0, stepMs: 0, maxMs: 0 }, maxAttempts: 0 });
    const worker = await board.mint("ada", "worker", { runtime: "node" });
    const claim = async (title: string) => {
      const { id } = await board.add({ title });
      const { lease } = await board.claim(id, worker);
      return { id, path: `${board.path}/tasks/${id}`, leaseToken: lease.token as string };
    };
    const done = await claim("succeeds");
    const word = { leaseToken: done.leaseToken, outcome: "succeeded", status: "done" };
    for (let time = 0; time < 2; time++) ok(await call(worker, "POST", `${done.path}/complete`, word));
    const failed = await claim("fails");
    ok(
      await call(worker, "POST", `${failed.path}/complete`, {
        leaseToken: failed.leaseToken,
        outcome: "failed",
        status: "blocked",
      }),
    );
    const released = await claim("is released");
    ok(await call(worker, "POST", `${released.path}/release`, { leaseToken: released.leaseToken }));
    const cancelled = await claim("is cancelled");
    ok(await call(board.lead, "PATCH", cancelled.path, { status: "cancelled" }));
    const dropped = await claim("is dropped");
    ok(await call(board.lead, "DELETE", dropped.path));
    const displaced = await claim("is displaced");
    ok(await call(board.lead, "PATCH", displaced.path, { status: "blocked", displace: true }));
    for (const title of ["dies", "dies too"]) await backdate(board, (await claim(title)).id, TTL);
    await runDurableObjectAlarm(board.stub());
    await claim("goes on");
    const { total, throughput, byAgent, byRuntime, counts } = await stats(board);
    const outcomes = { succeeded: 1, failed: 1, timed_out: 2, cancelled: 3, released: 1 };
    expect(total).toMatchObject({ outcomes, retries: 3, cycle: { count: 1 }, wait: { count: 8 } });
    expect(throughput).toMatchObject([{ outcomes }]);
    expect(byAgent).toMatchObject([{ agentId: "ada", outcomes }]);
    expect(byRuntime).toMatchObject([{ runtime: "node", outcomes }]);
    expect(counts).toMatchObject({ done: 1, in_progress: 1, cancelled: 1 });
  });

  it("tell how long runs took, and how long tasks waited since they could be claimed", async () => {
    const board = await newBoard();
    const first = await board.add({ title: "first" });
    await board.add({ title: "second", dependsOn: [first.id] });
    await board.add({ title: "third", notBefore: NOW });
    await inside(board, (visit) => {
      visit.sql.run("update tasks set ready_since = ?", NOW - 60_000);
      // Waits a minute and takes ten seconds; the second is ready when it is done, and waits five.
      run(visit, { number: 1, claimedAt: NOW, endedAt: NOW + 10_000 });
      run(visit, { number: 2, claimedAt: NOW + 15_000, endedAt: NOW + 45_000 });
      // Not claimable before its time: it waited one second.
      run(visit, { number: 3, claimedAt: NOW + 1_000, endedAt: NOW + 6_000 });
      const { total } = value(describeStats(visit.context(NOW + 60_000), { days: 1 }));
      expect(total.cycle).toEqual({ averageMs: 15_000, count: 3 });
      expect(total.wait).toEqual({ averageMs: 22_000, count: 3 });
    });
  });

  it("count no wait where a lead took a task before its time, or went on by hand", async () => {
    const board = await newBoard();
    const blocker = await board.add({ title: "blocker" });
    const early = await board.add({ title: "early", dependsOn: [blocker.id] });
    const byHand = await board.add({ title: "by hand" });
    const path = (id: string) => `${board.path}/tasks/${id}`;
    ok(await call(board.lead, "POST", `${path(early.id)}/claim`, { ignoreDependencies: true }));
    ok(await call(board.lead, "PATCH", path(byHand.id), { status: "in_progress" }));
    ok(await call(board.lead, "POST", `${path(byHand.id)}/executions`, {}), 201);
    for (const { id } of [early, byHand])
      ok(await call(board.lead, "PATCH", path(id), { status: "cancelled" }));
    expect((await stats(board)).total).toMatchObject({ outcomes: { cancelled: 2 }, wait: { count: 0 } });
  });

  it("tell days apart by UTC, newest first, and look back as far as asked", async () => {
    const board = await newBoard();
    for (const title of ["a", "b", "c"]) await board.add({ title });
    await inside(board, (visit) => {
      visit.sql.run("update tasks set ready_since = 0");
      run(visit, { number: 1, claimedAt: MIDNIGHT - 2 * DAY, endedAt: MIDNIGHT - 2 * DAY });
      run(visit, { number: 2, claimedAt: MIDNIGHT - 5, endedAt: MIDNIGHT - 1 });
      // Counted where it ended.
      run(visit, { number: 3, claimedAt: MIDNIGHT - 5, endedAt: MIDNIGHT });
      const days = (count: number) => {
        const { since, throughput, total } = value(describeStats(visit.context(NOW), { days: count }));
        return [since, throughput.map(({ day }) => day), total.outcomes.succeeded];
      };
      expect(days(1)).toEqual([MIDNIGHT, [MIDNIGHT], 1]);
      expect(days(2)).toEqual([MIDNIGHT - DAY, [MIDNIGHT, MIDNIGHT - DAY], 2]);
      expect(days(366)).toEqual([MIDNIGHT - 365 * DAY, [MIDNIGHT, MIDNIGHT - DAY, MIDNIGHT - 2 * DAY], 3]);
    });
  });

  it("add up cost and tokens by agent and runtime, of beats and last words", async () => {
    const board = await newBoard();
    const word = (costUsd: number) => ({
      costUsd,
      inputTokens: 100,
      outputTokens: 10,
      cacheRead: 5,
      cacheWrite: 1,
    });
    for (const title of ["a", "b", "c"]) await board.add({ title });
    await inside(board, (visit) => {
      visit.sql.run("update tasks set ready_since = 0");
      const run1 = (number: number, agentId: string, runtime: string | undefined, costUsd: number) =>
        run(visit, {
          number,
          agentId,
          claimedAt: NOW,
          endedAt: NOW,
          word: word(costUsd),
          ...(runtime === undefined ? {} : { runtime }),
        });
      run1(1, "ada", "node", 0.1);
      run1(2, "ada", undefined, 0.2);
      run1(3, "bob", "node", 1);
      const { total, spent, byAgent, byRuntime } = value(describeStats(visit.context(NOW), { days: 1 }));
      const used = { costUsd: 1.3, inputTokens: 300, outputTokens: 30, cacheRead: 15, cacheWrite: 3 };
      expect(total).toMatchObject(used);
      expect(spent).toEqual(used);
      expect(byAgent.map(({ agentId, costUsd }) => [agentId, costUsd])).toEqual([
        ["ada", 0.3],
        ["bob", 1],
      ]);
      expect(byRuntime.map(({ runtime, costUsd, inputTokens }) => [runtime, costUsd, inputTokens])).toEqual([
        ["node", 1.1, 200],
        [null, 0.2, 100],
      ]);
    });
  });

  it("spent is what running runs report, at once; the days have it when the run ends", async () => {
    const board = await newBoard();
    const worker = await board.mint("ada");
    const { id } = await board.add({ title: "t" });
    const { lease } = await board.claim(id, worker);
    const usage = { costUsd: 0.7, inputTokens: 9, outputTokens: 2 };
    const path = `${board.path}/tasks/${id}`;
    ok(await call(worker, "POST", `${path}/heartbeat`, { leaseToken: lease.token, usage }));
    expect(await stats(board)).toMatchObject({ spent: usage, total: { costUsd: 0 } });
    expect((await agents(board)).find(({ agentId }) => agentId === "ada")?.costUsd).toBe(0.7);
    ok(await call(worker, "POST", `${path}/release`, { leaseToken: lease.token }));
    expect(await stats(board)).toMatchObject({ spent: usage, total: usage });
    expect((await agents(board)).find(({ agentId }) => agentId === "ada")?.costUsd).toBe(0.7);
  });

  it("refuse more days than a year has", async () => {
    const board = await newBoard();
    for (const days of ["0", "367", "x", "-1"])
      refused(await call(board.lead, "GET", `${board.path}/stats?days=${days}`), 400, "invalid_request");
    expect((await stats(board, "?days=366")).days).toBe(366);
    const viewer = await board.mint("eye", "viewer");
    ok(await call(viewer, "GET", `${board.path}/stats`));
  });
});

describe("agents", () => {
  it("are those with a token, a run or a task, by name, with what each holds and when it was seen", async () => {
    const board = await newBoard();
    const ada = await board.mint("ada");
    await board.mint("ada", "verifier");
    await board.mint("bob", "viewer");
    const [first, second, third] = [
      await board.add({ title: "first" }),
      await board.add({ title: "second" }),
      await board.add({ title: "third" }),
    ];
    const { lease } = await board.claim(first.id, ada);
    await board.claim(second.id, board.lead, { assigneeAgentId: "ghost" });
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${third.id}`, { status: "in_progress" }));
    const shown = await agents(board);
    expect(shown.map(({ agentId, roles, held }) => [agentId, roles.toSorted(), held])).toEqual([
      ["ada", ["verifier", "worker"], 1],
      ["bob", ["viewer"], 0],
      ["ghost", [], 1],
      ["lead", ["lead"], 1],
    ]);
    const [adas, bobs, , leads] = shown;
    expect(adas?.tasks).toEqual([
      { id: first.id, number: 1, title: "first", status: "in_progress", expiresAt: lease.expiresAt },
    ]);
    expect(adas?.lastSeenAt).toBeGreaterThanOrEqual(lease.expiresAt - TTL);
    expect(bobs?.lastSeenAt).toBeNull();
    expect(leads?.tasks).toMatchObject([{ id: third.id, expiresAt: null }]);
  });

  it("show a held task in review, and none that is only waiting for its reviewer", async () => {
    const board = await newBoard();
    const ada = await board.mint("ada");
    const [held, handedIn] = [await board.add({ title: "held" }), await board.add({ title: "handed in" })];
    const review = async (id: string, body: object) => {
      const { lease } = await board.claim(id, ada);
      return { ...body, leaseToken: lease.token };
    };
    const path = (id: string) => `${board.path}/tasks/${id}`;
    const inReview = await review(held.id, { status: "in_review" });
    ok(await call(ada, "PATCH", path(held.id), inReview));
    const finished = await review(handedIn.id, { outcome: "succeeded", status: "in_review" });
    ok(await call(ada, "POST", `${path(handedIn.id)}/complete`, finished));
    const [adas] = await agents(board);
    expect(adas?.tasks).toMatchObject([{ id: held.id, status: "in_review" }]);
    expect(adas).toMatchObject({ held: 1, outcomes: { succeeded: 1 }, successRate: 1 });
  });

  it("have the runs of the days asked for, and a rate of those that ended by themselves", async () => {
    const board = await newBoard();
    await inside(board, (visit) => {
      const today = MIDNIGHT / DAY;
      addRuns(
        visit.sql,
        counters([
          { succeeded: 3, failed: 1, cancelled: 5, released: 2, cost_micros: 2_500_000 },
          { runtime: "node", succeeded: 0, timed_out: 1 },
          { day: today - 1, succeeded: 10, cost_micros: 1 },
          { agent_id: "bob", succeeded: 0, released: 1 },
        ]),
      );
      const page = (days: number) =>
        value(listAgents(visit.context(NOW), { after: "", days, limit: 10 })).agents;
      const [ada, bob, lead] = page(1);
      expect(ada).toMatchObject({
        agentId: "ada",
        outcomes: { succeeded: 3, failed: 1, timed_out: 1, cancelled: 5, released: 2 },
        successRate: 0.6,
        costUsd: 2.5,
      });
      expect(bob).toMatchObject({ agentId: "bob", outcomes: { released: 1 }, successRate: null });
      expect(lead).toMatchObject({ agentId: "lead", outcomes: NOTHING, successRate: null });
      expect(page(2)[0]).toMatchObject({ outcomes: { succeeded: 13 }, costUsd: 2.500001 });
    });
  });

  it("come in pages that miss nobody, whatever names they have", async () => {
    const board = await newBoard();
    const names = ["Zed", "a", "a'b", "aa", "é", "z", '"quoted"', "名", "lead"];
    for (const name of names) await board.mint(name);
    const walked: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page = ok(await call(board.lead, "GET", `${board.path}/agents?limit=2${query}`));
      walked.push(...page.agents.map(({ agentId }: Agent) => agentId));
      expect(page.hasMore).toBe(page.nextCursor !== null);
      cursor = page.nextCursor;
    }
    expect(walked.toSorted()).toEqual(names.toSorted());
    expect(walked).toHaveLength(names.length);
  });

  it("show no role of a revoked token, and no token at all", async () => {
    const board = await newBoard();
    await board.mint("ada");
    const { tokens } = ok(await call(board.lead, "GET", `${board.path}/tokens`));
    const adas = tokens.find(({ agentId }: Agent) => agentId === "ada");
    ok(await call(board.lead, "DELETE", `${board.path}/tokens/${adas.id}`), 204);
    const reply = await call(board.lead, "GET", `${board.path}/agents`);
    expect(ok(reply).agents[0]).toMatchObject({ agentId: "ada", roles: [] });
    expect(reply.text).not.toContain(adas.id);
  });
});

describe("in rows", () => {
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
});
