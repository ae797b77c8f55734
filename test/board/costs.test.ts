/** What operations read and write, counted: rows are exact, so these are too. */
import { describe, expect, it } from "vitest";
import { type ClaimNext, claimNext } from "../../src/board/operations/claim-next.ts";
import { claimTask } from "../../src/board/operations/claim-task.ts";
import { completeTask } from "../../src/board/operations/complete-task.ts";
import type { Grant } from "../../src/board/operations/grant.ts";
import { heartbeat, type Usage } from "../../src/board/operations/heartbeat.ts";
import { listTasks } from "../../src/board/operations/list-tasks.ts";
import { BEAT } from "../../src/board/store/running.ts";
import { EVERY_TASK } from "../../src/board/store/task-lists.ts";
import { CLAIM } from "../../src/board/store/tasks.ts";
import { newBoard, type TestBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { type Inside, inside, WORKER } from "../support/inside.ts";

const NOW = 1_800_000_000_000;
const TOMORROW = NOW + 86_400_000;

interface Cost {
  read: number;
  written: number;
}

/** What the statements run by `work` cost, or those of one text. */
function cost(visit: Inside, work: () => void, query?: string): Cost {
  const start = visit.costs.length;
  work();
  const counted = visit.costs.slice(start).filter((each) => query === undefined || each.query === query);
  return {
    read: counted.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    written: counted.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
  };
}

/** Half of the tasks wait for another one and stand ahead in the order; the last ones are ready. */
async function boardOf(size: number): Promise<TestBoard> {
  const board = await newBoard();
  await inside(board, ({ sql }) => {
    fill(sql, { count: size / 2, priority: 9, openDeps: 1 });
    fill(sql, { count: size / 2, priority: 1 });
  });
  return board;
}

function next(visit: Inside, input: Partial<ClaimNext> = {}): Grant[] {
  const result = claimNext(visit.context(NOW, WORKER), { limit: 1, ...input });
  if (!result.ok) throw new Error(result.reason);
  return result.value.claims;
}

function readyPage(visit: Inside, limit: number): number {
  const page = listTasks(visit.context(NOW, WORKER), {
    filter: EVERY_TASK,
    order: "queue",
    cursor: null,
    limit,
  });
  if (!page.ok) throw new Error(page.reason);
  return page.value.tasks.length;
}

describe.each([100, 10_000, 100_000])("on a board of %i tasks, half of them blocked and ahead", (size) => {
  it("a claim that wins reads 3 rows and writes 3 in its statement", async () => {
    const board = await boardOf(size);
    await inside(board, (visit) => {
      const claim = () => expect(claimTask(visit.context(NOW, WORKER), { id: `task-${size}` }).ok).toBe(true);
      expect(cost(visit, claim, CLAIM)).toEqual({ read: 3, written: 3 });
    });
  });

  it("a whole claim writes 9 rows: task, two queue entries, assignee, counts, run and event", async () => {
    const board = await boardOf(size);
    await inside(board, (visit) => {
      const claim = () => claimTask(visit.context(NOW, WORKER), { id: `task-${size}` });
      expect(cost(visit, claim)).toEqual({ read: 11, written: 9 });
    });
  });

  it("a claim that loses writes nothing", async () => {
    const board = await boardOf(size);
    await inside(board, (visit) => {
      const claim = () => claimTask(visit.context(NOW, WORKER), { id: `task-${size}` });
      claim();
      expect(cost(visit, claim)).toEqual({ read: 3, written: 0 });
    });
  });

  it("claim-next finds and claims within 5 rows, and reads 12 in all", async () => {
    const board = await boardOf(size);
    await inside(board, (visit) => {
      const start = visit.costs.length;
      expect(cost(visit, () => expect(next(visit)).toHaveLength(1))).toEqual({ read: 12, written: 9 });
      const queue = visit.costs
        .slice(start)
        .filter(({ query }) => /(?:from|update) tasks\s+(?:set|indexed)/.test(query));
      expect(queue.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBe(5);
    });
  });

  it("a heartbeat writes exactly one row", async () => {
    const board = await boardOf(size);
    await inside(board, (visit) => {
      const [grant] = next(visit) as [Grant];
      const { incarnation, executionId, epoch } = grant.lease;
      const lease = { kind: "signed" as const, incarnation, executionId, epoch };
      const beat = () =>
        expect(heartbeat(visit.context(NOW, WORKER), { id: grant.task.id, lease }).ok).toBe(true);
      expect(cost(visit, beat)).toEqual({ read: 5, written: 1 });
      expect(cost(visit, beat, BEAT)).toEqual({ read: 1, written: 1 });
    });
  });

  it("ready with limit 50 reads rows in proportion to 50", async () => {
    const board = await boardOf(size);
    await inside(board, (visit) => {
      const shown = Math.min(50, size / 2);
      const page = () => expect(readyPage(visit, 50)).toBe(shown);
      expect(cost(visit, page).read).toBeLessThanOrEqual(shown + 4);
    });
  });
});

describe("money", () => {
  interface Costs {
    plain: Cost;
    reporting: Cost;
    claim: Cost;
    completion: Cost;
  }

  /** What a beat, one with usage, a claim of another task and a completion cost with these budgets. */
  async function costsWith(boardUsd: number | null, taskUsd: number | null): Promise<Costs> {
    const board = await newBoard({ budgetUsd: boardUsd });
    return inside(board, (visit) => {
      fill(visit.sql, { count: 2, priority: 1 });
      visit.sql.run("update tasks set budget_usd = ?", taskUsd);
      const [grant] = next(visit) as [Grant];
      const { incarnation, executionId, epoch } = grant.lease;
      const lease = { kind: "signed" as const, incarnation, executionId, epoch };
      const { id } = grant.task;
      const beat = (usage?: Usage) => () =>
        expect(heartbeat(visit.context(NOW, WORKER), { id, lease, usage }).ok).toBe(true);
      const word = { id, lease, outcome: "succeeded", status: "done" } as const;
      return {
        plain: cost(visit, beat()),
        reporting: cost(visit, beat({ costUsd: 1, inputTokens: 1 })),
        claim: cost(visit, () => expect(next(visit)).toHaveLength(1)),
        completion: cost(visit, () => expect(completeTask(visit.context(NOW, WORKER), word).ok).toBe(true)),
      };
    });
  }

  it("costs nothing where no budget is set; a beat with usage writes the run and the board's sum", async () => {
    expect(await costsWith(null, null)).toEqual({
      plain: { read: 5, written: 1 },
      reporting: { read: 6, written: 2 },
      claim: { read: 12, written: 9 },
      completion: { read: 25, written: 9 },
    });
  });

  it("is read in one row of a board with a budget, twice by a claim-next that claims, and never written", async () => {
    expect(await costsWith(1_000, null)).toEqual({
      plain: { read: 6, written: 1 },
      reporting: { read: 7, written: 2 },
      claim: { read: 14, written: 9 },
      completion: { read: 25, written: 9 },
    });
  });

  it("is read in a row for each run of a task with a budget: none before its first", async () => {
    expect(await costsWith(null, 1_000)).toEqual({
      plain: { read: 6, written: 1 },
      reporting: { read: 7, written: 2 },
      claim: { read: 12, written: 9 },
      completion: { read: 25, written: 9 },
    });
  });
});

describe("with 10,000 deferred and 50,000 blocked tasks ahead in the order", () => {
  async function crowded(): Promise<TestBoard> {
    const board = await newBoard();
    await inside(board, ({ sql }) => {
      fill(sql, { count: 50_000, priority: 9, openDeps: 1 });
      fill(sql, { count: 10_000, priority: 9, notBefore: TOMORROW });
      fill(sql, { count: 10_000, priority: 8, status: "done" });
      fill(sql, { count: 1_200, priority: 1 });
    });
    return board;
  }

  it("claim-next costs what it costs on an empty board", async () => {
    const board = await crowded();
    await inside(board, (visit) => {
      expect(cost(visit, () => expect(next(visit)).toHaveLength(1))).toEqual({ read: 12, written: 9 });
    });
  });

  it("a filter nothing satisfies examines a thousand ready tasks and says so", async () => {
    const board = await crowded();
    await inside(board, (visit) => {
      let scanLimit: unknown;
      const { read, written } = cost(visit, () => {
        const result = claimNext(visit.context(NOW, WORKER), { limit: 1, teamId: "nobody" });
        scanLimit = result.ok && result.value.scanLimit;
      });
      expect(scanLimit).toBe(true);
      expect(read).toBeLessThan(1_100);
      expect(written).toBe(0);
    });
  });

  it("a deferred task that comes due is promoted and handed out first", async () => {
    const board = await crowded();
    await inside(board, (visit) => {
      const result = claimNext(visit.context(TOMORROW + 1, WORKER), { limit: 1 });
      expect(result.ok && result.value.claims[0]?.task.priority).toBe(9);
      expect(visit.sql.number("select count(*) from tasks where deferred = 1")).toBe(9_500);
    });
  });
});
