import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Board,
  BRIEF,
  call,
  complete,
  type Json,
  newBoard,
  ok,
  pause,
  refused,
  until,
} from "./board.ts";

const beat = (board: Board, token: string, claim: Json, leaseToken: string | undefined = claim.lease.token) =>
  call(token, "POST", `${board.path}/tasks/${claim.task.id}/heartbeat`, { leaseToken });

async function held(settings: object = {}) {
  const board = await newBoard(settings);
  const worker = await board.mint("builder");
  const claim = await board.claim((await board.add({ title: "held" })).id, worker);
  return { board, worker, claim };
}

test("a beat prolongs the lease, counts new comments and passes on a stop", async () => {
  const { board, worker, claim } = await held();
  ok(await board.ask("POST", `/tasks/${claim.task.id}/comments`, { body: "mind the gap" }), 201);
  ok(await board.ask("POST", `/tasks/${claim.task.id}/stop`, { mode: "drain", reason: "enough" }));
  const told = ok(await beat(board, worker, claim));
  assert.ok(told.lease.expiresAt >= claim.lease.expiresAt);
  assert.equal(told.newComments, 1);
  assert.deepEqual(told.directives, [{ kind: "drain", reason: "enough" }]);
});

test("what only the holder may do takes its token: none is lease_required, another is lease_lost", async () => {
  const { board, worker, claim } = await held();
  const other = await board.claim((await board.add({ title: "other" })).id, worker);
  const before = await board.get(claim.task.id, "?include=executions");
  const path = `${board.path}/tasks/${claim.task.id}`;
  const word = { outcome: "succeeded", status: "done" };
  for (const [method, below, body] of [
    ["POST", "/heartbeat", {}],
    ["POST", "/complete", word],
    ["POST", "/release", {}],
    ["PATCH", "", { status: "in_review" }],
  ] as const) {
    refused(await call(worker, method, path + below, body), "409 lease_required");
    const wrong = await call(worker, method, path + below, { ...body, leaseToken: other.lease.token });
    assert.equal(refused(wrong, "409 lease_lost").reason, "unknown");
  }
  assert.deepEqual(await board.get(claim.task.id, "?include=executions"), before);
});

test("a completion is said once: again it is answered again, another word is already_closed", async () => {
  const { board, worker, claim } = await held();
  const first = ok(await complete(board, worker, claim, { summary: "did it" }));
  const seq = ok(await board.ask("GET", "")).seq;
  assert.deepEqual(
    ok(await complete(board, worker, claim, { summary: "did it" })).execution,
    first.execution,
  );
  assert.equal(ok(await board.ask("GET", "")).seq, seq);
  const other = await complete(board, worker, claim, { outcome: "failed", status: "todo" });
  refused(other, "409 already_closed");
});

test("a lead ends a lease by cancelling, or by displacing its holder", async () => {
  const { board, worker, claim } = await held();
  const move = (id: string, body: object) => board.ask("PATCH", `/tasks/${id}`, body);
  refused(await move(claim.task.id, { status: "todo" }), "409 lease_required");
  ok(await move(claim.task.id, { status: "todo", displace: true }));
  assert.equal(refused(await beat(board, worker, claim), "409 lease_lost").reason, "displaced");
  const again = await board.claim(claim.task.id, worker);
  assert.equal(refused(await beat(board, worker, claim), "409 lease_lost").reason, "superseded");
  ok(await move(claim.task.id, { status: "cancelled" }));
  assert.equal(refused(await beat(board, worker, again), "409 lease_lost").reason, "cancelled");
});

test("many beats at once have an answer each", async () => {
  const { board, worker, claim } = await held();
  const leases = [
    { taskId: claim.task.id, leaseToken: claim.lease.token },
    { taskId: claim.task.id, leaseToken: "old" },
    { taskId: "n99" },
  ];
  const { results } = ok(await call(worker, "POST", `${board.path}/heartbeats`, { leases }));
  assert.deepEqual(
    results.map(({ ok: good, code }: Json) => code ?? good),
    [true, "lease_lost", "task_not_found"],
  );
});

test("a holder that falls silent loses its task by itself, and its token says why", async () => {
  const { board, worker, claim } = await held(BRIEF);
  const { task } = await until(
    () => board.get(claim.task.id),
    ({ task }) => task.status === "todo",
  );
  assert.deepEqual([task.assigneeAgentId, task.attemptStreak], [null, 1]);
  assert.equal(refused(await beat(board, worker, claim), "409 lease_lost").reason, "timed_out");
  assert.equal(refused(await complete(board, worker, claim), "409 lease_lost").reason, "timed_out");
  const { events } = ok(await board.ask("GET", "/events?kind=task_released"));
  assert.deepEqual([events[0].data.via, events[0].actor.type], ["sweep", "board"]);
  assert.equal((await board.claim(task.id, await board.mint("next"))).lease.epoch, 2);
});

test("a holder that beats keeps its task, however brief the lease", async () => {
  const { board, worker, claim } = await held({ ...BRIEF, leaseTtlMs: 2_000 });
  for (let count = 0; count < 12; count++) {
    await pause(250);
    ok(await beat(board, worker, claim));
  }
  assert.equal((await board.get(claim.task.id)).task.lease.state, "live");
});

test("until it is swept an expired lease is nobody else's, and a late completion counts", async () => {
  const { board, worker, claim } = await held({ ...BRIEF, sweepEveryMs: 20_000 });
  // The first sweep, after which there is none for a while.
  const swept = () => board.get(claim.task.id);
  await until(swept, ({ task }) => task.status === "todo", 30_000);
  const late = await board.claim((await board.add({ title: "late" })).id, worker);
  const { task } = await until(
    () => board.get(late.task.id),
    ({ task }) => task.lease.state === "expired",
  );
  assert.equal(task.status, "in_progress");
  const rival = await call(await board.mint("rival"), "POST", `${board.path}/tasks/${task.id}/claim`, {});
  assert.equal(refused(rival, "409 conflict").holder.state, "expired");
  assert.equal(ok(await complete(board, worker, late)).late, true);
});

test("failures in a row end in blocked, and a person's move begins anew", async () => {
  const board = await newBoard({ ...BRIEF, leaseTtlMs: 60_000, maxAttempts: 2 });
  const worker = await board.mint("builder");
  const { id } = await board.add({ title: "hard" });
  for (const status of ["todo", "blocked"]) {
    const claim = await board.claim(id, worker);
    const { task } = ok(
      await complete(board, worker, claim, { outcome: "failed", status: "todo", error: "broke" }),
    );
    assert.equal(task.status, status);
  }
  const { task } = await board.get(id);
  assert.deepEqual([task.blockedReason, task.attemptStreak], ["attempt_limit", 2]);
  assert.equal(ok(await board.ask("PATCH", `/tasks/${id}`, { status: "todo" })).task.attemptStreak, 0);
});
