/** Who works on a board: what each holds, when it was seen, how its runs ended. */
import { expect, it } from "vitest";
import { listAgents } from "../../src/board/operations/list-agents.ts";
import { addRuns } from "../../src/board/store/run-stats.ts";
import type { Agent } from "../../src/contract/stats.ts";
import { call, newBoard, ok } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { agents, counters, DAY, MIDNIGHT, NOTHING, NOW, TTL, value } from "../support/runs.ts";

it("agents are those with a token, a run or a task, by name, with what each holds and when it was seen", async () => {
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
    {
      id: first.id,
      number: 1,
      title: "first",
      status: "in_progress",
      expiresAt: lease.expiresAt,
      stop: null,
    },
  ]);
  expect(adas?.lastSeenAt).toBeGreaterThanOrEqual(lease.expiresAt - TTL);
  expect(bobs?.lastSeenAt).toBeNull();
  expect(leads?.tasks).toMatchObject([{ id: third.id, expiresAt: null, stop: null }]);
});

it("agents show a held task in review, and none that is only waiting for its reviewer", async () => {
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

it("agents show what the holder of a task was asked to do, until it is held anew", async () => {
  const board = await newBoard();
  const ada = await board.mint("ada");
  const { id } = await board.add({ title: "to be stopped" });
  const { lease } = await board.claim(id, ada);
  const asked = async () => (await agents(board)).find(({ agentId }) => agentId === "ada")?.tasks[0]?.stop;
  expect(await asked()).toBeNull();
  ok(await call(board.lead, "POST", `${board.path}/tasks/${id}/stop`, { mode: "drain", reason: "Enough." }));
  expect(await asked()).toBe("drain");
  ok(await call(ada, "POST", `${board.path}/tasks/${id}/release`, { leaseToken: lease.token }));
  await board.claim(id, ada);
  expect(await asked()).toBeNull();
});

it("agents have the runs of the days asked for, and a rate of those that ended by themselves", async () => {
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
      daily: [{ day: MIDNIGHT, succeeded: 3, ended: 12, costUsd: 2.5 }],
    });
    expect(bob).toMatchObject({ agentId: "bob", outcomes: { released: 1 }, successRate: null });
    expect(lead).toMatchObject({ agentId: "lead", outcomes: NOTHING, successRate: null });
    expect(page(2)[0]).toMatchObject({ outcomes: { succeeded: 13 }, costUsd: 2.500001 });
    expect(page(2)[0]?.daily.map(({ day, ended }) => [day, ended])).toEqual([
      [MIDNIGHT, 12],
      [MIDNIGHT - DAY, 10],
    ]);
  });
});

it("agents come in pages that miss nobody, whatever names they have", async () => {
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

it("agents show no role of a revoked token, and no token at all", async () => {
  const board = await newBoard();
  await board.mint("ada");
  const { tokens } = ok(await call(board.lead, "GET", `${board.path}/tokens`));
  const adas = tokens.find(({ agentId }: Agent) => agentId === "ada");
  ok(await call(board.lead, "DELETE", `${board.path}/tokens/${adas.id}`), 204);
  const reply = await call(board.lead, "GET", `${board.path}/agents`);
  expect(ok(reply).agents[0]).toMatchObject({ agentId: "ada", roles: [] });
  expect(reply.text).not.toContain(adas.id);
});
