/** What needs a person: who is told what, for each reason. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { StuckPage, StuckReason } from "../../src/contract/insight.ts";
import type { Task } from "../../src/contract/task.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { backdate } from "../support/inside.ts";

const TTL = 180_000;
const NOTHING = { no_lease: 0, unreachable: 0, attempt_limit: 0, no_reviewer: 0, overrun: 0, unclaimable: 0 };

const stuck = async (board: TestBoard, query = ""): Promise<StuckPage> =>
  ok(await call(board.lead, "GET", `${board.path}/stuck${query}`));

const patch = async (board: TestBoard, id: string, body: object): Promise<Task> =>
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, body)).task;

/** The tasks listed for one reason, and that nothing else is. */
async function only(board: TestBoard, reason: StuckReason) {
  const page = await stuck(board);
  expect(page.counts).toEqual({ ...NOTHING, [reason]: page.stuck.length });
  expect((await stuck(board, `?reason=${reason}`)).stuck).toEqual(page.stuck);
  for (const one of page.stuck) expect(one.reason).toBe(reason);
  return page.stuck;
}

it("a board where everything moves by itself has nothing to show", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const first = await board.add({ title: "first" });
  await board.add({ title: "waits", dependsOn: [first.id] });
  await board.add({ title: "backlog", status: "backlog" });
  await board.add({ title: "blocked by hand", status: "blocked" });
  await board.claim(first.id, worker);
  expect(await stuck(board)).toEqual({
    stuck: [],
    counts: NOTHING,
    atLeast: [],
    hasMore: false,
    nextCursor: null,
    seq: expect.any(Number),
  });
});

describe("no_lease", () => {
  it("lists a card moved to in_progress by hand at once, and no more when it is moved back or gets a run", async () => {
    const board = await newBoard();
    const [a, b] = [await board.add({ title: "a" }), await board.add({ title: "b" })];
    const moved = [
      await patch(board, a.id, { status: "in_progress" }),
      await patch(board, b.id, { status: "in_progress" }),
    ];
    const found = await only(board, "no_lease");
    expect(found).toMatchObject(
      moved.map(({ id, updatedAt }) => ({
        task: { id, status: "in_progress", since: updatedAt },
        holder: { agentId: "lead", state: "no_lease" },
        mustAct: { who: "holder" },
      })),
    );
    await patch(board, a.id, { status: "todo" });
    ok(await call(board.lead, "POST", `${board.path}/tasks/${b.id}/executions`, {}), 201);
    expect(await only(board, "no_lease")).toEqual([]);
  });
});

describe("attempt_limit", () => {
  it("lists what its attempts blocked, with how many crashed and how many erred, until a person moves it", async () => {
    const board = await newBoard({ maxAttempts: 2, backoff: { firstMs: 0 } });
    const worker = await board.mint("agent");
    const { id } = await board.add({ title: "poison" });
    const { lease } = await board.claim(id, worker);
    ok(
      await call(worker, "POST", `${board.path}/tasks/${id}/complete`, {
        leaseToken: lease.token,
        outcome: "failed",
        status: "todo",
      }),
    );
    expect(await only(board, "attempt_limit")).toEqual([]);
    await board.claim(id, worker);
    await backdate(board, id, TTL);
    await runDurableObjectAlarm(board.stub());
    const [found, ...more] = await only(board, "attempt_limit");
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      task: { id, status: "blocked" },
      attempts: { last: "crash", crashStreak: 1, errorStreak: 1 },
      mustAct: { who: "lead" },
    });
    const { executions } = ok(await call(board.lead, "GET", `${board.path}/tasks/${id}/executions`));
    expect(found?.task.since).toBe(executions.at(-1).endedAt);
    await patch(board, id, { status: "todo" });
    expect(await only(board, "attempt_limit")).toEqual([]);
  });
});

describe("no_reviewer", () => {
  it("lists what waits for its review with nobody at it, and whose work it is", async () => {
    const board = await newBoard();
    const worker = await board.mint("builder");
    const [handed, waiting] = [
      await board.add({ title: "handed in" }),
      await board.add({ title: "waits along" }),
    ];
    const first = await board.claim(handed.id, worker);
    ok(
      await call(worker, "POST", `${board.path}/tasks/${handed.id}/complete`, {
        leaseToken: first.lease.token,
        outcome: "succeeded",
        status: "in_review",
      }),
    );
    const second = await board.claim(waiting.id, worker);
    const path = `${board.path}/tasks/${waiting.id}`;
    ok(await call(worker, "PATCH", path, { status: "in_review", leaseToken: second.lease.token }));
    const found = await only(board, "no_reviewer");
    expect(found).toMatchObject([
      { task: { id: handed.id }, builtBy: "builder", mustAct: { who: "reviewer" } },
    ]);
    await backdate(board, waiting.id, TTL);
    await runDurableObjectAlarm(board.stub());
    expect((await only(board, "no_reviewer")).map(({ task }) => task.id)).toEqual([handed.id, waiting.id]);
  });
});
