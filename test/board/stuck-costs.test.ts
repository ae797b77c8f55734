/** What the list of stuck tasks reads: rows are exact, so these are too. */
import { describe, expect, it } from "vitest";
import { listStuck } from "../../src/board/operations/list-stuck.ts";
import { newBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { type Inside, inside } from "../support/inside.ts";

const NOW = 1_800_000_000_000;

/** Rows read by a page, with what the numbers of a board of this size are made of. */
function rowsRead(visit: Inside, reason: Parameters<typeof listStuck>[1]["reason"] = null): number {
  const start = visit.costs.length;
  const page = listStuck(visit.context(NOW), { reason, cursor: null, limit: 50 });
  if (!page.ok) throw new Error(page.detail);
  expect(page.value.counts).toEqual({
    no_lease: 2,
    unreachable: 3,
    attempt_limit: 2,
    no_reviewer: 2,
    overrun: 0,
    unclaimable: 2,
  });
  return visit.costs.slice(start).reduce((sum, cost) => sum + cost.rowsRead, 0);
}

describe("a page of stuck tasks", () => {
  it("costs what is stuck, whatever the size of the board", async () => {
    const read: number[] = [];
    for (const size of [100, 10_000, 100_000]) {
      const board = await newBoard();
      await inside(board, (visit) => {
        const { sql } = visit;
        for (const [status, openDeps] of [
          ["todo", 0],
          ["todo", 1],
          ["done", 0],
          ["blocked", 0],
          ["backlog", 1],
        ] as const)
          fill(sql, { count: size / 5, priority: 1, status, openDeps });
        // Ready tasks with demands that are met, by many tokens.
        sql.run(`update tasks set required_capabilities = '["rust"]' where number <= ${size / 10}`);
        sql.run(`update tasks set dropped = 1 where status = 'done' and number % 2 = 0`);
        sql.run(
          `insert into tokens (jti, agent_id, role, capabilities, created_by, created_at)
           select 'jti-' || value, 'a', 'worker', '["rust"]', 'lead', 1 from json_each('[1,2,3]')`,
        );
        fill(sql, { count: 2, priority: 1, status: "in_progress" });
        fill(sql, { count: 2, priority: 1, status: "in_review" });
        fill(sql, { count: 1, priority: 1, status: "cancelled" });
        fill(sql, { count: 3, priority: 1, openDeps: 1 });
        const [gone, first] = [size + 5, size + 6];
        for (const [task, blocker] of [
          [first, gone],
          [first + 1, first],
          [first + 2, first + 1],
        ])
          sql.run(
            "insert into task_deps (task_id, depends_on_task_id, created_at) values (?, ?, 1)",
            `task-${task}`,
            `task-${blocker}`,
          );
        fill(sql, { count: 2, priority: 1 });
        sql.run(`update tasks set required_capabilities = '["gpu"]' where number > ${size + 8}`);
        fill(sql, { count: 2, priority: 1, status: "blocked" });
        sql.run(`update tasks set blocked_reason = 'attempt_limit' where number > ${size + 10}`);
        read.push(rowsRead(visit));
        for (const reason of ["unreachable", "attempt_limit", "unclaimable"] as const)
          expect(rowsRead(visit, reason)).toBeLessThan(read.at(-1) as number);
      });
    }
    expect(new Set(read).size, read.join(", ")).toBe(1);
    expect(read[0]).toBeLessThan(150);
  }, 120_000);

  it("costs a bounded number of rows where ten thousand tasks wait for one that was cancelled", async () => {
    const board = await newBoard();
    await inside(board, (visit) => {
      const { sql } = visit;
      fill(sql, { count: 1, priority: 1, status: "cancelled" });
      fill(sql, { count: 10_500, priority: 1, openDeps: 1 });
      sql.run(
        `insert into task_deps (task_id, depends_on_task_id, created_at)
         select id, 'task-1', 1 from tasks where number > 1`,
      );
      const start = visit.costs.length;
      const page = listStuck(visit.context(NOW), { reason: null, cursor: null, limit: 50 });
      if (!page.ok) throw new Error(page.detail);
      expect(page.value).toMatchObject({
        counts: { unreachable: 10_000 },
        atLeast: ["unreachable"],
        hasMore: true,
      });
      expect(page.value.stuck).toHaveLength(50);
      expect(visit.costs.length - start).toBeLessThan(20);
      expect(visit.costs.slice(start).reduce((sum, cost) => sum + cost.rowsRead, 0)).toBeLessThan(200_000);
    });
  });
});
