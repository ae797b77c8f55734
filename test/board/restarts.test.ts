/** What was acknowledged is there after the object was evicted, and what was asked before may be asked again. */
import { evictDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { Task } from "../../src/contract/task.ts";
import { call, events, newBoard, ok, type Reply, refused, type TestBoard } from "../support/api.ts";

const read = async (board: TestBoard, path: string) =>
  (await call(board.lead, "GET", board.path + path)).text;

it("every kind of write that was answered reads the same after an eviction", async () => {
  const board = await newBoard();
  const worker = await board.mint("worker");
  const first = await board.add({ title: "first", labels: ["a"] });
  const second = await board.add({ title: "second", dependsOn: [first.id] });
  const path = `${board.path}/tasks/${first.id}`;
  let leaseToken = "";
  const writes: [string, () => Promise<Reply>][] = [
    ["edit", () => call(board.lead, "PATCH", path, { title: "edited", priority: 3 })],
    ["comment", () => call(worker, "POST", `${path}/comments`, { body: "hello" })],
    ["claim", () => call(worker, "POST", `${path}/claim`, {})],
    ["beat", () => call(worker, "POST", `${path}/heartbeat`, { leaseToken, usage: { costUsd: 0.5 } })],
    [
      "workspace",
      () => call(worker, "POST", `${path}/workspace`, { leaseToken, repoPath: "/r", branch: "b" }),
    ],
    ["stop", () => call(board.lead, "POST", `${path}/stop`, { mode: "drain", reason: "late" })],
    [
      "completion",
      () => call(worker, "POST", `${path}/complete`, { leaseToken, outcome: "succeeded", status: "done" }),
    ],
    ["drop", () => call(board.lead, "DELETE", `${board.path}/tasks/${second.id}`)],
    ["settings", () => call(board.lead, "PATCH", board.path, { settings: { maxAttempts: 7 } })],
  ];
  const everything = async () => [
    await read(board, ""),
    await read(board, "/tasks?includeDropped=true"),
    await read(board, `/tasks/${first.id}?include=comments,executions,dependents,workspace`),
    await read(board, "/events?limit=200"),
    await read(board, "/audit"),
    await read(board, "/stats"),
  ];
  for (const [what, write] of writes) {
    const before = await everything();
    const reply = await write();
    expect([what, reply.status < 300], reply.text).toEqual([what, true]);
    leaseToken = reply.json.lease?.token ?? leaseToken;
    const after = await everything();
    expect([what, after]).not.toEqual([what, before]);
    await evictDurableObject(board.stub());
    expect([what, await everything()]).toEqual([what, after]);
  }
});

it("fifty finished tasks are all still there, each with its run, after evictions", async () => {
  const board = await newBoard();
  const worker = await board.mint("worker");
  const tasks = Array.from({ length: 50 }, (_, index) => ({ ref: `${index}`, title: `t${index}` }));
  ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
  for (let round = 0; round < 5; round++) {
    const { claims } = ok(await call(worker, "POST", `${board.path}/claims`, { limit: 10 }));
    for (const { task, lease } of claims)
      ok(
        await call(worker, "POST", `${board.path}/tasks/${task.id}/complete`, {
          leaseToken: lease.token,
          outcome: "succeeded",
          status: "done",
        }),
      );
    await evictDurableObject(board.stub());
  }
  const { tasks: done } = ok(await call(board.lead, "GET", `${board.path}/tasks?status=done&limit=200`));
  expect(done.map(({ number }: Task) => number)).toEqual(Array.from({ length: 50 }, (_, n) => 50 - n));
  const { executions } = ok(
    await call(board.lead, "GET", `${board.path}/executions?status=succeeded&limit=200`),
  );
  expect(new Set(executions.map(({ taskId }: { taskId: string }) => taskId)).size).toBe(50);
});

it("a key is remembered over an eviction, for a create and for a claim", async () => {
  const board = await newBoard();
  const worker = await board.mint("worker");
  const key = { "idempotency-key": "k" };
  const create = () => call(board.lead, "POST", `${board.path}/tasks`, { title: "once" }, key);
  const next = () => call(worker, "POST", `${board.path}/claims`, {}, key);
  const [made, granted] = [await create(), await next()];
  ok(granted);
  for (let again = 0; again < 5; again++) {
    await evictDurableObject(board.stub());
    for (const [reply, first] of [
      [await create(), made],
      [await next(), granted],
    ] as const)
      expect([reply.text, reply.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
  }
  expect(await events(board, "&kind=task_created")).toHaveLength(1);
  expect(await events(board, "&kind=task_claimed")).toHaveLength(1);
});

it("three who ask for the same task through fifty restarts get it one after another, never two at once", async () => {
  const board = await newBoard();
  const workers = await Promise.all(["a", "b", "c"].map((name) => board.mint(name)));
  const { id } = await board.add({ title: "wanted" });
  const epochs: number[] = [];
  for (let round = 0; round < 50; round++) {
    await evictDurableObject(board.stub());
    const replies = await Promise.all(
      workers.map((token) => call(token, "POST", `${board.path}/claims`, {})),
    );
    const granted = replies.flatMap((reply, index) =>
      // biome-ignore lint/suspicious/noExplicitAny: a claim as it comes
      ok(reply).claims.map(({ lease }: any) => ({ lease, token: workers[index] as string })),
    );
    expect(granted).toHaveLength(1);
    const [{ lease, token }] = granted;
    epochs.push(lease.epoch);
    const leaseToken = lease.token;
    ok(await call(token, "POST", `${board.path}/tasks/${id}/release`, { leaseToken }));
    refused(
      await call(token, "POST", `${board.path}/tasks/${id}/release`, { leaseToken: "old" }),
      409,
      "lease_lost",
    );
  }
  expect(epochs).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
});
