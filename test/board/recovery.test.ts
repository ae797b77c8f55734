/** What becomes of tasks whose holder went silent. Beats are backdated; nothing sleeps. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { sweepStale } from "../../src/board/operations/sweep-stale.ts";
import { call, events, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { backdate, inside } from "../support/inside.ts";

const TTL = 180_000;

async function claimed(board: TestBoard) {
  const worker = await board.mint("worker");
  const task = await board.add({ title: "work" });
  const { lease } = await board.claim(task.id, worker);
  return { worker, task, lease };
}

async function alarmAt(board: TestBoard): Promise<number | null> {
  return runInDurableObject(board.stub(), (_instance, state) => state.storage.getAlarm());
}

describe("the sweep", () => {
  it("closes a silent lease and offers the task again, unassigned, after a while", async () => {
    const board = await newBoard();
    const { worker, task, lease } = await claimed(board);
    await backdate(board, task.id, TTL);
    expect(await runDurableObjectAlarm(board.stub())).toBe(true);
    const after = await board.get(task.id);
    expect(after).toMatchObject({
      status: "todo",
      assigneeAgentId: null,
      assigneeRuntime: null,
      verification: null,
      lease: null,
      heartbeatAt: null,
      attemptStreak: 1,
      epoch: lease.epoch,
    });
    const wait = after.notBefore === null ? 0 : after.notBefore - Date.now();
    expect(wait).toBeLessThanOrEqual(5_000);
    const beat = await call(worker, "POST", `${board.path}/tasks/${task.id}/heartbeat`, {
      leaseToken: lease.token,
    });
    expect(refused(beat, 409, "lease_lost").reason).toBe("timed_out");
    const released = (await events(board)).filter((event) => event.kind === "task_released");
    expect(released).toHaveLength(1);
    expect(released[0]).toMatchObject({
      actor: { type: "board" },
      epoch: lease.epoch,
      data: { via: "sweep", from: "in_progress", to: "todo", execution: { status: "timed_out" } },
    });
  });

  it("leaves a lease alone whose holder beats", async () => {
    const board = await newBoard();
    const { worker, task, lease } = await claimed(board);
    await backdate(board, task.id, TTL - 1_000);
    ok(await call(worker, "POST", `${board.path}/tasks/${task.id}/heartbeat`, { leaseToken: lease.token }));
    await runDurableObjectAlarm(board.stub());
    expect((await board.get(task.id)).status).toBe("in_progress");
  });

  it("is not put off by other people's edits and comments", async () => {
    const board = await newBoard();
    const { task } = await claimed(board);
    await backdate(board, task.id, TTL);
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${task.id}`, { title: "new title" }));
    ok(await call(board.lead, "POST", `${board.path}/tasks/${task.id}/comments`, { body: "hello?" }), 201);
    await runDurableObjectAlarm(board.stub());
    expect((await board.get(task.id)).status).toBe("todo");
  });

  it("does not touch updatedAt, so a swept task does not jump the queue", async () => {
    const board = await newBoard();
    const { task } = await claimed(board);
    const before = await board.get(task.id);
    await backdate(board, task.id, TTL);
    await runDurableObjectAlarm(board.stub());
    expect((await board.get(task.id)).updatedAt).toBe(before.updatedAt);
  });

  it("frees a task in review for its reviewer and leaves it there", async () => {
    const board = await newBoard();
    const { worker, task, lease } = await claimed(board);
    const path = `${board.path}/tasks/${task.id}`;
    ok(await call(worker, "PATCH", path, { status: "in_review", leaseToken: lease.token }));
    await backdate(board, task.id, TTL);
    await runDurableObjectAlarm(board.stub());
    expect(await board.get(task.id)).toMatchObject({ status: "in_review", lease: null });
    const judge = await board.mint("judge", "verifier");
    expect(ok(await call(judge, "PATCH", path, { status: "done" })).task.status).toBe("done");
  });

  it("closes 1,200 leases in batches, each once", async () => {
    const board = await newBoard({ backoff: { firstMs: 0, stepMs: 0, maxMs: 0 } });
    const worker = await board.mint("worker");
    const tasks = Array.from({ length: 600 }, (_, index) => ({ ref: `${index}`, title: `t${index}` }));
    for (const half of ["a", "b"])
      ok(
        await call(board.lead, "POST", `${board.path}/plans`, {
          tasks: tasks.map((task) => ({ ...task, title: half + task.title })),
        }),
        201,
      );
    for (let i = 0; i < 120; i++) ok(await call(worker, "POST", `${board.path}/claims`, { limit: 10 }));
    await inside(board, ({ sql }) => sql.run("update execution_processes set last_beat_at = 1"));
    for (let runs = 0; runs < 3; runs++) await runDurableObjectAlarm(board.stub());
    expect(ok(await call(board.lead, "GET", board.path)).counts).toMatchObject({
      todo: 1_200,
      in_progress: 0,
    });
    await inside(board, ({ sql }) => {
      expect(sql.number("select count(*) from events where kind = 'task_released'")).toBe(1_200);
    });
  });

  it("changes nothing the second time", async () => {
    const board = await newBoard();
    const { task } = await claimed(board);
    await backdate(board, task.id, TTL);
    await inside(board, ({ context }) => {
      const now = Date.now();
      expect(sweepStale(context(now))).toBe(1);
      expect(sweepStale(context(now))).toBe(0);
    });
  });

  it("never takes back a task that was completed late but in time", async () => {
    const board = await newBoard();
    const { worker, task, lease } = await claimed(board);
    await backdate(board, task.id, TTL + 1_000);
    expect((await board.get(task.id)).lease?.state).toBe("expired");
    const done = ok(
      await call(worker, "POST", `${board.path}/tasks/${task.id}/complete`, {
        leaseToken: lease.token,
        outcome: "succeeded",
        status: "done",
      }),
    );
    expect(done).toMatchObject({ late: true, task: { status: "done" } });
    await runDurableObjectAlarm(board.stub());
    expect((await board.get(task.id)).status).toBe("done");
  });
});

describe("an expired, unswept lease", () => {
  it("shows as expired at once, keeps rivals out and says when to come back", async () => {
    const board = await newBoard();
    const { task } = await claimed(board);
    await backdate(board, task.id, TTL);
    const rival = await board.mint("rival");
    const refusal = refused(
      await call(rival, "POST", `${board.path}/tasks/${task.id}/claim`, {}),
      409,
      "conflict",
    );
    expect(refusal.holder).toMatchObject({ agentId: "worker", state: "expired" });
    expect(refusal.retryAfterMs).toBeGreaterThan(0);
    expect(ok(await call(rival, "GET", `${board.path}/tasks?ready=true`)).tasks).toEqual([]);
  });

  it("is revived by a late beat", async () => {
    const board = await newBoard();
    const { worker, task, lease } = await claimed(board);
    await backdate(board, task.id, TTL + 60_000);
    ok(await call(worker, "POST", `${board.path}/tasks/${task.id}/heartbeat`, { leaseToken: lease.token }));
    await runDurableObjectAlarm(board.stub());
    expect((await board.get(task.id)).lease?.state).toBe("live");
  });
});

describe("attempts that keep failing", () => {
  async function failOnce(board: TestBoard, worker: string, id: string) {
    await inside(board, ({ sql }) => sql.run("update tasks set not_before = null, deferred = 0"));
    await board.claim(id, worker);
    await backdate(board, id, TTL);
    await runDurableObjectAlarm(board.stub());
  }

  it("block the task at the limit, with how they ended, and no field names the dead run", async () => {
    const board = await newBoard({ maxAttempts: 3 });
    const worker = await board.mint("worker");
    const task = await board.add({ title: "poison" });
    await failOnce(board, worker, task.id);
    await failOnce(board, worker, task.id);
    expect((await board.get(task.id)).status).toBe("todo");
    await failOnce(board, worker, task.id);
    expect(await board.get(task.id)).toMatchObject({
      status: "blocked",
      blockedReason: "attempt_limit",
      assigneeAgentId: null,
      lease: null,
      attemptStreak: 3,
    });
    const last = (await events(board)).filter((event) => event.kind === "task_released").at(-1);
    expect(last.data).toMatchObject({
      to: "blocked",
      attempts: { crashStreak: 3, errorStreak: 0, last: "crash" },
    });
  });

  it("start afresh once a person unblocks it, and after a success", async () => {
    const board = await newBoard({ maxAttempts: 1 });
    const worker = await board.mint("worker");
    const task = await board.add({ title: "poison" });
    await failOnce(board, worker, task.id);
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${task.id}`, { status: "todo" }));
    expect(await board.get(task.id)).toMatchObject({ status: "todo", attemptStreak: 0, blockedReason: null });
    const { lease } = await board.claim(task.id, worker);
    ok(
      await call(worker, "POST", `${board.path}/tasks/${task.id}/complete`, {
        leaseToken: lease.token,
        outcome: "succeeded",
        status: "in_review",
      }),
    );
    expect((await board.get(task.id)).attemptStreak).toBe(0);
  });

  it("count errors the holder reports, and wait longer each time", async () => {
    const board = await newBoard({ maxAttempts: 0 });
    const worker = await board.mint("worker");
    const task = await board.add({ title: "flaky" });
    const waits: number[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      await inside(board, ({ sql }) => sql.run("update tasks set not_before = null, deferred = 0"));
      const { lease } = await board.claim(task.id, worker);
      const failed = ok(
        await call(worker, "POST", `${board.path}/tasks/${task.id}/complete`, {
          leaseToken: lease.token,
          outcome: "failed",
          status: "todo",
          error: "boom",
        }),
      ).task;
      waits.push((failed.notBefore ?? failed.updatedAt) - failed.updatedAt);
    }
    expect(waits[0]).toBeLessThanOrEqual(5_000);
    for (const [index, step] of [30_000, 60_000, 120_000].entries()) {
      expect(waits[index + 1]).toBeGreaterThanOrEqual(step / 2);
      expect(waits[index + 1]).toBeLessThanOrEqual(step);
    }
    refused(await call(worker, "POST", `${board.path}/tasks/${task.id}/claim`, {}), 409, "not_before");
  });

  it("never count a release", async () => {
    const board = await newBoard({ maxAttempts: 2 });
    const worker = await board.mint("worker");
    const task = await board.add({ title: "passed on" });
    for (let round = 0; round < 20; round++) {
      const { lease } = await board.claim(task.id, worker);
      ok(await call(worker, "POST", `${board.path}/tasks/${task.id}/release`, { leaseToken: lease.token }));
    }
    expect(await board.get(task.id)).toMatchObject({ status: "todo", attemptStreak: 0, epoch: 20 });
  });
});

describe("an object that is evicted", () => {
  it("sweeps a lease that ran out meanwhile, by its alarm and without a request", async () => {
    const board = await newBoard();
    const { task } = await claimed(board);
    await backdate(board, task.id, TTL);
    await evictDurableObject(board.stub());
    expect(await runDurableObjectAlarm(board.stub())).toBe(true);
    expect((await board.get(task.id)).status).toBe("todo");
  });

  it("judges no beat when it starts: an eviction is not a crash of the agents", async () => {
    const board = await newBoard();
    const { task } = await claimed(board);
    await backdate(board, task.id, TTL + 1);
    await evictDurableObject(board.stub());
    expect(await board.get(task.id)).toMatchObject({ status: "in_progress", lease: { state: "expired" } });
  });

  it("accepts a late completion that wakes it", async () => {
    const board = await newBoard();
    const { worker, task, lease } = await claimed(board);
    await backdate(board, task.id, TTL + 1);
    await evictDurableObject(board.stub());
    const done = ok(
      await call(worker, "POST", `${board.path}/tasks/${task.id}/complete`, {
        leaseToken: lease.token,
        outcome: "succeeded",
        status: "done",
      }),
    );
    expect(done.late).toBe(true);
  });

  it("keeps epochs growing and the lease valid across restarts", async () => {
    const board = await newBoard();
    const worker = await board.mint("worker");
    const task = await board.add({ title: "long" });
    for (let epoch = 1; epoch <= 10; epoch++) {
      const { lease } = await board.claim(task.id, worker);
      expect(lease.epoch).toBe(epoch);
      if (epoch % 3 === 0) await evictDurableObject(board.stub());
      ok(await call(worker, "POST", `${board.path}/tasks/${task.id}/release`, { leaseToken: lease.token }));
    }
  });

  it("closes runs whose task is not being worked on, once, with a tombstone", async () => {
    const board = await newBoard();
    const { task } = await claimed(board);
    await inside(board, ({ sql }) => sql.run("update tasks set status = 'todo', assignee_agent_id = null"));
    await evictDurableObject(board.stub());
    const { executions } = ok(await call(board.lead, "GET", `${board.path}/tasks/${task.id}/executions`));
    expect(executions).toMatchObject([{ status: "failed", recoveryTombstone: true, reason: "orphan" }]);
    const told = (await events(board)).at(-1);
    expect(told).toMatchObject({
      kind: "task_released",
      taskId: task.id,
      data: {
        via: "orphan",
        from: "todo",
        to: "todo",
        execution: { id: executions[0].id, status: "failed" },
      },
    });
    expect((await board.get(task.id)).changeSeq).toBe(told.seq);
    await evictDurableObject(board.stub());
    expect((await events(board)).at(-1)).toEqual(told);
  });

  it("leaves an archived board as it is, and looks at its leases when it is taken out again", async () => {
    const board = await newBoard();
    const { task } = await claimed(board);
    ok(await call(board.lead, "PATCH", board.path, { archived: true }));
    await backdate(board, task.id, TTL);
    await runDurableObjectAlarm(board.stub());
    expect(await alarmAt(board)).toBeNull();
    expect(await board.get(task.id)).toMatchObject({ status: "in_progress", lease: { state: "expired" } });
    ok(await call(board.lead, "PATCH", board.path, { archived: false }));
    expect((await board.get(task.id)).status).toBe("in_progress");
    await runDurableObjectAlarm(board.stub());
    expect((await board.get(task.id)).status).toBe("todo");
  });
});

describe("the alarm", () => {
  it("is armed by a claim and gone when nothing is due", async () => {
    const board = await newBoard({ tailRetentionMs: null });
    expect(await alarmAt(board)).toBeNull();
    const { worker, task, lease } = await claimed(board);
    expect(await alarmAt(board)).toBeGreaterThan(Date.now() + TTL - 10_000);
    ok(
      await call(worker, "POST", `${board.path}/tasks/${task.id}/complete`, {
        leaseToken: lease.token,
        outcome: "succeeded",
        status: "done",
      }),
    );
    await runDurableObjectAlarm(board.stub());
    expect(await alarmAt(board)).toBeNull();
  });

  it("is not written by heartbeats", async () => {
    const board = await newBoard();
    const { worker, task, lease } = await claimed(board);
    const before = await alarmAt(board);
    ok(await call(worker, "POST", `${board.path}/tasks/${task.id}/heartbeat`, { leaseToken: lease.token }));
    expect(await alarmAt(board)).toBe(before);
  });

  it("comes back after a handler that failed, later each time, and then sweeps", async () => {
    const board = await newBoard();
    const { task } = await claimed(board);
    await backdate(board, task.id, TTL);
    await inside(board, ({ sql }) =>
      sql.run(
        "create trigger broken before update on execution_processes begin select raise(abort, 'broken'); end",
      ),
    );
    for (let failures = 1; failures <= 10; failures++) {
      await runDurableObjectAlarm(board.stub());
      expect(await alarmAt(board)).toBeGreaterThan(Date.now() + 50_000);
    }
    await inside(board, ({ sql }) => {
      expect(sql.number("select failed_alarms from board")).toBe(10);
      sql.run("drop trigger broken");
    });
    await runDurableObjectAlarm(board.stub());
    expect((await board.get(task.id)).status).toBe("todo");
    await inside(board, ({ sql }) => expect(sql.number("select failed_alarms from board")).toBe(0));
  });

  it("that the platform lost is set again by the next start", async () => {
    const board = await newBoard();
    await claimed(board);
    await runInDurableObject(board.stub(), (_instance, state) => state.storage.deleteAlarm());
    await evictDurableObject(board.stub());
    ok(await call(board.lead, "GET", board.path));
    expect(await alarmAt(board)).not.toBeNull();
  });

  it("trims recorded answers after a day, not before", async () => {
    const board = await newBoard();
    ok(
      await call(board.lead, "POST", `${board.path}/tasks`, { title: "t" }, { "idempotency-key": "k" }),
      201,
    );
    const replies = () => inside(board, ({ sql }) => sql.number("select count(*) from replies"));
    await runDurableObjectAlarm(board.stub());
    expect(await replies()).toBe(1);
    await inside(board, ({ sql }) => sql.run("update replies set created_at = created_at - 86400001"));
    await runDurableObjectAlarm(board.stub());
    expect(await replies()).toBe(0);
  });
});
