/** What webhooks cost in rows: nothing where there are none, and never more for what waits behind a failure. */
import { expect, it } from "vitest";
import { createTask } from "../../src/board/operations/create-task.ts";
import { settleDelivery } from "../../src/board/operations/settle-delivery.ts";
import { createWebhook } from "../../src/board/operations/webhooks.ts";
import { Outbox } from "../../src/board/outbox.ts";
import * as queue from "../../src/board/store/deliveries.ts";
import * as log from "../../src/board/store/delivery-log.ts";
import { newBoard } from "../support/api.ts";
import { type Inside, inside } from "../support/inside.ts";
import { cost, value } from "../support/runs.ts";

const NOW = 1_800_000_000_000;
const SENT = { status: 204, error: null };
const FAILED = { status: 500, error: "not accepted" };

/** An operation with an event, and what its outbox costs. */
function outboxCost(visit: Inside, outbox: Outbox) {
  const context = visit.context(NOW);
  value(createTask(context, { draft: { title: "x" }, parentTaskId: undefined, dependsOn: undefined }));
  return cost(visit, () => outbox.write(context));
}

const subscribe = (visit: Inside): string =>
  value(createWebhook(visit.context(NOW), { url: "https://example.com", kinds: null })).webhook.id;

/** This many events of one task wait for the webhook. */
function waiting(visit: Inside, webhookId: string, count: number): void {
  visit.sql.run(
    `insert into webhook_deliveries (webhook_id, seq, task_id, kind, state, queued_at, next_attempt_at, body)
     with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${count})
     select '${webhookId}', 1000 + i, 'task', 'task_edited', 'pending', ${NOW}, iif(i = 1, ${NOW}, null), '{}' from numbers`,
  );
}

it("a board without webhooks pays no row for them, and asks once in the life of its object", async () => {
  await inside(await newBoard(), (visit) => {
    const outbox = new Outbox(visit.sql);
    expect(outboxCost(visit, outbox)).toEqual({ read: 1, written: 0 });
    const context = visit.context(NOW);
    context.log.reserve();
    const start = visit.costs.length;
    outbox.write(context);
    expect(visit.costs.slice(start)).toEqual([]);
    expect(cost(visit, () => outbox.nextAt())).toEqual({ read: 0, written: 0 });
  });
});

it("an event that is told costs a row and its three entries", async () => {
  await inside(await newBoard(), (visit) => {
    subscribe(visit);
    const outbox = new Outbox(visit.sql);
    outbox.active();
    expect(outboxCost(visit, outbox).written).toBe(4);
  });
});

it.each([1, 10_000])("an attempt costs the same with %i events waiting in line", async (count) => {
  await inside(await newBoard(), (visit) => {
    const { sql } = visit;
    const id = subscribe(visit);
    waiting(visit, id, count);
    const begin = () => queue.beginAttempts(sql, id, NOW, NOW + 15_000, 4);
    expect(cost(visit, () => queue.nextAttemptAt(sql, id))).toEqual({ read: 1, written: 0 });
    let [row] = [] as ReturnType<typeof begin>;
    const begun = cost(visit, () => {
      [row] = begin();
    });
    expect(begun).toEqual({ read: 5, written: 2 });
    if (row === undefined) throw new Error("nothing was due");
    const sent = row;
    const failed = cost(visit, () => settleDelivery(visit.context(NOW), sent, FAILED));
    expect(failed).toEqual({ read: 9, written: 4 });
    const settled = cost(visit, () => settleDelivery(visit.context(NOW), sent, SENT));
    // With it, the next one of its task becomes due, and only that.
    expect(settled).toEqual(count === 1 ? { read: 8, written: 2 } : { read: 10, written: 4 });
    const due = "select count(*) from webhook_deliveries where next_attempt_at is not null";
    expect(sql.number(due)).toBe(count === 1 ? 0 : 1);
  });
});

it("each statement goes by an index: none walks all that was ever sent", async () => {
  await inside(await newBoard(), ({ sql }) => {
    const plan = (query: string) => {
      const count = Math.max(
        (query.match(/\?(?!\d)/g) ?? []).length,
        ...[...query.matchAll(/\?(\d)/g)].map((match) => Number(match[1])),
      );
      return sql
        .all(`explain query plan ${query}`, ...Array(count).fill(null))
        .map(({ detail }) => String(detail));
    };
    for (const query of [
      queue.INSERT,
      queue.NEXT,
      queue.BEGIN,
      queue.FIRST,
      queue.LEAD,
      queue.HOLD_TASK,
      queue.REQUEUE,
      ...Object.values(log.PAGES),
    ])
      expect(plan(query).filter((step) => /^SCAN (?:webhook_deliveries|earlier|events)/.test(step))).toEqual(
        [],
      );
    for (const page of [log.PAGES.all, log.PAGES.delivered, log.PAGES.dead])
      expect(plan(page).join("\n")).not.toContain("TEMP B-TREE");
    expect(plan(queue.FIRST)).toEqual([
      "SEARCH webhook_deliveries USING COVERING INDEX webhook_deliveries_waiting (webhook_id=? AND task_id=?)",
    ]);
  });
});
