/** One task that very many wait for: its end is told to all of them, in a few statements. */
import { expect, it } from "vitest";
import { changeTask } from "../../src/board/operations/change-task.ts";
import { claimTask } from "../../src/board/operations/claim-task.ts";
import { completeTask } from "../../src/board/operations/complete-task.ts";
import { MAX_DEPENDENTS } from "../../src/contract/limits.ts";
import { newBoard, type TestBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { inside, WORKER } from "../support/inside.ts";
import { cost, value } from "../support/runs.ts";

const NOW = 1_800_000_000_000;

/** As many tasks as may wait for `task-1`; half of them wait for `task-2` as well. */
async function crowd(onCancel: string): Promise<TestBoard> {
  const board = await newBoard();
  await inside(board, ({ sql }) => {
    fill(sql, { count: 2, priority: 0 });
    fill(sql, { count: MAX_DEPENDENTS / 2, priority: 1, openDeps: 1 });
    fill(sql, { count: MAX_DEPENDENTS / 2, priority: 1, openDeps: 2 });
    sql.run(
      `insert into task_deps (task_id, depends_on_task_id, on_cancel, created_at)
       select id, 'task-1', ?, 1 from tasks where open_deps > 0
       union all select id, 'task-2', 'hold', 1 from tasks where open_deps = 2`,
      onCancel,
    );
  });
  return board;
}

it("a completion frees ten thousand that wait, each once and only those that wait for nothing else", async () => {
  const board = await crowd("hold");
  await inside(board, (visit) => {
    const { context, costs, sql } = visit;
    const finish = (id: string) => {
      const { lease } = value(claimTask(context(NOW, WORKER), { id }));
      const start = costs.length;
      const word = {
        id,
        lease: { kind: "signed" as const, ...lease },
        outcome: "succeeded",
        status: "done",
      } as const;
      const { written } = cost(visit, () => {
        const { unblockedCount, unblocked } = value(completeTask(context(NOW, WORKER), word));
        expect([unblockedCount, unblocked.length]).toEqual([MAX_DEPENDENTS / 2, 100]);
      });
      expect(costs.length - start).toBeLessThan(25);
      // A row for each that waits and an entry of the queue for each that is freed, beside the completion's own.
      expect(written).toBeLessThan(3 * MAX_DEPENDENTS);
    };
    const ready = () =>
      sql.number(
        "select count(*) from tasks where status = 'todo' and open_deps = 0 and assignee_agent_id is null",
      );
    expect(ready()).toBe(2);
    finish("task-1");
    expect(ready()).toBe(1 + MAX_DEPENDENTS / 2);
    finish("task-2");
    expect(ready()).toBe(MAX_DEPENDENTS);
    expect(sql.number("select count(*) from tasks where open_deps <> 0")).toBe(0);
  });
});

it("a cancel that cascades to ten thousand cancels each once, with an event for each", async () => {
  const board = await crowd("cascade");
  await inside(board, ({ context, costs, sql }) => {
    costs.length = 0;
    const cancel = {
      id: "task-1",
      status: "cancelled" as const,
      content: {},
      lease: null,
      humanOverride: false,
      overrideReason: null,
      displace: false,
      ifVersion: null,
      ifChangeSeq: null,
    };
    value(changeTask(context(NOW), cancel));
    expect(costs.length).toBeLessThan(200);
    expect(sql.number("select cancelled from task_counts")).toBe(MAX_DEPENDENTS + 1);
    expect(sql.number("select count(*) from events where kind = 'status_changed'")).toBe(MAX_DEPENDENTS + 1);
    expect(sql.number("select count(distinct task_id) from events where kind = 'status_changed'")).toBe(
      MAX_DEPENDENTS + 1,
    );
  });
});
