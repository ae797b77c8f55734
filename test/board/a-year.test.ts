/**
 * A year in the life of a board, a week at a time: the clock is moved, and the alarm rings. What is bounded is
 * as large at its end as in its middle; what is a record grows by its own rows, and by nothing else.
 */
import { runInDurableObject } from "cloudflare:test";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Board } from "../../src/board/board.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { DAY } from "../support/runs.ts";

const WEEKS = 52;
const LONG = "x".repeat(20_000);

/** The record: what was to be done, who did it and said what, and who used a privilege. */
const RECORDS = ["tasks", "task_comments", "execution_processes", "run_stats", "audit"];

beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterAll(() => void vi.useRealTimers());

const alarmOf = (board: TestBoard) =>
  runInDurableObject(board.stub(), (instance) => (instance as unknown as Board).alarm());

/** Two tasks are done by agents with tokens for the day, one of which is revoked; an import is left lying. */
async function week(board: TestBoard, number: number): Promise<void> {
  for (const [outcome, status] of [
    ["failed", "blocked"],
    ["succeeded", "done"],
  ]) {
    const task = await board.add({ title: `week ${number}` });
    const path = `${board.path}/tasks/${task.id}`;
    const worker = await board.mint("ada", "worker", status === "done" ? { expiresInS: 86_400 } : {});
    const { lease } = await board.claim(task.id, worker);
    const word = { leaseToken: lease.token, outcome, status, summary: "in short" };
    const long = { handoff: { evidence: LONG, next: LONG } };
    ok(await call(worker, "POST", `${path}/complete`, { ...word, ...long }, { "idempotency-key": task.id }));
    if (status === "blocked") ok(await call(board.lead, "PATCH", path, { status: "cancelled" }));
  }
  const { tokens } = ok(await call(board.lead, "GET", `${board.path}/tokens?limit=200`));
  const open = tokens.find(
    (token: { agentId: string; expiresAt: number | null; revokedAt: number | null }) =>
      token.agentId === "ada" && token.expiresAt === null && token.revokedAt === null,
  );
  ok(await call(board.lead, "DELETE", `${board.path}/tokens/${open.id}`), 204);
  const begun = ok(await call(board.lead, "POST", `${board.path}/imports`, { format: "beads" }), 201);
  const part = `${board.path}/imports/${begun.id}/parts/1`;
  ok(await call(board.lead, "PUT", part, LONG, { "content-type": "text/plain" }));
}

async function sizes(board: TestBoard): Promise<{ rows: Record<string, number>; bytes: number }> {
  return inside(board, ({ sql, storage }) => {
    const tables = sql
      .all("select name from sqlite_master where type = 'table' and name not like '%search%'")
      .map(({ name }) => String(name))
      .filter((name) => !name.startsWith("_cf_") && name !== "task_trigrams");
    const rows = tables.map((name) => [name, sql.number(`select count(*) from ${name}`)]);
    return { rows: Object.fromEntries(rows), bytes: storage.sql.databaseSize };
  });
}

it("ends with the tables it had in its middle, and with little more storage", async () => {
  const board = await newBoard({ eventRetention: 1_000 });
  // So that the log is at its bound from the beginning, as that of a busy board is.
  await inside(board, ({ sql }) =>
    sql.run(
      `insert into events (seq, at, kind, task_id, actor_type, actor_id, epoch, data, tenant_id)
       with recursive more(seq) as (
         select max(seq) + 1 from events union all select seq + 1 from more where seq < 1_000
       ) select seq, 1, 'board_changed', null, 'board', 'board', null, '{}', null from more`,
    ),
  );
  const start = Date.now();
  const measured: Awaited<ReturnType<typeof sizes>>[] = [];
  for (let number = 0; number < WEEKS; number++) {
    vi.setSystemTime(start + number * 7 * DAY);
    await alarmOf(board);
    await week(board, number);
    measured.push(await sizes(board));
  }
  const middle = measured[WEEKS / 2 - 1] as (typeof measured)[number];
  const end = measured[WEEKS - 1] as (typeof measured)[number];
  const bounded = Object.keys(end.rows).filter((name) => !RECORDS.includes(name));
  for (const name of bounded.filter((table) => table !== "events"))
    expect(end.rows[name], name).toBe(middle.rows[name]);
  expect(end.rows["events"]).toBeLessThanOrEqual(1_100);
  expect(end.rows["tokens"]).toBeGreaterThan(10);
  const grown = Object.keys(end.rows).filter((name) => end.rows[name] !== middle.rows[name]);
  expect(grown.filter((name) => name !== "events").sort()).toEqual(
    RECORDS.filter((name) => name !== "task_comments").sort(),
  );
  // Half a year of long texts is two megabytes.
  expect(end.bytes - middle.bytes).toBeLessThan(200_000);
}, 120_000);
