/** What calls on which much hangs read and write: rows and statements are exact, so these are too. */
import { expect, it } from "vitest";
import { claimTask } from "../../src/board/operations/claim-task.ts";
import { completeTask } from "../../src/board/operations/complete-task.ts";
import { getGraph } from "../../src/board/operations/get-graph.ts";
import { importBoard } from "../../src/board/operations/import-board.ts";
import { linkDependency } from "../../src/board/operations/link-dependency.ts";
import { sweepStale } from "../../src/board/operations/sweep-stale.ts";
import { PROBE } from "../../src/board/store/dependencies.ts";
import { newBoard } from "../support/api.ts";
import { type Inside, inside, WORKER } from "../support/inside.ts";
import { chain, crowd, exportOfRows, silent } from "../support/large.ts";
import { value } from "../support/runs.ts";

const NOW = 1_800_000_000_000;

/** What `work` costs, or the statements of one text among it. */
function cost({ costs }: Inside, work: () => unknown, query?: string) {
  const start = costs.length;
  work();
  const counted = costs.slice(start).filter((each) => query === undefined || each.query === query);
  return {
    statements: counted.length,
    read: counted.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    written: counted.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
  };
}

it("completing a task that 10,000 wait for frees them in one statement", async () => {
  const board = await newBoard();
  await inside(board, (visit) => {
    const id = `task-${crowd(visit.sql, 10_000)}`;
    const { lease } = value(claimTask(visit.context(NOW, WORKER), { id }));
    const complete = () => {
      const word = { id, lease: { kind: "signed", ...lease }, outcome: "succeeded", status: "done" } as const;
      const done = value(completeTask(visit.context(NOW, WORKER), word));
      expect([done.unblockedCount, done.unblocked.length]).toEqual([10_000, 100]);
    };
    expect(cost(visit, complete)).toEqual({ statements: 11, read: 70_021, written: 30_009 });
  });
});

it("a sweep of 5,000 expired leases takes ten batches, each of the same few statements", async () => {
  const board = await newBoard();
  await inside(board, (visit) => {
    silent(visit.sql, 5_000);
    const batches = Array.from({ length: 10 }, () =>
      cost(visit, () => expect(sweepStale(visit.context(NOW))).toBe(500)),
    );
    expect(sweepStale(visit.context(NOW))).toBe(0);
    // The last one has nothing left to look for behind it.
    const each = { statements: 8, read: 9_023, written: 3_521 };
    expect(batches).toEqual([...Array(9).fill(each), { ...each, read: 9_022 }]);
  });
});

it("a link is probed along a chain of 2,000 edges in one statement, of three rows an edge", async () => {
  const board = await newBoard();
  await inside(board, (visit) => {
    const { last, alone } = chain(visit.sql, 2_000, 1);
    const input = { id: `task-${alone}`, dependsOnTaskId: `task-${last}`, onCancel: "hold" } as const;
    const link = () => expect(linkDependency(visit.context(NOW), input).ok).toBe(true);
    expect(cost(visit, link, PROBE)).toEqual({ statements: 1, read: 6_000, written: 0 });
    const back = { id: "task-1", dependsOnTaskId: `task-${last}`, onCancel: "hold" } as const;
    const close = () =>
      expect(linkDependency(visit.context(NOW), back)).toMatchObject({ reason: "task_dependency_cycle" });
    expect(cost(visit, close)).toEqual({ statements: 6, read: 16_003, written: 0 });
  });
});

it("a graph of 5,000 tasks in a chain reads them and their edges in five statements", async () => {
  const board = await newBoard();
  await inside(board, (visit) => {
    chain(visit.sql, 4_999, 0);
    const filter = {
      statuses: [],
      teamId: null,
      parentTaskId: null,
      kind: null,
      labels: [],
      includeDropped: false,
    };
    const read = () => {
      const graph = value(getGraph(visit.context(NOW), { around: null, filter, limit: 5_000 }));
      expect([graph.nodes.length, graph.edges.length]).toEqual([5_000, 4_999]);
    };
    expect(cost(visit, read)).toEqual({ statements: 5, read: 39_999, written: 0 });
  });
});

it("an import of 20,000 rows takes some sixty statements", async () => {
  const board = await newBoard();
  await inside(board, (visit) => {
    const source = exportOfRows(20_000);
    const bring = () => {
      const input = { source, reset: false, dryRun: false };
      const { report } = value(importBoard(visit.context(NOW), input));
      expect(report).toMatchObject({ created: 8_000, edges: 8_000, comments: 4_000 });
    };
    expect(cost(visit, bring)).toEqual({ statements: 61, read: 260_000, written: 100_011 });
  });
});
