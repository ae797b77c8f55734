/** A holder that beats keeps its task, however long it takes and whatever else happens on the board. */
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { claimTask } from "../../src/board/operations/claim-task.ts";
import { addComment } from "../../src/board/operations/comments.ts";
import { createTask } from "../../src/board/operations/create-task.ts";
import { heartbeat } from "../../src/board/operations/heartbeat.ts";
import { releaseTask } from "../../src/board/operations/release-task.ts";
import { sweepStale } from "../../src/board/operations/sweep-stale.ts";
import { call, newBoard, ok, refused } from "../support/api.ts";
import { backdate, inside, WORKER } from "../support/inside.ts";
import { value } from "../support/runs.ts";

const TTL = 180_000;
const BEAT = 30_000;
const START = 1_800_000_000_000;
const RIVAL = { ...WORKER, sub: "rival" };

describe("a holder that beats", () => {
  it("for two hours is never swept: each beat moves the end of its lease, and rivals are refused throughout", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "long" });
    const other = await board.add({ title: "other" });
    await inside(board, ({ context, sql }) => {
      const granted = value(claimTask(context(START, WORKER), { id }));
      const lease = { kind: "signed" as const, ...granted.lease };
      let end = START + TTL;
      for (let beats = 1; beats <= 240; beats++) {
        // A beat comes a little early or late, like any timer's.
        const now = START + beats * BEAT + (beats % 7) * 900;
        value(addComment(context(now - 2, RIVAL), { id: other.id, body: `said ${beats}` }));
        value(createTask(context(now - 1), { draft: { title: `t${beats}` }, dependsOn: [other.id] }));
        expect(sweepStale(context(now))).toBe(0);
        const { expiresAt } = value(heartbeat(context(now, WORKER), { id, lease })).lease;
        expect([expiresAt, expiresAt > end]).toEqual([now + TTL, true]);
        end = expiresAt;
        expect(claimTask(context(now + 1, RIVAL), { id })).toMatchObject({
          reason: "conflict",
          extra: { holder: { agentId: "worker", epoch: 1, state: "live", expiresAt } },
        });
      }
      expect(sql.all("select status, epoch, attempt_streak from tasks where id = ?", id)).toEqual([
        { status: "in_progress", epoch: 1, attempt_streak: 0 },
      ]);
      expect(sql.number("select count(*) from execution_processes")).toBe(1);
    });
  });

  it("goes on over a restart of the board with the token it has", async () => {
    const board = await newBoard();
    const worker = await board.mint("worker");
    const { id } = await board.add({ title: "long" });
    const path = `${board.path}/tasks/${id}`;
    const { lease } = await board.claim(id, worker);
    const leaseToken = lease.token;
    for (let restart = 0; restart < 5; restart++) {
      await evictDurableObject(board.stub());
      await runDurableObjectAlarm(board.stub());
      const beat = ok(await call(worker, "POST", `${path}/heartbeat`, { leaseToken })).lease;
      expect(beat.expiresAt).toBeGreaterThanOrEqual(lease.expiresAt);
      refused(await call(board.lead, "POST", `${path}/claim`, {}), 409, "conflict");
    }
    ok(await call(worker, "POST", `${path}/complete`, { leaseToken, outcome: "succeeded", status: "done" }));
    const { executions } = ok(await call(worker, "GET", `${path}/executions`));
    expect(executions).toMatchObject([{ epoch: 1, status: "succeeded" }]);
  });

  it("for ten tasks in one call keeps all ten", async () => {
    const board = await newBoard();
    const worker = await board.mint("worker");
    const tasks = Array.from({ length: 10 }, (_, index) => ({ ref: `${index}`, title: `t${index}` }));
    ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
    const { claims } = ok(await call(worker, "POST", `${board.path}/claims`, { limit: 10 }));
    const leases: { taskId: string; leaseToken: string }[] = claims.map(
      // biome-ignore lint/suspicious/noExplicitAny: a claim as it comes
      ({ task, lease }: any) => ({ taskId: task.id, leaseToken: lease.token }),
    );
    for (let round = 0; round < 3; round++) {
      for (const { taskId } of leases) await backdate(board, taskId, TTL - 5_000);
      const { results } = ok(await call(worker, "POST", `${board.path}/heartbeats`, { leases }));
      expect(results.filter((result: { ok: boolean }) => result.ok)).toHaveLength(10);
      await runDurableObjectAlarm(board.stub());
    }
    expect(ok(await call(board.lead, "GET", board.path)).counts).toMatchObject({ in_progress: 10, todo: 0 });
  });
});

it("a new claim lives from its own beginning, not from a beat of the run before it", async () => {
  const board = await newBoard();
  const { id } = await board.add({ title: "again" });
  await inside(board, ({ context }) => {
    const claim = (now: number) => {
      const granted = value(claimTask(context(now, WORKER), { id }));
      return { id, lease: { kind: "signed" as const, ...granted.lease }, expiresAt: granted.lease.expiresAt };
    };
    const first = claim(START);
    value(heartbeat(context(START + BEAT, WORKER), first));
    value(releaseTask(context(START + BEAT + 1, WORKER), first));
    const later = START + 10 * TTL;
    const second = claim(later);
    expect(second.expiresAt).toBe(later + TTL);
    expect(sweepStale(context(later + 1))).toBe(0);
    value(heartbeat(context(later + BEAT, WORKER), second));
  });
});

it("only the board's clock counts: a client's date moves no lease, and a body that names a time is refused", async () => {
  const board = await newBoard();
  const worker = await board.mint("worker");
  const { id } = await board.add({ title: "work" });
  const { lease } = await board.claim(id, worker);
  const path = `${board.path}/tasks/${id}/heartbeat`;
  for (const days of [-1, 1]) {
    const before = Date.now();
    const date = new Date(before + days * 86_400_000).toUTCString();
    const beat = await call(worker, "POST", path, { leaseToken: lease.token }, { date });
    const { expiresAt } = ok(beat).lease;
    expect(expiresAt).toBeGreaterThanOrEqual(before + TTL);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + TTL);
  }
  for (const name of ["at", "now", "expiresAt", "ttlMs", "heartbeatAt"])
    refused(
      await call(worker, "POST", path, { leaseToken: lease.token, [name]: Date.now() + 86_400_000 }),
      400,
      "invalid_request",
    );
});

it("a lease goes by the settings in force: told in each answer, shortened and lengthened for all alike", async () => {
  const board = await newBoard();
  const worker = await board.mint("worker");
  const ids: string[] = [];
  const leases: { taskId: string; leaseToken: string }[] = [];
  for (const title of ["silent", "beats"]) {
    const { id } = await board.add({ title });
    ids.push(id);
    leases.push({ taskId: id, leaseToken: (await board.claim(id, worker)).lease.token });
  }
  const [silent, beats] = ids as [string, string];
  const change = async (settings: object) =>
    ok(await call(board.lead, "PATCH", board.path, { settings })).board;
  const states = async () => Promise.all(ids.map(async (id) => (await board.get(id)).lease?.state));
  for (const id of ids) await backdate(board, id, 100_000);
  await change({ leaseTtlMs: 3_000_000 });
  expect(await states()).toEqual(["live", "live"]);
  await change({ leaseTtlMs: 120_000, beatEveryMs: 20_000 });
  expect(await states()).toEqual(["live", "live"]);
  const { results } = ok(await call(worker, "POST", `${board.path}/heartbeats`, { leases: leases.slice(1) }));
  expect(results).toMatchObject([{ ok: true, lease: { ttlMs: 120_000, beatEveryMs: 20_000 } }]);
  // The change itself brings the alarm forward: nothing else has to happen for the silent one to be swept.
  await change({ leaseTtlMs: 90_000 });
  await vi.waitFor(async () => expect((await board.get(silent)).status).toBe("todo"), { timeout: 10_000 });
  expect(await board.get(beats)).toMatchObject({ status: "in_progress", lease: { state: "live" } });
});
