/** A board in numbers: what its runs came to, by day, agent and runtime. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { describeStats } from "../../src/board/operations/describe-stats.ts";
import { call, newBoard, ok, refused } from "../support/api.ts";
import { backdate, inside } from "../support/inside.ts";
import { agents, DAY, MIDNIGHT, NOTHING, NOW, run, stats, TTL, value } from "../support/runs.ts";

it("stats of a new board are all nought, and averages of nothing are null", async () => {
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

it("stats count every way a run ends, once, where it ends", async () => {
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

it("stats tell how long runs took, and how long tasks waited since they could be claimed", async () => {
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

it("stats count no wait where a lead took a task before its time, or went on by hand", async () => {
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

it("stats tell days apart by UTC, newest first, and look back as far as asked", async () => {
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

it("stats add up cost and tokens by agent and runtime, of beats and last words", async () => {
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

it("stats refuse more days than a year has", async () => {
  const board = await newBoard();
  for (const days of ["0", "367", "x", "-1"])
    refused(await call(board.lead, "GET", `${board.path}/stats?days=${days}`), 400, "invalid_request");
  expect((await stats(board, "?days=366")).days).toBe(366);
  const viewer = await board.mint("eye", "viewer");
  ok(await call(viewer, "GET", `${board.path}/stats`));
});
