/** What is measured: how the board is made ready, and the calls whose time counts. */
import type { Board } from "../../src/board/board.ts";
import type { Reply } from "../../src/board/replay.ts";
import type { Sql } from "../../src/board/store/sql.ts";
import { EVERY_TASK } from "../../src/board/store/task-lists.ts";
import type { Caller, LeaseProof } from "../../src/contract/roles.ts";
import { fill } from "../support/fill.ts";
import { chain, crowd, exportOfRows, silent } from "../support/large.ts";

const LEAD = {
  caller: {
    sub: "lead",
    role: "lead",
    jti: null,
    inc: null,
    runtime: null,
    capabilities: [],
  } satisfies Caller,
};

export interface Case {
  name: string;
  /** Timed together, one after the other in one visit: a small one alone would be lost in the visit. */
  calls: number;
  /** So many visits follow each other, and the longest counts. */
  visits: number;
  /** On a fresh board; what it returns is handed to each call. */
  prepare: (board: Board, sql: Sql) => unknown;
  call: (board: Board, prepared: never, index: number) => Reply<unknown>;
}

function made<Prepared>(
  name: string,
  calls: number,
  prepare: (board: Board, sql: Sql) => Prepared,
  call: (board: Board, prepared: Prepared, index: number) => Reply<unknown>,
  visits = 1,
): Case {
  return { name, calls, visits, prepare, call };
}

function value<T>(reply: Reply<T>): T {
  if (!reply.ok) throw new Error(reply.detail);
  return reply.value;
}

/** Half of them blocked and ahead in the order, as in the tests of costs. */
const half = (size: number) => (_: Board, sql: Sql) => {
  fill(sql, { count: size / 2, priority: 9, openDeps: 1 });
  fill(sql, { count: size / 2, priority: 1 });
};

const SIZES = [100, 10_000, 100_000];

/** Asks for nothing: admission, a transaction and the look at one task. Everything else is told in these. */
export const EMPTY = made(
  "an empty change",
  200,
  (_, sql) => fill(sql, { count: 1, priority: 1 }),
  (board) =>
    board.changeTask(LEAD, {
      id: "task-1",
      content: {},
      lease: null,
      humanOverride: false,
      overrideReason: null,
      displace: false,
      ifVersion: null,
      ifChangeSeq: null,
    }),
);

export const CASES: Case[] = [
  EMPTY,
  ...SIZES.map((size) =>
    made(`claim-next of ${size} tasks`, 20, half(size), (board) => board.claimNext(LEAD, { limit: 1 })),
  ),
  ...SIZES.map((size) =>
    made(`ready, first 50 of ${size}`, 20, half(size), (board) =>
      board.listTasks(LEAD, { filter: EVERY_TASK, order: "queue", q: null, cursor: null, limit: 50 }),
    ),
  ),
  made(
    "cycle probe along 2,000 edges, and the link",
    10,
    (_, sql) => chain(sql, 2_000, 10),
    (board, { last, alone }, index) =>
      board.linkDependency(LEAD, {
        id: `task-${alone + index}`,
        dependsOnTaskId: `task-${last}`,
        onCancel: "hold",
      }),
  ),
  made(
    "graph of 5,000 tasks and 4,999 edges",
    1,
    (_, sql) => chain(sql, 4_999, 0),
    (board) => board.getGraph(LEAD, { around: null, filter: EVERY_TASK, limit: 5_000 }),
  ),
  made(
    "complete, 10,000 dependents",
    1,
    (board, sql) => {
      const id = `task-${crowd(sql, 10_000)}`;
      const { lease } = value(board.claimTask(LEAD, { id }));
      return { id, lease: { kind: "signed", ...lease } satisfies LeaseProof };
    },
    (board, held) => board.completeTask(LEAD, { ...held, outcome: "succeeded", status: "done" }),
  ),
  made(
    "sweep of 5,000 leases, its longest batch",
    1,
    (_, sql) => silent(sql, 5_000),
    (board) => board.reconcile(LEAD, { pass: "stale" }),
    10,
  ),
  made(
    "import of 20,000 rows",
    1,
    () => exportOfRows(20_000),
    (board, source) => board.importBoard(LEAD, { source, reset: false, dryRun: false }),
  ),
];
