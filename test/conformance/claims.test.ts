import assert from "node:assert/strict";
import { test } from "node:test";
import { call, complete, type Json, newBoard, ok, refused } from "./board.ts";

test("of fifty claims at once one wins, and the others are told who has it", async () => {
  const board = await newBoard();
  const { id } = await board.add({ title: "wanted" });
  const agents = await Promise.all(Array.from({ length: 10 }, (_, n) => board.mint(`agent-${n}`)));
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      call(agents[n % 10] as string, "POST", `${board.path}/tasks/${id}/claim`, {}),
    ),
  );
  const won = replies.filter(({ status }) => status === 200).map(({ json }) => json);
  assert.equal(won.length, 1);
  const [{ task, lease }] = won;
  for (const reply of replies.filter(({ status }) => status !== 200)) {
    const { holder, retryable, hint } = refused(reply, "409 conflict");
    assert.deepEqual([holder.agentId, holder.epoch, retryable], [task.assigneeAgentId, 1, false]);
    assert.match(hint, /\w/);
    assert.ok(!reply.text.includes(lease.token));
  }
  const { executions } = await board.get(id, "?include=executions");
  assert.deepEqual(
    executions.map(({ status }: Json) => status),
    ["running"],
  );
});

test("the next tasks are handed out by priority, each once, however many ask", async () => {
  const board = await newBoard();
  const tasks = Array.from({ length: 20 }, (_, n) => ({ ref: `r${n}`, title: `t${n}`, priority: n % 10 }));
  ok(await board.ask("POST", "/plans", { tasks }), 201);
  const first = ok(await board.ask("POST", "/claims", { limit: 2 }));
  assert.deepEqual(
    first.claims.map(({ task }: Json) => task.priority),
    [9, 9],
  );
  const workers = await Promise.all(Array.from({ length: 6 }, (_, n) => board.mint(`agent-${n}`)));
  const replies = await Promise.all(
    workers.flatMap((token) => [1, 2, 3, 4].map(() => call(token, "POST", `${board.path}/claims`, {}))),
  );
  const handed = replies.flatMap((reply) => ok(reply).claims.map(({ task }: Json) => task.id as string));
  assert.deepEqual([handed.length, new Set(handed).size], [18, 18]);
  const empty = ok(await board.ask("POST", "/claims", {}));
  assert.deepEqual(empty.claims, []);
  assert.ok(empty.retryAfterMs > 0);
});

test("a claim waits for work, and has it as soon as there is some", async () => {
  const board = await newBoard();
  const worker = await board.mint("builder");
  const waiting = call(worker, "POST", `${board.path}/claims`, { waitMs: 15_000 });
  const { id } = await board.add({ title: "at last" });
  const began = performance.now();
  assert.equal(ok(await waiting).claims[0].task.id, id);
  assert.ok(performance.now() - began < 10_000);
});

test("a claim is refused with what stands in its way", async () => {
  const board = await newBoard();
  const worker = await board.mint("builder", "worker", { runtime: "node" });
  const blocker = await board.add({ title: "blocker" });
  const claim = async (fields: object) =>
    call(worker, "POST", `${board.path}/tasks/${(await board.add({ title: "x", ...fields })).id}/claim`, {});
  const waits = refused(await claim({ dependsOn: [blocker.id] }), "409 not_ready");
  assert.equal(waits.openBlockers[0].id, blocker.id);
  refused(await claim({ notBefore: Date.now() + 3_600_000 }), "409 not_before");
  assert.deepEqual(
    refused(await claim({ requiredCapabilities: ["gpu"] }), "409 capability_mismatch").missing,
    ["gpu"],
  );
  refused(await claim({ assigneeRuntime: "python" }), "409 runtime_mismatch");
  ok(await claim({ assigneeRuntime: "node" }));
});

test("what one worker leaves is handed to the next, and to those who waited", async () => {
  const board = await newBoard();
  const worker = await board.mint("builder");
  const { id } = await board.add({ title: "first" });
  const after = await board.add({ title: "after", dependsOn: [id] });
  const { lease } = await board.claim(id, worker);
  const handoff = { done: ["half"], next: "the rest" };
  const release = { leaseToken: lease.token, reason: "tired", handoff };
  ok(await call(worker, "POST", `${board.path}/tasks/${id}/release`, release));
  const again = await board.claim(id, worker);
  assert.deepEqual([again.handoff, again.lease.epoch, again.task.attemptStreak], [handoff, 2, 0]);
  const done = ok(await complete(board, worker, again, { summary: "all of it" }));
  assert.deepEqual(
    done.unblocked.map((task: Json) => task.id),
    [after.id],
  );
  assert.equal((await board.claim(after.id, worker)).blockers[0].summary, "all of it");
});
