/** Runs with times of the test's own, counters as rows, and what is read of them: for tests about statistics. */
import { claimTask } from "../../src/board/operations/claim-task.ts";
import { completeTask } from "../../src/board/operations/complete-task.ts";
import type { RunStatsRow } from "../../src/board/store/rows.ts";
import type { Agent, Stats } from "../../src/contract/stats.ts";
import { call, ok, type TestBoard } from "./api.ts";
import { type Inside, WORKER } from "./inside.ts";

export const NOW = Date.UTC(2027, 0, 15, 8);
export const DAY = 86_400_000;
export const MIDNIGHT = Date.UTC(2027, 0, 15);
export const TTL = 180_000;

export function value<T>(result: { ok: true; value: T } | { ok: false; reason: string }): T {
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

export const stats = async (board: TestBoard, query = ""): Promise<Stats> =>
  ok(await call(board.lead, "GET", `${board.path}/stats${query}`));

export const agents = async (board: TestBoard, query = ""): Promise<Agent[]> =>
  ok(await call(board.lead, "GET", `${board.path}/agents${query}`)).agents;

export interface Run {
  /** The task's number. */
  number: number;
  agentId?: string;
  runtime?: string;
  claimedAt: number;
  endedAt: number;
  word?: object;
}

/** Claims a task and completes it, at times of the test's own. */
export function run(
  { context }: Inside,
  { number, agentId = "ada", runtime, claimedAt, endedAt, word }: Run,
): void {
  const caller = { ...WORKER, sub: agentId };
  const { lease } = value(
    claimTask(context(claimedAt, caller), {
      id: `n${number}`,
      ...(runtime === undefined ? {} : { runtime }),
    }),
  );
  value(
    completeTask(context(endedAt, caller), {
      id: `n${number}`,
      lease: { kind: "signed", ...lease },
      outcome: "succeeded",
      status: "done",
      ...word,
    }),
  );
}

/** Counters as rows, each of one success. */
export function counters(fields: Partial<RunStatsRow>[]): RunStatsRow[] {
  return fields.map((each) => ({
    day: MIDNIGHT / DAY,
    agent_id: "ada",
    runtime: "",
    succeeded: 1,
    failed: 0,
    timed_out: 0,
    cancelled: 0,
    released: 0,
    cycle_ms: 0,
    waits: 0,
    waited_ms: 0,
    input_tokens: 0,
    output_tokens: 0,
    cache_read: 0,
    cache_write: 0,
    cost_micros: 0,
    tenant_id: null,
    ...each,
  }));
}

/** Rows read and written by `work`; with a pattern, by the statements that match it. */
export function cost(visit: Inside, work: () => unknown, pattern = /./): { read: number; written: number } {
  const start = visit.costs.length;
  work();
  const counted = visit.costs.slice(start).filter(({ query }) => pattern.test(query));
  return {
    read: counted.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    written: counted.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
  };
}

/** No run, however it ended. */
export const NOTHING = { succeeded: 0, failed: 0, timed_out: 0, cancelled: 0, released: 0 };
