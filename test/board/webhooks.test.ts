/** What webhooks promise: everything arrives, signed, in order, and nobody waits for anybody else's receiver. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, it, vi } from "vitest";
import { call, events, newBoard, ok, type TestBoard } from "../support/api.ts";
import { backdate, inside } from "../support/inside.ts";
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

const CREATED = ["task_created"];

async function add(board: TestBoard, count: number): Promise<string[]> {
  const tasks = Array.from({ length: count }, (_, index) => ({ ref: `r${index}`, title: `t${index}` }));
  return ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201).tasks.map(
    (task: { id: string }) => task.id,
  );
}

it("an event arrives as the log tells it, signed by the secret that was told once", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  const { id, secret } = await subscribe(board, receiver.url);
  const task = await board.add({ title: "Grüße 😀" });
  const worker = await board.mint("worker");
  await board.claim(task.id, worker);
  const log = (await events(board)).slice(-4);
  const seen = await receiver.got(log.length);
  const sent = seen.map((request) => verified(secret, request)).sort((a, b) => a.seq - b.seq);
  // Its own creation is the first event it is told of.
  expect(sent).toEqual(log.map((event) => ({ ...event, board: board.id })));
  expect(sent.map(({ kind }) => kind)).toEqual([
    "board_changed",
    "task_created",
    "token_minted",
    "task_claimed",
  ]);
  const [first] = seen;
  expect(first).toMatchObject({ method: "POST", url: receiver.url });
  expect(first?.headers).toMatchObject({
    "content-type": "application/json",
    "webhook-id": `${id}_${sent[0]?.seq}`,
  });
  expect(JSON.parse(first?.body ?? "")).toMatchObject({
    type: "board_changed",
    timestamp: new Date(log[0].at).toISOString(),
  });
  expect(await told(board, id)).toMatchObject(
    log.map(({ seq }) => ({ id: seq, state: "delivered", attempts: 1 })),
  );
});

it("a forged signature is refused by the verifier", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  const { secret } = await subscribe(board, receiver.url);
  const [request] = await receiver.got(1);
  if (request === undefined) throw new Error("nothing came");
  const { body, headers } = request;
  expect(verified(secret, request).kind).toBe("board_changed");
  const other = await subscribe(board, newReceiver().url);
  expect(() => verified(other.secret, request)).toThrow("No matching signature");
  const forger = new Webhook(`whsec_${btoa("a guess")}`);
  const forged = forger.sign(headers["webhook-id"] ?? "", new Date(), body);
  const changed = [
    { body: `${body} ` },
    { body: body.replace(board.id, "another") },
    { headers: { ...headers, "webhook-id": "another" } },
    { headers: { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) } },
    { headers: { ...headers, "webhook-signature": forged } },
    { headers: { ...headers, "webhook-signature": "v1," } },
  ];
  for (const change of changed) expect(() => verified(secret, { ...request, ...change })).toThrow();
  const old = { ...headers, "webhook-timestamp": String(Math.floor(Date.now() / 1000) - 600) };
  expect(() => verified(secret, { ...request, headers: old })).toThrow("too old");
});

it("only the kinds that were asked for are sent", async () => {
  const board = await newBoard();
  const [some, none] = [newReceiver(), newReceiver()];
  await board.add({ title: "before anybody wanted to know" });
  const subscribed = await subscribe(board, some.url, ["comment_added", "task_dropped"]);
  const quiet = await subscribe(board, none.url, ["webhook_disabled"]);
  const { id } = await board.add({ title: "x" });
  ok(await call(board.lead, "POST", `${board.path}/tasks/${id}/comments`, { body: "hello" }), 201);
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${id}`));
  expect((await told(board, subscribed.id)).map(({ kind }) => kind)).toEqual([
    "comment_added",
    "task_dropped",
  ]);
  expect(await deliveries(board, quiet.id)).toEqual([]);
  expect(await none.seen()).toEqual([]);
});

it("what was rolled back is not told, nor what was only tried", async () => {
  const board = await newBoard();
  const { id } = await subscribe(board, newReceiver().url, CREATED);
  const tasks = [{ ref: "a", title: "a" }];
  ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks, dryRun: true }));
  await call(board.lead, "POST", `${board.path}/tasks`, { title: "x", parentTaskId: "n9" });
  expect(await deliveries(board, id)).toEqual([]);
});

it("a receiver that fails five times and then works gets every event, those of a task in order", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers(500, 503, 429, 404, 302, 200);
  const { id, secret } = await subscribe(board, receiver.url, ["task_created", "task_edited"]);
  const one = await board.add({ title: "one" });
  for (const title of ["two", "three"])
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${one.id}`, { title }));
  for (let failures = 1; failures <= 5; failures++) {
    await until(
      () => webhookOf(board, id),
      (webhook) => expect(webhook.failures).toBe(failures),
    );
    const log = await deliveries(board, id);
    expect(log.map(({ attempts }) => attempts)).toEqual([failures, 0, 0]);
    expect(log.slice(1).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, null]);
    await later(board);
  }
  const log = await until(
    () => deliveries(board, id),
    (all) => expect(all.map(({ state }) => state)).toEqual(["delivered", "delivered", "delivered"]),
  );
  expect(log.map(({ attempts }) => attempts)).toEqual([6, 1, 1]);
  const seen = (await receiver.seen()).map((request) => verified(secret, request));
  expect(
    seen.map(({ kind, data }) => [kind, (data["fields"] as { title?: string } | undefined)?.title]),
  ).toEqual([
    ...Array(6).fill(["task_created", undefined]),
    ["task_edited", "two"],
    ["task_edited", "three"],
  ]);
  expect(new Set(seen.map(({ seq }) => seq)).size).toBe(3);
  expect(new Set((await receiver.seen()).slice(0, 6).map(({ headers }) => headers["webhook-id"])).size).toBe(
    1,
  );
  expect(await webhookOf(board, id)).toMatchObject({ state: "active", failures: 0 });
});

it("one that always fails ends disabled, with its log, and says so once", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  const witness = newReceiver();
  await receiver.answers(500);
  const { id } = await subscribe(board, receiver.url, CREATED);
  const watching = await subscribe(board, witness.url, ["webhook_disabled"]);
  await add(board, 7);
  // A day of failures, an attempt at a time.
  for (let rings = 0; rings < 40 && (await webhookOf(board, id)).state === "active"; rings++) {
    const before = (await receiver.seen()).length;
    await later(board, 4_000_000);
    await until(
      async () => [(await receiver.seen()).length, (await webhookOf(board, id)).failures],
      ([seen, failures]) => {
        expect(seen).toBeGreaterThan(before);
        expect(failures).toBe(seen);
      },
    );
  }
  const webhook = await webhookOf(board, id);
  expect(webhook).toMatchObject({ state: "disabled", disabledReason: "failing" });
  const log = await deliveries(board, id);
  expect(log.filter(({ state }) => state === "dead")).toHaveLength(5);
  expect(log.filter(({ state }) => state === "pending")).toHaveLength(2);
  for (const one of log) expect(one).toMatchObject({ nextAttemptAt: null });
  for (const one of log.filter(({ state }) => state === "dead"))
    expect(one).toMatchObject({ lastStatus: 500, lastError: "not accepted" });
  const [told] = (await witness.got(1)).map((request) => verified(watching.secret, request));
  expect(told).toMatchObject({ kind: "webhook_disabled", data: { webhookId: id, reason: "failing" } });
  expect(await events(board, "&kind=webhook_disabled")).toHaveLength(1);
  const calls = (await receiver.seen()).length;
  await board.add({ title: "after" });
  await later(board);
  expect((await receiver.seen()).length).toBe(calls);
  expect(await deliveries(board, id)).toHaveLength(7);
});

it("a receiver that says it is gone is disabled at once", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers(410);
  const { id } = await subscribe(board, receiver.url, CREATED);
  await board.add({ title: "one" });
  const webhook = await until(
    () => webhookOf(board, id),
    (one) => expect(one.state).toBe("disabled"),
  );
  expect(webhook.disabledReason).toBe("gone");
  expect(await deliveries(board, id)).toMatchObject([{ state: "dead", lastStatus: 410, attempts: 1 }]);
});

it("a slow receiver delays nobody: not the others, not the sweep, not the board", async () => {
  const board = await newBoard({ backoff: { firstMs: 0, stepMs: 0, maxMs: 0 } });
  const [slow, fast] = [newReceiver(), newReceiver()];
  await slow.answers("hang");
  const late = await subscribe(board, slow.url, ["task_created", "task_released"]);
  const quick = await subscribe(board, fast.url, ["task_created", "task_released"]);
  const { id } = await board.add({ title: "one" });
  await slow.got(1);
  await fast.got(1);
  const worker = await board.mint("worker");
  await board.claim(id, worker);
  await backdate(board, id, 180_000);
  await runDurableObjectAlarm(board.stub());
  expect((await board.get(id)).status).toBe("todo");
  await board.add({ title: "two" });
  // The slow one still hangs on the first.
  expect((await fast.got(3)).map((request) => verified(quick.secret, request).kind).toSorted()).toEqual([
    "task_created",
    "task_created",
    "task_released",
  ]);
  expect(await slow.seen()).toHaveLength(1);
  await slow.answers(200);
  await slow.release();
  expect((await slow.got(3)).map((request) => verified(late.secret, request).kind)[0]).toBe("task_created");
  expect((await told(board, late.id)).map(({ state }) => state)).toEqual(Array(3).fill("delivered"));
});

it("many slow receivers cannot take all connections from one that answers", async () => {
  const board = await newBoard();
  const slow = [newReceiver(), newReceiver(), newReceiver()];
  const held: string[] = [];
  for (const receiver of slow) {
    await receiver.answers("hang");
    held.push((await subscribe(board, receiver.url, CREATED)).id);
  }
  const fast = newReceiver();
  const { id } = await subscribe(board, fast.url, CREATED);
  await add(board, 8);
  // Six to begin with, then those that found no connection; the slow ones keep their first four.
  expect((await fast.got(8)).length).toBe(8);
  for (const receiver of slow) expect((await receiver.got(1)).length).toBeLessThanOrEqual(4);
  await inside(board, ({ sql }) => {
    const rings = sql.all(
      "select count(*) as begun from webhook_deliveries where attempts > 0 group by last_attempt_at",
    );
    for (const { begun } of rings) expect(begun).toBeLessThanOrEqual(6);
  });
  expect((await told(board, id)).map(({ state }) => state)).toEqual(Array(8).fill("delivered"));
  for (const receiver of slow) await receiver.answers(204);
  for (const receiver of slow) await receiver.release();
  for (const each of held)
    expect((await told(board, each)).map(({ state }) => state)).toEqual(Array(8).fill("delivered"));
});

it("a receiver that does not answer within five seconds has failed", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers("hang");
  const clock = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(clock.signal);
  const { id } = await subscribe(board, receiver.url, CREATED);
  await board.add({ title: "one" });
  await receiver.got(1);
  expect(timeout.mock.calls).toEqual([[5_000]]);
  clock.abort(new DOMException("time is up", "TimeoutError"));
  const [one] = await until(
    () => deliveries(board, id),
    ([first]) => expect(first?.lastError).not.toBeNull(),
  );
  expect(one).toMatchObject({ state: "pending", lastStatus: null, lastError: "no answer within 5000 ms" });
  await receiver.release();
});

it("a receiver that cannot be reached has failed like any other", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  const reach = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) =>
    input === receiver.url ? Promise.reject(new TypeError("Network connection lost")) : reach(input, init),
  );
  const { id } = await subscribe(board, receiver.url, CREATED);
  await board.add({ title: "one" });
  expect(await told(board, id)).toMatchObject([
    { state: "pending", lastStatus: null, lastError: "no connection", nextAttemptAt: expect.any(Number) },
  ]);
});

it("a redirect is not followed: it is a failure", async () => {
  const board = await newBoard();
  const receiver = newReceiver();
  await receiver.answers(307);
  const { id } = await subscribe(board, receiver.url, CREATED);
  await board.add({ title: "one" });
  const [one] = await told(board, id);
  expect(one).toMatchObject({ state: "pending", lastStatus: 307, lastError: "redirects are not followed" });
  const elsewhere = (await (await fetch("https://elsewhere.example/_seen")).json()) as unknown[];
  expect(elsewhere).toEqual([]);
});
