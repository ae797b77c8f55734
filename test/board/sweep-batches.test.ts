/** Many leases that run out together: swept in batches that judge rows as they are, and offered again apart. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { claimNext } from "../../src/board/operations/claim-next.ts";
import { completeTask } from "../../src/board/operations/complete-task.ts";
import { heartbeat } from "../../src/board/operations/heartbeat.ts";
import { sweepStale } from "../../src/board/operations/sweep-stale.ts";
import { SWEEP_BATCH } from "../../src/contract/limits.ts";
import type { Settings } from "../../src/contract/settings.ts";
import type { Task } from "../../src/contract/task.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { backdate, inside, WORKER } from "../support/inside.ts";
import { value } from "../support/runs.ts";

const TTL = 180_000;
/** When the leases of these tests were granted: just long enough ago that they have run out. */
const THEN = Date.now() - TTL - 1_000;
const LATER = THEN + TTL;

interface Held {
  id: string;
  lease: { kind: "signed"; incarnation: string; executionId: string; epoch: number };
}

/** A board on which one worker holds this many tasks since THEN. */
async function holding(
  count: number,
  settings: Partial<Settings> = {},
): Promise<{ board: TestBoard; held: Held[] }> {
  const board = await newBoard(settings);
  const held = await inside(board, ({ sql, context }) => {
    fill(sql, { count, priority: 1 });
    return Array.from({ length: Math.ceil(count / 10) }, () =>
      value(claimNext(context(THEN, WORKER), { limit: 10 })).claims.map(({ task, lease }) => ({
        id: task.id,
        lease: {
          kind: "signed" as const,
          incarnation: lease.incarnation,
          executionId: lease.executionId,
          epoch: lease.epoch,
        },
      })),
    ).flat();
  });
  expect(held).toHaveLength(count);
  return { board, held };
}

const done = { outcome: "succeeded", status: "done" } as const;

describe("a sweep in batches", () => {
  it("never takes back what was finished, beaten or moved between two of them", async () => {
    const { board, held } = await holding(SWEEP_BATCH + 60);
    await inside(board, ({ sql, context }) => {
      expect(sweepStale(context(LATER))).toBe(SWEEP_BATCH);
      const running = new Set(
        sql
          .all("select task_id from execution_processes where status = 'running'")
          .map((row) => row["task_id"]),
      );
      const left = held.filter(({ id }) => running.has(id));
      expect(left).toHaveLength(60);
      const [finished, beaten] = [left.slice(0, 20), left.slice(20, 40)];
      for (const each of finished)
        expect(value(completeTask(context(LATER, WORKER), { ...each, ...done })).late).toBe(true);
      for (const each of beaten) value(heartbeat(context(LATER, WORKER), each));
      expect(sweepStale(context(LATER + 1))).toBe(20);
      expect(sweepStale(context(LATER + 2))).toBe(0);
      const status = ({ id }: Held) => sql.all("select status from tasks where id = ?", id)[0]?.["status"];
      expect(new Set(finished.map(status))).toEqual(new Set(["done"]));
      expect(new Set(beaten.map(status))).toEqual(new Set(["in_progress"]));
      expect(sql.number("select todo from task_counts")).toBe(SWEEP_BATCH + 20);
      expect(sql.number("select count(*) from events where kind = 'task_released'")).toBe(SWEEP_BATCH + 20);
    });
  });

  it("leaves work on offer all the while: a new task is handed out between two of them", async () => {
    const { board } = await holding(SWEEP_BATCH * 3);
    const fresh = await board.add({ title: "fresh" });
    await inside(board, ({ context, costs }) => {
      expect(sweepStale(context(LATER))).toBe(SWEEP_BATCH);
      costs.length = 0;
      const { claims } = value(claimNext(context(LATER, { ...WORKER, sub: "other" }), { limit: 1 }));
      expect(claims.map(({ task }) => task.id)).toEqual([fresh.id]);
      expect(costs.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThan(30);
      expect(sweepStale(context(LATER))).toBe(SWEEP_BATCH);
    });
  });
});

it("the alarm and two leads who sweep at the same time close each lease once", async () => {
  const { board } = await holding(30);
  // A claim that lives arms the alarm.
  await board.claim((await board.add({ title: "live" })).id, board.lead);
  const reconcile = () => call(board.lead, "POST", `${board.path}/reconcile`, { pass: "stale" });
  const [first, second, fired] = await Promise.all([
    reconcile(),
    reconcile(),
    runDurableObjectAlarm(board.stub()),
  ]);
  expect([ok(first).closed + ok(second).closed <= 30, fired]).toEqual([true, true]);
  expect(ok(await call(board.lead, "GET", board.path)).counts).toMatchObject({ todo: 30, in_progress: 1 });
  const released = await inside(board, ({ sql }) =>
    sql.number("select count(*) from events where kind = 'task_released'"),
  );
  expect(released).toBe(30);
});

it("the last crash a task may have blocks that task alone; its siblings are handed out", async () => {
  const { board, held } = await holding(3, { maxAttempts: 2, backoff: { firstMs: 0, stepMs: 0, maxMs: 0 } });
  const [poison] = held as [Held];
  await inside(board, ({ sql, context }) => {
    sql.run("update tasks set attempt_streak = 1 where id = ?", poison.id);
    expect(sweepStale(context(LATER))).toBe(3);
  });
  expect(await board.get(poison.id)).toMatchObject({ status: "blocked", blockedReason: "attempt_limit" });
  const worker = await board.mint("next");
  const { claims } = ok(await call(worker, "POST", `${board.path}/claims`, { limit: 10 }));
  expect(claims).toHaveLength(2);
});

describe("tasks that were swept together", () => {
  it("come back spread over the backoff, none before its time", async () => {
    const count = 200;
    const { board } = await holding(count, { backoff: { firstMs: 5_000, stepMs: 30_000, maxMs: 900_000 } });
    ok(await call(board.lead, "POST", `${board.path}/reconcile`, { pass: "stale" }));
    const worker = await board.mint("next");
    const waits = await inside(board, ({ sql }) => {
      const swept = sql.number("select max(ended_at) from execution_processes");
      return sql.all("select not_before from tasks").map((row) => Number(row["not_before"]) - swept);
    });
    expect(waits).toHaveLength(count);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(5_000);
    // Of ten parts of the window none is empty, and none holds a third of them all.
    const parts = Object.groupBy(waits, (wait) => Math.min(9, Math.max(0, Math.floor(wait / 500))));
    expect(Object.keys(parts)).toHaveLength(10);
    for (const part of Object.values(parts)) expect(part?.length).toBeLessThan(count / 3);
    const { claims } = ok(await call(worker, "POST", `${board.path}/claims`, { limit: 10 }));
    for (const { task } of claims) expect(task.notBefore ?? 0).toBeLessThanOrEqual(Date.now());
  });

  it("stand behind fresh work as urgent as they are, and before less urgent work", async () => {
    const { board, held } = await holding(3, { backoff: { firstMs: 0, stepMs: 0, maxMs: 0 } });
    const [urgent, ...others] = held as [Held, Held, Held];
    const fresh = await board.add({ title: "fresh", priority: 1 });
    await inside(board, ({ sql, context }) => {
      sql.run("update tasks set priority = 9 where id = ?", urgent.id);
      // The sweep comes after the new task, and makes the swept ones no newer than they were.
      expect(sweepStale(context(Date.now() + 1_000))).toBe(3);
    });
    const worker = await board.mint("next");
    const { claims } = ok(await call(worker, "POST", `${board.path}/claims`, { limit: 4 }));
    const order = claims.map(({ task }: { task: Task }) => task.id);
    expect(order.slice(0, 2)).toEqual([urgent.id, fresh.id]);
    expect(order.slice(2).sort()).toEqual(others.map(({ id }) => id).sort());
  });
});

it("what reads as expired, wherever it is read, is exactly what the sweep closes", async () => {
  const board = await newBoard();
  const worker = await board.mint("worker");
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) {
    const { id } = await board.add({ title: `t${n}` });
    await board.claim(id, worker);
    ids.push(id);
  }
  const silent = ids.slice(0, 4);
  for (const id of silent) await backdate(board, id, TTL);
  const { tasks } = ok(await call(worker, "GET", `${board.path}/tasks?status=in_progress&order=oldest`));
  const told = await Promise.all(ids.map((id) => board.get(id)));
  const { nodes } = ok(await call(worker, "GET", `${board.path}/graph?status=in_progress`));
  for (const seen of [
    tasks.filter(({ lease }: Task) => lease?.state === "expired"),
    told.filter(({ lease }) => lease?.state === "expired"),
    nodes.filter(({ holder }: { holder: { state: string } }) => holder.state === "expired").toReversed(),
  ])
    expect(seen.map(({ id }: { id: string }) => id)).toEqual(silent);
  expect(ok(await call(board.lead, "POST", `${board.path}/reconcile`, { pass: "stale" }))).toMatchObject({
    closed: 4,
  });
  expect(ok(await call(board.lead, "GET", board.path)).counts).toMatchObject({ todo: 4, in_progress: 2 });
});

it("a card moved by hand is nobody's lease: however long it lies there, no sweep moves it", async () => {
  const board = await newBoard();
  const { id } = await board.add({ title: "by hand" });
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { status: "in_progress" }));
  const before = await board.get(id);
  await inside(board, ({ context }) => expect(sweepStale(context(Date.now() + 86_400_000))).toBe(0));
  await runDurableObjectAlarm(board.stub());
  expect(await board.get(id)).toEqual(before);
});
