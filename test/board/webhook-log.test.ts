/** What is kept of what was sent: replays, webhooks that stop and go on, objects that are lost, the end of the log. */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { Outbox } from "../../src/board/outbox.ts";
import { call, events, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import {
  deliveries,
  later,
  newReceiver,
  subscribe,
  told,
  until,
  verified,
  webhookOf,
} from "../support/receiver.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const DAY = 86_400_000;
const KINDS = ["task_created", "task_edited"];

const patch = (board: TestBoard, id: string, body: object) =>
  call(board.lead, "PATCH", `${board.path}/webhooks/${id}`, body);

const replay = (board: TestBoard, id: string, delivery: number | string) =>
  call(board.lead, "POST", `${board.path}/webhooks/${id}/deliveries/${delivery}/replay`);

async function edits(board: TestBoard, id: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { title: `edit ${n}` }));
}

const alarmOf = (board: TestBoard) =>
  runInDurableObject(board.stub(), (_instance, state) => state.storage.getAlarm());

it("a replay sends the same once more: the same id, the same body, whatever the log still holds", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  const { id, secret } = await subscribe(board, receiver.url, KINDS);
  await board.add({ title: "one" });
  const [one] = await told(board, id);
  if (one === undefined) throw new Error("nothing was sent");
  await inside(board, ({ sql }) => sql.run("delete from events where seq = ?", one.id));
  const { delivery } = ok(await replay(board, id, one.id));
  expect(delivery).toMatchObject({ id: one.id, state: "pending", attempts: 0, settledAt: null });
  const [first, second] = await receiver.got(2);
  expect(second?.body).toBe(first?.body);
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  for (const request of await receiver.seen()) expect(verified(secret, request).seq).toBe(one.id);
  expect(await told(board, id)).toMatchObject([{ id: one.id, state: "delivered", attempts: 1 }]);
  const { entries } = ok(await call(board.lead, "GET", `${board.path}/audit?kind=delivery_replayed`));
  expect(entries).toMatchObject([{ data: { webhook: id, delivery: one.id } }]);
});

it("a replay keeps the order of its task: what is pending before it goes first, at once", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  const { id, secret } = await subscribe(board, receiver.url, KINDS);
  const task = await board.add({ title: "one" });
  const [created] = await told(board, id);
  await receiver.answers(500);
  await edits(board, task.id, 2);
  await until(
    () => webhookOf(board, id),
    (webhook) => expect(webhook.failures).toBe(1),
  );
  await receiver.answers(200);
  ok(await replay(board, id, created?.id ?? 0));
  const seen = (await receiver.got(5)).map((request) => verified(secret, request));
  const [first, second, third] = [...new Set(seen.map(({ seq }) => seq))] as [number, number, number];
  expect(seen.map(({ seq }) => seq)).toEqual([first, second, first, second, third]);
  expect((await told(board, id)).map(({ state }) => state)).toEqual(Array(3).fill("delivered"));
});

it("a replay that fails keeps its turn: nothing behind it is due, also what was under way meanwhile", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  const { id } = await subscribe(board, receiver.url, KINDS);
  const task = await board.add({ title: "one" });
  const [created] = await told(board, id);
  const due = async () => (await deliveries(board, id)).map(({ nextAttemptAt }) => nextAttemptAt !== null);
  await receiver.answers("hang", 500);
  await edits(board, task.id, 1);
  await receiver.got(2);
  ok(await replay(board, id, created?.id ?? 0));
  expect(await due()).toEqual([true, false]);
  // The edit, which hangs, fails: its next turn comes after the replay's.
  await receiver.answers(500);
  await receiver.release(500);
  const log = await told(board, id);
  expect(log.map(({ state, attempts }) => [state, attempts])).toEqual([
    ["pending", 1],
    ["pending", 1],
  ]);
  expect(await due()).toEqual([true, false]);
  ok(await replay(board, id, log[1]?.id ?? 0));
  expect(await due()).toEqual([true, false]);
});

it("an attempt that fails after its webhook was disabled is not due again", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers("hang");
  const { id } = await subscribe(board, receiver.url, KINDS);
  await board.add({ title: "one" });
  await receiver.got(1);
  ok(await patch(board, id, { disabled: true }));
  await receiver.release(500);
  expect(await told(board, id)).toMatchObject([{ state: "pending", nextAttemptAt: null, lastStatus: 500 }]);
  expect(await webhookOf(board, id)).toMatchObject({
    state: "disabled",
    disabledReason: "lead",
    failures: 1,
  });
});

it("what is given up makes way for the next event of its task", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers(500, 500, 200);
  const { id } = await subscribe(board, receiver.url, KINDS);
  const task = await board.add({ title: "one" });
  await edits(board, task.id, 2);
  await until(
    () => webhookOf(board, id),
    (webhook) => expect(webhook.failures).toBe(1),
  );
  await inside(board, ({ sql }) => {
    sql.run("update webhook_deliveries set queued_at = queued_at - ? where next_attempt_at is not null", DAY);
  });
  await later(board);
  await until(
    () => deliveries(board, id),
    (log) => expect(log.map(({ state }) => state)).toEqual(["dead", "delivered", "delivered"]),
  );
});

it("a replay of what is still pending does not wait for its next attempt", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers(500, 200);
  const { id } = await subscribe(board, receiver.url, KINDS);
  await board.add({ title: "one" });
  const [one] = await told(board, id);
  expect(one?.nextAttemptAt).toBeGreaterThan(Date.now() + 3_000);
  ok(await replay(board, id, one?.id ?? 0));
  await receiver.got(2);
  expect(await told(board, id)).toMatchObject([{ state: "delivered", attempts: 1 }]);
});

it("what is not in the log cannot be replayed, nor anything of a webhook that is disabled", async () => {
  const board = await newBoard();
  const { id } = await subscribe(board, newReceiver().url, KINDS);
  await board.add({ title: "one" });
  const [one] = await told(board, id);
  for (const delivery of [0, 999, "abc", "-1", `${one?.id}.0`])
    refused(await replay(board, id, delivery), 404, "delivery_not_found");
  refused(await replay(board, "nowhere", one?.id ?? 0), 404, "webhook_not_found");
  ok(await patch(board, id, { disabled: true }));
  const { hint } = refused(await replay(board, id, one?.id ?? 0), 409, "conflict");
  expect(hint).toContain('{"disabled": false}');
});

it("a lead disables a webhook and enables it again; what waited goes out, what happened meanwhile does not", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers(500);
  const { id, secret } = await subscribe(board, receiver.url, KINDS);
  const task = await board.add({ title: "one" });
  await edits(board, task.id, 1);
  await until(
    () => webhookOf(board, id),
    (webhook) => expect(webhook.failures).toBe(1),
  );
  expect(ok(await patch(board, id, { disabled: true })).webhook).toMatchObject({
    state: "disabled",
    disabledReason: "lead",
    disabledAt: expect.any(Number),
  });
  await board.add({ title: "meanwhile" });
  await later(board, 2 * DAY);
  expect(await receiver.seen()).toHaveLength(1);
  await receiver.answers(200);
  expect(ok(await patch(board, id, { disabled: false })).webhook).toMatchObject({
    state: "active",
    disabledReason: null,
    disabledAt: null,
    failures: 0,
  });
  await board.add({ title: "afterwards" });
  const seen = (await receiver.got(4)).slice(1).map((request) => verified(secret, request));
  const titles = seen
    .map(({ data }) => (data["task"] ?? data["fields"]) as { title: string })
    .map(({ title }) => title);
  expect(titles.filter((title) => title !== "afterwards")).toEqual(["one", "edit 0"]);
  expect(titles).toContain("afterwards");
  const changes = (await events(board)).filter(({ kind }) => /webhook|board_changed/.test(kind));
  expect(changes.map(({ kind, data }) => data.webhook?.change ?? `${kind} ${data.reason}`)).toEqual([
    "created",
    "webhook_disabled lead",
    "changed",
  ]);
});

it("a change of the URL or the kinds holds from then on; one that changes nothing is not told", async () => {
  const board = await newBoard();
  const [before, after] = [newReceiver(), newReceiver()];
  const { id, secret } = await subscribe(board, before.url, KINDS);
  await board.mint("somebody");
  const changed = ok(await patch(board, id, { url: after.url, kinds: null }));
  expect(changed.webhook).toMatchObject({ url: after.url, kinds: null });
  const seq = (await events(board)).length;
  ok(await patch(board, id, {}));
  ok(await patch(board, id, { url: after.url, kinds: null, disabled: false }));
  expect(await events(board)).toHaveLength(seq);
  await board.mint("worker");
  const seen = (await after.got(2)).map((request) => verified(secret, request).kind);
  expect(seen.toSorted()).toEqual(["board_changed", "token_minted"]);
  expect(await before.seen()).toEqual([]);
});

it("a deleted webhook is sent nothing more and leaves nothing behind", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers("hang");
  const { id } = await subscribe(board, receiver.url, KINDS);
  const task = await board.add({ title: "one" });
  await edits(board, task.id, 2);
  await receiver.got(1);
  expect((await call(board.lead, "DELETE", `${board.path}/webhooks/${id}`)).status).toBe(204);
  refused(await call(board.lead, "DELETE", `${board.path}/webhooks/${id}`), 404, "webhook_not_found");
  await receiver.release();
  await edits(board, task.id, 1);
  await runDurableObjectAlarm(board.stub());
  expect(await receiver.seen()).toHaveLength(1);
  await inside(board, ({ sql }) => {
    expect(sql.number("select count(*) from webhook_deliveries")).toBe(0);
    expect(sql.number("select count(*) from webhooks")).toBe(0);
  });
});

it("a delivery whose object was lost is made again, under the same id", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers("hang", 200);
  const { id } = await subscribe(board, receiver.url, KINDS);
  const task = await board.add({ title: "one" });
  await receiver.got(1);
  await edits(board, task.id, 1);
  const lostAt = await until(
    () => alarmOf(board),
    (at) => expect(at).toBeGreaterThan(Date.now() + 10_000),
  );
  expect(lostAt).toBeLessThanOrEqual(Date.now() + 15_000);
  await abortAllDurableObjects();
  // Nobody has to ask the board anything: its alarm alone brings it back, when the attempt counts as lost.
  expect(await alarmOf(board)).toBe(lostAt);
  await later(board, 15_000);
  const seen = await receiver.got(3);
  const ids = seen.map(({ headers }) => headers["webhook-id"]);
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
  expect(await told(board, id)).toMatchObject([
    { state: "delivered", attempts: 2 },
    { state: "delivered", attempts: 1 },
  ]);
  await receiver.release();
});

it("while a receiver hangs, and while one fails, the alarm does not ring for it over and over", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers("hang");
  const { id } = await subscribe(board, receiver.url, KINDS);
  const tasks = Array.from({ length: 6 }, (_, index) => ({ ref: `r${index}`, title: `t${index}` }));
  ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
  await receiver.got(4);
  await until(
    () => alarmOf(board),
    (at) => expect(at).toBeGreaterThan(Date.now() + 5_000),
  );
  expect((await deliveries(board, id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 0, 0]);
  await receiver.answers(500);
  await receiver.release();
  // The four get through, the fifth fails: then one attempt at a time.
  const log = await until(
    () => deliveries(board, id),
    (all) => expect(all.filter(({ lastStatus }) => lastStatus === 500)).toHaveLength(2),
  );
  const next = Math.min(...log.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []));
  expect(next).toBeGreaterThan(Date.now());
  await until(
    () => alarmOf(board),
    (at) => expect(at).toBe(next),
  );
});

it("the log ends after a week, and the board then sleeps", async () => {
  const board = await newBoard();
  const { id } = await subscribe(board, newReceiver().url, KINDS);
  await board.add({ title: "old" });
  await told(board, id);
  await inside(board, ({ sql }) => {
    sql.run("delete from replies");
    sql.run("update webhook_deliveries set queued_at = queued_at - ?", 7 * DAY);
  });
  await board.add({ title: "new" });
  await until(
    () => deliveries(board, id),
    (log) => expect(log.map(({ state }) => state)).toEqual(["delivered"]),
  );
  // The alarm that would have missed an answer rings once more; then there is nothing to wake for but the log's end.
  await runDurableObjectAlarm(board.stub());
  const [left] = await deliveries(board, id);
  expect(await alarmOf(board)).toBe((left?.queuedAt ?? 0) + 7 * DAY);
});

it("what nobody could be told of within a week goes too, and what waited behind it is due", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers(500);
  const { id } = await subscribe(board, receiver.url, KINDS);
  const task = await board.add({ title: "one" });
  await edits(board, task.id, 1);
  await until(
    () => webhookOf(board, id),
    (webhook) => expect(webhook.failures).toBe(1),
  );
  await receiver.answers(200);
  await inside(board, ({ sql }) => {
    sql.run("update webhook_deliveries set queued_at = 1 where next_attempt_at is not null");
  });
  await runDurableObjectAlarm(board.stub());
  await until(
    () => deliveries(board, id),
    (log) => expect(log).toMatchObject([{ kind: "task_edited", state: "delivered" }]),
  );
});

it("the log is read by page and by what became of its deliveries", async () => {
  const board = await newBoard();
  const { id } = await subscribe(board, newReceiver().url, KINDS);
  const tasks = Array.from({ length: 12 }, (_, index) => ({ ref: `r${index}`, title: `t${index}` }));
  ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
  await until(
    () => deliveries(board, id),
    (log) => expect(log.filter(({ state }) => state === "delivered")).toHaveLength(12),
  );
  await inside(board, ({ sql }) => {
    sql.run("update webhook_deliveries set state = 'dead' where seq % 3 = 0");
    sql.run("update webhook_deliveries set state = 'pending' where seq % 3 = 1");
  });
  const all = (await deliveries(board, id)).map(({ id: seq }) => seq);
  for (const [state, rest] of [
    ["dead", 0],
    ["pending", 1],
    ["delivered", 2],
  ] as const) {
    const wanted = all.filter((seq) => seq % 3 === rest);
    const pages: number[][] = [];
    let cursor = "";
    do {
      const path = `${board.path}/webhooks/${id}/deliveries?limit=3&state=${state}${cursor}`;
      const page = ok(await call(board.lead, "GET", path));
      pages.push(page.deliveries.map((one: { id: number }) => one.id));
      cursor = page.hasMore ? `&cursor=${page.nextCursor}` : "";
    } while (cursor !== "");
    expect([state, pages.flat().reverse()]).toEqual([state, wanted]);
    expect(pages).toHaveLength(2);
  }
});

it("an import of thousands tells each receiver of each task, in one statement", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers("hang");
  const { id } = await subscribe(board, receiver.url, ["task_created"]);
  const issue = (n: number) =>
    JSON.stringify({
      id: `bd-${n}`,
      title: `issue ${n}`,
      status: "open",
      created_at: "2025-01-01T00:00:00Z",
      updated_at: "2025-01-01T00:00:00Z",
    });
  const text = Array.from({ length: 3_000 }, (_, n) => issue(n)).join("\n");
  const headers = { "content-type": "application/x-ndjson" };
  ok(await call(board.lead, "POST", `${board.path}/import?format=beads`, text, headers));
  await inside(board, ({ sql }) => {
    expect(
      sql.all(
        "select count(*) as queued, count(next_attempt_at) as due, count(distinct task_id) as tasks from webhook_deliveries where webhook_id = ?",
        id,
      ),
    ).toEqual([{ queued: 3_000, due: 3_000, tasks: 3_000 }]);
  });
  expect((await call(board.lead, "DELETE", `${board.path}/webhooks/${id}`)).status).toBe(204);
  await receiver.release();
});

it("a deleted board tells nobody anything, also when an answer comes afterwards", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers("hang");
  await subscribe(board, receiver.url, KINDS);
  await board.add({ title: "one" });
  await receiver.got(1);
  const [errors, ended] = [vi.spyOn(console, "error"), vi.spyOn(Outbox.prototype, "end")];
  await runInDurableObject(board.stub(), (instance) =>
    (instance as { destroyBoard: () => Promise<void> }).destroyBoard(),
  );
  await receiver.release();
  await vi.waitFor(() => expect(ended).toHaveBeenCalled(), { interval: 5 });
  expect(errors).not.toHaveBeenCalled();
  await inside(board, ({ sql }) => {
    expect(sql.all("select name from sqlite_master where name not like '\\_cf\\_%' escape '\\'")).toEqual([]);
  });
});
