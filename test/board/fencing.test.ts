/** A token that is not the current one changes nothing, on any write that only the holder may make. */
import { describe, expect, it } from "vitest";
import { call, events, fingerprintOf, newBoard, ok, refused, type TestBoard } from "../support/api.ts";

const VERDICT = {
  status: "pass",
  attempts: [
    {
      attempt: 1,
      at: 1,
      deterministic: { command: "npm test", exitCode: 0, passed: true, durationMs: 1 },
      critic: { ran: false },
      status: "pass",
    },
  ],
  updatedAt: 1,
};

/** Every write that only the holder may make, with this token. */
function holderWrites(board: TestBoard, id: string, token: string | undefined): [string, string, object][] {
  const lease = token === undefined ? {} : { leaseToken: token };
  const path = `${board.path}/tasks/${id}`;
  return [
    ["POST", `${path}/heartbeat`, lease],
    ["POST", `${path}/release`, lease],
    ["POST", `${path}/complete`, { ...lease, outcome: "succeeded", status: "done" }],
    ["POST", `${path}/complete`, { ...lease, outcome: "failed", status: "blocked" }],
    ["PATCH", path, { ...lease, status: "in_review" }],
    ["PATCH", path, { ...lease, status: "blocked" }],
    ["PATCH", path, { ...lease, status: "todo" }],
    ["PATCH", path, { ...lease, title: "mine" }],
    ["PUT", `${path}/verification`, { ...lease, epoch: 2, result: VERDICT }],
  ];
}

async function displacedHolder() {
  const board = await newBoard();
  const [old, now] = [await board.mint("old", "verifier"), await board.mint("now", "verifier")];
  const { id } = await board.add({ title: "t" });
  const first = await board.claim(id, old);
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { status: "todo", displace: true }));
  const second = await board.claim(id, now);
  return { board, id, old, now, first: first.lease.token as string, second: second.lease.token as string };
}

describe("the token of an earlier epoch", () => {
  it("is lease_lost, superseded, on every holder's write, and nothing changes", async () => {
    const { board, id, old, first } = await displacedHolder();
    const before = await fingerprintOf(board, id);
    for (const [method, path, body] of holderWrites(board, id, first))
      expect(refused(await call(old, method, path, body), 409, "lease_lost").reason).toBe("superseded");
    expect(await fingerprintOf(board, id)).toBe(before);
  });

  it("does not keep the present holder's lease alive", async () => {
    const { board, id, old, first } = await displacedHolder();
    const before = (await board.get(id)).heartbeatAt;
    refused(
      await call(old, "POST", `${board.path}/tasks/${id}/heartbeat`, { leaseToken: first }),
      409,
      "lease_lost",
    );
    expect((await board.get(id)).heartbeatAt).toBe(before);
  });
});

describe("a missing token", () => {
  it("is lease_required on every holder's write, and nothing changes", async () => {
    const { board, id, now } = await displacedHolder();
    const before = await fingerprintOf(board, id);
    for (const [method, path, body] of holderWrites(board, id, undefined))
      refused(await call(now, method, path, body), 409, "lease_required");
    expect(await fingerprintOf(board, id)).toBe(before);
  });
});

describe("a guessed, foreign or borrowed token", () => {
  it("holds nothing", async () => {
    const { board, id, now, old, second } = await displacedHolder();
    const other = await newBoard();
    const otherTask = await other.add({ title: "elsewhere" });
    const elsewhere = await other.claim(otherTask.id, await other.mint("now"));
    const before = await fingerprintOf(board, id);
    for (const token of ["guess", "", elsewhere.lease.token, `${second}x`, now])
      for (const [method, path, body] of holderWrites(board, id, token))
        expect(refused(await call(now, method, path, body), 409, "lease_lost").reason).toBe("unknown");
    for (const [method, path, body] of holderWrites(board, id, second))
      refused(await call(old, method, path, body), 403, "identity_mismatch");
    expect(await fingerprintOf(board, id)).toBe(before);
  });
});

describe("a completion", () => {
  it("repeated word for word is answered again, with one event; another word is too late", async () => {
    const { board, id, now, second } = await displacedHolder();
    const path = `${board.path}/tasks/${id}/complete`;
    const word = { leaseToken: second, outcome: "succeeded", status: "in_review", summary: "ok" };
    const first = ok(await call(now, "POST", path, word));
    expect(ok(await call(now, "POST", path, word))).toEqual(first);
    refused(await call(now, "POST", path, { ...word, status: "done" }), 409, "already_closed");
    refused(await call(now, "POST", path, { ...word, outcome: "failed" }), 409, "already_closed");
    expect((await events(board)).filter((event) => event.kind === "execution_completed")).toHaveLength(1);
  });

  it("ends the lease: a beat afterwards is lease_lost, completed", async () => {
    const { board, id, now, second } = await displacedHolder();
    ok(
      await call(now, "POST", `${board.path}/tasks/${id}/complete`, {
        leaseToken: second,
        outcome: "succeeded",
        status: "done",
      }),
    );
    const beat = await call(now, "POST", `${board.path}/tasks/${id}/heartbeat`, { leaseToken: second });
    expect(refused(beat, 409, "lease_lost").reason).toBe("completed");
    expect((await board.get(id)).lease).toBeNull();
  });

  it("that failed leaves a lease nowhere, whatever status it asked for", async () => {
    for (const status of ["todo", "blocked", "in_review"]) {
      const board = await newBoard();
      const worker = await board.mint("agent");
      const { id } = await board.add({ title: "t" });
      const { lease } = await board.claim(id, worker);
      const body = {
        leaseToken: lease.token,
        outcome: "failed",
        status,
        error: "boom",
        blockedReason: "no key",
      };
      const { task, execution } = ok(await call(worker, "POST", `${board.path}/tasks/${id}/complete`, body));
      expect(task).toMatchObject({ status, lease: null, attemptStreak: 1 });
      expect(execution).toMatchObject({ status: "failed", error: "boom" });
      expect(task.blockedReason).toBe(status === "blocked" ? "no key" : null);
    }
  });

  it("takes its outcome with a fitting status only", async () => {
    const { board, id, now, second } = await displacedHolder();
    for (const [outcome, status] of [
      ["succeeded", "todo"],
      ["succeeded", "blocked"],
      ["failed", "done"],
    ]) {
      const body = { leaseToken: second, outcome, status };
      const problem = refused(
        await call(now, "POST", `${board.path}/tasks/${id}/complete`, body),
        400,
        "invalid_request",
      );
      expect(problem.issues).toMatchObject([{ path: "status" }]);
    }
  });
});

describe("a lead", () => {
  it("cancels held work without a token, audited; the next beat tells the holder", async () => {
    const { board, id, now, second } = await displacedHolder();
    ok(
      await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, {
        status: "cancelled",
        overrideReason: "not needed",
      }),
    );
    const beat = await call(now, "POST", `${board.path}/tasks/${id}/heartbeat`, { leaseToken: second });
    expect(refused(beat, 409, "lease_lost").reason).toBe("cancelled");
    const complete = { leaseToken: second, outcome: "succeeded", status: "done" };
    refused(await call(now, "POST", `${board.path}/tasks/${id}/complete`, complete), 409, "lease_lost");
    expect((await board.get(id)).status).toBe("cancelled");
    const { entries } = ok(await call(board.lead, "GET", `${board.path}/audit?kind=cancel_held`));
    expect(entries).toMatchObject([{ taskId: id, reason: "not needed", priorStatus: "in_progress" }]);
  });

  it("displaces a holder only by saying so, audited with the epoch, and the old token is dead", async () => {
    const { board, id, now, second } = await displacedHolder();
    const path = `${board.path}/tasks/${id}`;
    refused(await call(board.lead, "PATCH", path, { status: "blocked" }), 409, "lease_required");
    ok(await call(board.lead, "PATCH", path, { status: "blocked", displace: true, blockedReason: "wait" }));
    const beat = await call(now, "POST", `${path}/heartbeat`, { leaseToken: second });
    expect(refused(beat, 409, "lease_lost").reason).toBe("displaced");
    const released = (await events(board)).filter((event) => event.data.via === "displace").at(-1);
    expect(released.data).toMatchObject({
      from: "in_progress",
      to: "blocked",
      execution: { status: "cancelled" },
    });
    const { entries } = ok(await call(board.lead, "GET", `${board.path}/audit?kind=displace`));
    expect(entries[0].data).toMatchObject({ holder: "now", epoch: 2, to: "blocked" });
  });

  it("who moves a card by hand holds it without a lease, is never swept, and can ask for a lease later", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "by hand" });
    const path = `${board.path}/tasks/${id}`;
    const { task } = ok(await call(board.lead, "PATCH", path, { status: "in_progress" }));
    expect(task).toMatchObject({ assigneeAgentId: "lead", lease: null, epoch: 0 });
    const started = ok(await call(board.lead, "POST", `${path}/executions`, {}), 201);
    expect(started.lease.epoch).toBe(1);
    refused(await call(board.lead, "POST", `${path}/executions`, {}), 409, "already_running");
    ok(await call(board.lead, "POST", `${path}/heartbeat`, { leaseToken: started.lease.token }));
  });
});

describe("a batch of beats", () => {
  it("answers for each lease and never fails whole for one", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const tasks = [await board.add({ title: "a" }), await board.add({ title: "b" })];
    const leases = [];
    for (const { id } of tasks)
      leases.push({ taskId: id, leaseToken: (await board.claim(id, worker)).lease.token });
    const { results } = ok(
      await call(worker, "POST", `${board.path}/heartbeats`, {
        leases: [leases[0], { taskId: tasks[1]?.id, leaseToken: "guess" }, { taskId: "n99" }, leases[1]],
      }),
    );
    expect(results).toMatchObject([
      { taskId: tasks[0]?.id, ok: true, lease: { ttlMs: 180_000 } },
      { ok: false, code: "lease_lost", reason: "unknown" },
      { taskId: "n99", ok: false, code: "task_not_found" },
      { taskId: tasks[1]?.id, ok: true },
    ]);
  });

  it("adds up usage and counts comments the holder has not read", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const { id } = await board.add({ title: "t" });
    const { lease } = await board.claim(id, worker);
    const path = `${board.path}/tasks/${id}`;
    const beat = (usage?: object) =>
      call(worker, "POST", `${path}/heartbeat`, { leaseToken: lease.token, usage });
    ok(await beat({ inputTokens: 10, outputTokens: 5, costUsd: 0.25 }));
    ok(await beat({ costUsd: 0.5 }));
    expect((await board.get(id)).costUsd).toBe(0.75);
    ok(await call(board.lead, "POST", `${path}/comments`, { body: "look at this" }), 201);
    ok(await call(worker, "POST", `${path}/comments`, { body: "my own" }), 201);
    expect(ok(await beat()).newComments).toBe(1);
    ok(await call(worker, "GET", `${path}/comments`));
    expect(ok(await beat()).newComments).toBe(0);
    ok(
      await call(worker, "POST", `${path}/complete`, {
        leaseToken: lease.token,
        outcome: "succeeded",
        status: "done",
        costUsd: 1,
      }),
    );
    expect((await board.get(id)).costUsd).toBe(1.75);
  });
});
