/** What a scrape reads: as much on ten tasks as on ten thousand, and a bounded number of rows at the worst. */
import { expect, it } from "vitest";
import { describeMetrics } from "../../src/board/operations/describe-metrics.ts";
import { METRICS_COUNT_MAX } from "../../src/contract/limits.ts";
import type { Samples } from "../../src/contract/metrics.ts";
import { newBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { type Inside, inside } from "../support/inside.ts";
import { silent } from "../support/large.ts";
import { cost, NOW, value } from "../support/runs.ts";

/** A board with so many tasks, of which always the same few are ready, held or stuck. */
async function rowsAt(size: number): Promise<{ read: number; written: number }> {
  return inside(await newBoard(), (visit) => {
    const { sql } = visit;
    for (const [status, openDeps] of [
      ["todo", 1],
      ["done", 0],
      ["blocked", 0],
      ["backlog", 1],
      ["cancelled", 0],
    ] as const)
      fill(sql, { count: size / 5, priority: 1, status, openDeps });
    for (const priority of [0, 4, 9]) fill(sql, { count: 1, priority });
    silent(sql, 2);
    sql.run(
      `insert into webhook_deliveries (webhook_id, seq, kind, state, queued_at, body)
       select 'hook', number, 'task_created', 'delivered', 1, '{}' from tasks`,
    );
    return cost(visit, () => expect(ready(visit)).toBe(3));
  });
}

function scrape(visit: Inside): Partial<Samples> {
  return value(describeMetrics(visit.context(NOW)));
}

function ready(visit: Inside): number | undefined {
  return scrape(visit).edgeboard_ready_tasks?.[0]?.value;
}

it("costs the same on ten tasks and on ten thousand", async () => {
  const [small, large] = [await rowsAt(10), await rowsAt(10_000)];
  expect(small).toEqual({ read: 37, written: 0 });
  expect(large).toEqual(small);
});

it("counts no further than it says, however much there is of everything", async () => {
  await inside(await newBoard(), (visit) => {
    const { sql } = visit;
    fill(sql, { count: 5_000, priority: 1 });
    fill(sql, { count: 5_000, priority: 1, status: "blocked" });
    sql.run("update tasks set blocked_reason = 'attempt_limit' where status = 'blocked'");
    sql.run(
      `insert into webhook_deliveries (webhook_id, seq, kind, state, queued_at, body)
       select 'hook', number, 'task_created', case when number % 2 = 0 then 'dead' else 'pending' end, 1, '{}'
       from tasks`,
    );
    const { read, written } = cost(visit, () => {
      const told = scrape(visit);
      const counted = (name: keyof Samples, label: string) =>
        told[name]?.find(({ labels }) => Object.values(labels ?? {}).includes(label))?.value;
      expect([
        told.edgeboard_ready_tasks?.[0]?.value,
        counted("edgeboard_needs_person_tasks", "attempt_limit"),
        counted("edgeboard_webhook_deliveries", "pending"),
        counted("edgeboard_webhook_deliveries", "dead"),
      ]).toEqual(Array(4).fill(METRICS_COUNT_MAX));
    });
    expect(written).toBe(0);
    expect(read).toBeLessThan(8 * METRICS_COUNT_MAX);
  });
});
