/** A worker who comes back after its lease was swept: told so, whoever has the task by then, and harmless. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { call, events, fingerprintOf, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { backdate } from "../support/inside.ts";

const TTL = 180_000;
const DONE = { outcome: "succeeded", status: "done" };
const WITHOUT_BACKOFF = { backoff: { firstMs: 0, stepMs: 0, maxMs: 0 } };

/** A task whose holder went silent and was swept. */
async function swept(board: TestBoard, agent: string) {
  const worker = await board.mint(agent);
  const { id } = await board.add({ title: "work" });
  const { lease } = await board.claim(id, worker);
  await backdate(board, id, TTL);
  await runDurableObjectAlarm(board.stub());
  return { worker, id, path: `${board.path}/tasks/${id}`, leaseToken: lease.token as string };
}

const kindsOf = async (board: TestBoard, taskId: string) =>
  (await events(board, `&taskId=${taskId}`)).map(({ kind }) => kind);

describe("who comes back", () => {
  it("to a task on offer again cannot finish it: the lease timed out", async () => {
    const board = await newBoard(WITHOUT_BACKOFF);
    const { worker, id, path, leaseToken } = await swept(board, "late");
    const before = await fingerprintOf(board, id);
    const late = await call(worker, "POST", `${path}/complete`, { ...DONE, leaseToken });
    expect(refused(late, 409, "lease_lost").reason).toBe("timed_out");
    refused(await call(worker, "POST", `${path}/complete`, DONE), 409, "lease_required");
    expect(await fingerprintOf(board, id)).toBe(before);
  });

  it("to a task somebody else has cannot finish it either, and the other one can, once", async () => {
    const board = await newBoard(WITHOUT_BACKOFF);
    const { worker, id, path, leaseToken } = await swept(board, "late");
    const next = await board.mint("next");
    const { lease } = await board.claim(id, next);
    const [run] = ok(await call(next, "GET", `${path}/executions`)).executions;
    const before = await fingerprintOf(board, id);
    const writes: [string, string, object][] = [
      ["POST", `${path}/complete`, DONE],
      ["POST", `${path}/release`, {}],
      ["PATCH", path, { status: "blocked" }],
      ["PATCH", `${board.path}/executions/${run.id}`, { status: "failed" }],
    ];
    for (const [method, at, body] of writes) {
      const lost = refused(await call(worker, method, at, { ...body, leaseToken }), 409, "lease_lost");
      expect(lost).toMatchObject({ reason: "superseded", taskStatus: "in_progress" });
      refused(await call(worker, method, at, body), 409, "lease_required");
    }
    expect(await fingerprintOf(board, id)).toBe(before);
    ok(await call(worker, "POST", `${path}/comments`, { body: "I had half of it" }), 201);
    expect(ok(await call(next, "POST", `${path}/heartbeat`, { leaseToken: lease.token })).newComments).toBe(
      1,
    );
    ok(await call(next, "POST", `${path}/complete`, { ...DONE, leaseToken: lease.token }));
    expect(await kindsOf(board, id)).toEqual([
      "task_created",
      "task_claimed",
      "task_released",
      "task_claimed",
      "comment_added",
      "execution_completed",
    ]);
    const { executions } = ok(await call(next, "GET", `${path}/executions`));
    expect(executions).toMatchObject([
      { epoch: 1, agentId: "late", status: "timed_out" },
      { epoch: 2, agentId: "next", status: "succeeded" },
    ]);
  });

  it("and claims again under the same name gets a new lease; the old token is as dead as anybody's", async () => {
    const board = await newBoard(WITHOUT_BACKOFF);
    const worker = await board.mint("same");
    const { id } = await board.add({ title: "work" });
    const path = `${board.path}/tasks/${id}`;
    const first = await board.claim(id, worker);
    await backdate(board, id, TTL);
    const early = refused(await call(worker, "POST", `${path}/claim`, {}), 409, "conflict");
    expect(early.holder).toMatchObject({ agentId: "same", state: "expired" });
    await runDurableObjectAlarm(board.stub());
    const second = await board.claim(id, worker);
    expect(second.lease.epoch).toBe(2);
    const before = await fingerprintOf(board, id);
    const old = { leaseToken: first.lease.token };
    for (const [verb, body] of [
      ["complete", DONE],
      ["heartbeat", {}],
      ["release", {}],
    ] as const) {
      const lost = await call(worker, "POST", `${path}/${verb}`, { ...body, ...old });
      expect(refused(lost, 409, "lease_lost").reason).toBe("superseded");
    }
    expect(await fingerprintOf(board, id)).toBe(before);
    ok(await call(worker, "POST", `${path}/complete`, { ...DONE, leaseToken: second.lease.token }));
  });

  it("to a task it finished itself can do nothing more with it, and has no work left", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const { id } = await board.add({ title: "work" });
    const path = `${board.path}/tasks/${id}`;
    const { lease } = await board.claim(id, worker);
    const leaseToken = lease.token;
    ok(await call(worker, "POST", `${path}/complete`, { ...DONE, leaseToken }));
    const before = await fingerprintOf(board, id);
    const beat = await call(worker, "POST", `${path}/heartbeat`, { leaseToken });
    expect(refused(beat, 409, "lease_lost").reason).toBe("completed");
    refused(await call(worker, "POST", `${path}/claim`, {}), 409, "terminal");
    refused(await call(worker, "POST", `${path}/executions`, {}), 409, "terminal");
    refused(await call(board.lead, "POST", `${path}/executions`, {}), 409, "terminal");
    expect(await fingerprintOf(board, id)).toBe(before);
    const mine = `${board.path}/tasks?mine=true&status=in_progress&status=in_review`;
    expect(ok(await call(worker, "GET", mine)).tasks).toEqual([]);
  });
});
