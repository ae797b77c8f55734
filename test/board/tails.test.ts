/** What goes of an ended run when it is old, what stays, and what that costs. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Board } from "../../src/board/board.ts";
import { oldestTailAt, trimTails } from "../../src/board/store/tails.ts";
import { oldestTokenEndAt, trimTokens } from "../../src/board/store/token-ends.ts";
import { call, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { exported, linesOf, sendImport } from "../support/exports.ts";
import { fill } from "../support/fill.ts";
import { inside } from "../support/inside.ts";
import { DAY } from "../support/runs.ts";

const MONTH = 30 * DAY;

const handoff = { next: "look at the parser", evidence: "12 tests fail", commands: { verify: "npm test" } };
const failure = {
  outcome: "failed",
  summary: "half of it",
  error: "Error: it broke",
  afterCommit: "abc",
  costUsd: 0.5,
  inputTokens: 7,
  handoff,
};

/** A run of this task that ended with these words. */
async function ran(board: TestBoard, id: string, word: object): Promise<string> {
  const worker = await board.mint("ada");
  const { lease } = await board.claim(id, worker, { runReason: "it was asked for" });
  const path = `${board.path}/tasks/${id}`;
  ok(await call(worker, "POST", `${path}/heartbeat`, { leaseToken: lease.token, progress: "half way" }));
  ok(await call(worker, "POST", `${path}/complete`, { leaseToken: lease.token, ...word }));
  return lease.token;
}

/** Everything the board did happened this much earlier. */
const backdate = (board: TestBoard, byMs: number) =>
  inside(board, ({ sql }) => {
    sql.run(
      `update execution_processes set started_at = started_at - ?1, ended_at = ended_at - ?1,
         kept_at = kept_at - ?1`,
      byMs,
    );
    sql.run(
      `update tokens set created_at = created_at - ?1, expires_at = expires_at - ?1, revoked_at = revoked_at - ?1`,
      byMs,
    );
  });

/** The alarm rings, whether it is armed or not. */
async function ring(board: TestBoard): Promise<void> {
  if (await runDurableObjectAlarm(board.stub())) return;
  await runInDurableObject(board.stub(), (instance) => (instance as unknown as Board).alarm());
}

const armedAt = (board: TestBoard) =>
  runInDurableObject(board.stub(), (_instance, state) => state.storage.getAlarm());

const runsOf = async (board: TestBoard, id: string) =>
  ok(await call(board.lead, "GET", `${board.path}/tasks/${id}/executions`)).executions;

const retrying = { backoff: { firstMs: 0, stepMs: 0, maxMs: 0 } };

describe("the long texts of a run", () => {
  it("go when it is old and its task is done; its summary, end, times, commits and cost stay", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "t" });
    await ran(board, id, { ...failure, outcome: "succeeded", status: "done" });
    await backdate(board, MONTH - DAY);
    await ring(board);
    const [before] = await runsOf(board, id);
    expect(before).toMatchObject({ error: "Error: it broke", handoff, trimmedAt: null });
    await backdate(board, DAY);
    await ring(board);
    const [after] = await runsOf(board, id);
    expect(after).toEqual({
      ...before,
      startedAt: before.startedAt - DAY,
      endedAt: before.endedAt - DAY,
      error: null,
      progress: null,
      handoff: null,
      runReason: null,
      trimmedAt: expect.any(Number),
    });
    expect(after).toMatchObject({ summary: "half of it", costUsd: 0.5, inputTokens: 7, afterCommit: "abc" });
  });

  it("stay with the last handoff of an open task, and go when a later one was left", async () => {
    const board = await newBoard(retrying);
    const { id } = await board.add({ title: "t" });
    await ran(board, id, { ...failure, status: "todo" });
    await ran(board, id, { ...failure, status: "todo" });
    await backdate(board, MONTH + DAY);
    await ring(board);
    expect((await runsOf(board, id)).map((run: { handoff: unknown }) => run.handoff)).toEqual([
      null,
      handoff,
    ]);
    const worker = await board.mint("bo");
    const claimed = await board.claim(id, worker);
    expect(claimed.handoff).toEqual(handoff);
    const word = { leaseToken: claimed.lease.token, outcome: "succeeded", status: "done" };
    ok(await call(worker, "POST", `${board.path}/tasks/${id}/complete`, word));
    await backdate(board, MONTH);
    await ring(board);
    expect((await runsOf(board, id)).map((run: { handoff: unknown }) => run.handoff)).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("go within a day after their time, for which the alarm is armed, and leave the log as it is", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "t" });
    await ran(board, id, { ...failure, status: "todo" });
    await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { status: "cancelled" });
    await ring(board);
    const [{ endedAt }] = await runsOf(board, id);
    expect(await armedAt(board)).toBe(endedAt + MONTH + DAY);
    const log = (await call(board.lead, "GET", `${board.path}/events`)).text;
    await backdate(board, MONTH + DAY);
    await ring(board);
    expect(await armedAt(board)).toBeNull();
    expect((await call(board.lead, "GET", `${board.path}/events`)).text).toBe(log);
    expect(log).toContain("Error: it broke");
  });

  it("stay for ever where a board wants that, and on a board that is archived", async () => {
    const forEver = await newBoard({ tailRetentionMs: null });
    const archived = await newBoard();
    for (const board of [forEver, archived]) {
      const { id } = await board.add({ title: "t" });
      await ran(board, id, { ...failure, outcome: "succeeded", status: "done" });
      await backdate(board, 12 * MONTH);
    }
    ok(await call(archived.lead, "PATCH", archived.path, { archived: true }));
    for (const board of [forEver, archived]) {
      await ring(board);
      expect(await runsOf(board, "n1")).toMatchObject([{ error: "Error: it broke", trimmedAt: null }]);
      expect(await armedAt(board)).toBeNull();
    }
    ok(await call(archived.lead, "PATCH", archived.path, { archived: false }));
    ok(await call(forEver.lead, "PATCH", forEver.path, { settings: { tailRetentionMs: MONTH } }));
    for (const board of [forEver, archived]) {
      await ring(board);
      expect(await runsOf(board, "n1")).toMatchObject([{ error: null, summary: "half of it" }]);
    }
  });

  it("are not there any more for a completion that is sent again: its run has ended, and no more is known", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "t" });
    const worker = await board.mint("ada");
    const { lease } = await board.claim(id, worker);
    const word = { leaseToken: lease.token, outcome: "succeeded", status: "done" };
    const again = () => call(worker, "POST", `${board.path}/tasks/${id}/complete`, word);
    ok(await again());
    ok(await again());
    await backdate(board, MONTH);
    await ring(board);
    expect(refused(await again(), 409, "lease_lost").reason).toBe("completed");
  });

  it("that were emptied come back from an export as empty as they went, and are told so", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "t" });
    await ran(board, id, { ...failure, outcome: "succeeded", status: "done" });
    await backdate(board, MONTH);
    await ring(board);
    const other = await newBoard();
    ok(await sendImport(other, await exported(board)));
    const of = (text: string) => linesOf(text).find((line) => line.type === "execution");
    expect(of(await exported(other))).toEqual(of(await exported(board)));
    expect(of(await exported(other)).trimmedAt).toBeGreaterThan(0);
  });

  it("are found among 10,000 runs by reading those that are old, and the next one", async () => {
    const board = await newBoard();
    await inside(board, (visit) => {
      const { sql, costs } = visit;
      fill(sql, { count: 10_000, priority: 1, status: "done" });
      sql.run(
        `insert into execution_processes (id, task_id, epoch, agent_id, status, started_at, last_beat_at, ended_at, error)
         select 'run-' || number, id, 1, 'ada', 'failed', number, number, number, 'broken' from tasks`,
      );
      const cost = (work: () => unknown) => {
        const start = costs.length;
        const result = work();
        const counted = costs.slice(start);
        return {
          result,
          read: counted.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
          written: counted.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
        };
      };
      expect(cost(() => trimTails(sql, 0, 5, 500))).toMatchObject({ result: 0, read: 1, written: 0 });
      const batch = cost(() => trimTails(sql, 100, 5, 500));
      expect(batch).toMatchObject({ result: 100, written: 100 });
      expect(batch.read).toBeLessThan(1_000);
      expect(cost(() => trimTails(sql, 9_000, 5, 500)).result).toBe(500);
      const oldest = cost(() => oldestTailAt(sql));
      expect(oldest.result).toBe(601);
      expect(oldest.read).toBeLessThanOrEqual(2);
    });
  });
});

describe("the row of a token", () => {
  it("goes three months after it was good for the last time, and the token stays refused", async () => {
    const board = await newBoard();
    const revoked = await board.mint("revoked");
    const good = await board.mint("good");
    await board.mint("expiring", "worker", { expiresInS: 60 });
    const list = async () =>
      ok(await call(board.lead, "GET", `${board.path}/tokens`)).tokens as { id: string; agentId: string }[];
    const id = (await list()).find(({ agentId }) => agentId === "revoked")?.id;
    ok(await call(board.lead, "DELETE", `${board.path}/tokens/${id}`), 204);
    await backdate(board, 90 * DAY - 1_000);
    await ring(board);
    expect(await list()).toHaveLength(4);
    await backdate(board, DAY);
    await ring(board);
    expect((await list()).map(({ agentId }) => agentId)).toEqual(["lead", "good"]);
    refused(await call(revoked, "GET", board.path), 401, "token_revoked");
    ok(await call(good, "GET", board.path));
    expect(await armedAt(board)).toBeNull();
  });

  it("stays if the board was made with it, since its creation may be repeated", async () => {
    const board = await newBoard();
    await inside(board, ({ sql }) => {
      sql.run("update tokens set revoked_at = 1");
      expect(oldestTokenEndAt(sql)).toBeNull();
      expect(trimTokens(sql, 2, 10)).toBe(0);
      expect(sql.number("select count(*) from tokens")).toBe(1);
    });
  });
});
