/** Whose turn it is to be sent to. */
import { expect, it } from "vitest";
import { createWebhook } from "../../src/board/operations/webhooks.ts";
import { Outbox } from "../../src/board/outbox.ts";
import { newBoard } from "../support/api.ts";
import { type Inside, inside } from "../support/inside.ts";
import { value } from "../support/runs.ts";

const NOW = 1_800_000_000_000;

/** Webhooks that something is due for at these times. */
function dueAt(visit: Inside, ...times: number[]): string[] {
  return times.map((at, seq) => {
    const made = createWebhook(visit.context(NOW), { url: "https://example.com", kinds: null });
    const { id } = value(made).webhook;
    visit.sql.run(
      `insert into webhook_deliveries (webhook_id, seq, kind, state, queued_at, next_attempt_at, body)
       values (?, ?, 'task_created', 'pending', 1, ?, '{}')`,
      id,
      seq,
      at,
    );
    return id;
  });
}

const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

it("whoever waits longest is sent to first, so that none is starved by those before it in the list", async () => {
  await inside(await newBoard(), (visit) => {
    const [a, b, c] = dueAt(visit, NOW - 1, NOW - 3, NOW - 2);
    expect(ids(new Outbox(visit.sql).due(NOW))).toEqual([b, c, a]);
  });
});

it("nothing is due before its time, nor while its receiver is being sent to", async () => {
  await inside(await newBoard(), (visit) => {
    const [a, b] = dueAt(visit, NOW, NOW + 1);
    const outbox = new Outbox(visit.sql);
    expect([ids(outbox.due(NOW)), outbox.nextAt()]).toEqual([[a], NOW]);
    outbox.begin(a as string, NOW);
    expect([ids(outbox.due(NOW)), outbox.nextAt()]).toEqual([[], NOW + 1]);
    expect(ids(outbox.due(NOW + 1))).toEqual([b]);
    outbox.begin(b as string, NOW + 1);
    expect([ids(outbox.due(NOW + 14_999)), outbox.nextAt()]).toEqual([[], NOW + 15_000]);
    // What was begun and never ended was lost.
    expect(ids(outbox.due(NOW + 15_000))).toEqual([a]);
    outbox.end(b as string);
    expect(outbox.nextAt()).toBe(NOW + 1);
  });
});
