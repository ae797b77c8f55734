import { decodeJwt } from "jose";
import { expect, it } from "vitest";
import { call, events, everyBoard, newBoard, OPERATOR, ok, refused } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { beads } from "./samples.ts";
import { isReplay, keyed, send, standing, twins } from "./support.ts";

it("twenty parallel twins make one task, and all are told the same", async () => {
  const board = await newBoard();
  const path = `${board.path}/tasks`;
  const reply = await twins(() => keyed(board.lead, path, "k", { title: "once" }), 201);
  expect(ok(await call(board.lead, "GET", path)).tasks).toEqual([reply.json.task]);
  expect(await events(board, "&kind=task_created")).toHaveLength(1);
});

it("a replay repeats the first answer to the letter, also after the task has changed", async () => {
  const board = await newBoard();
  const path = `${board.path}/tasks`;
  const first = await keyed(board.lead, path, "k", { title: "once" });
  expect(isReplay(first)).toBe(false);
  const { id } = first.json.task;
  ok(await call(board.lead, "PATCH", `${path}/${id}`, { title: "edited", status: "cancelled" }));
  const before = await standing(board, id);
  const again = await keyed(board.lead, path, "k", { title: "once" });
  expect(again.text).toBe(first.text);
  expect(again.headers.get("etag")).toBe('"1"');
  expect([again.status, isReplay(again)]).toEqual([201, true]);
  expect(await standing(board, id)).toBe(before);
});

it("another body under a used key is refused and makes nothing", async () => {
  const board = await newBoard();
  const path = `${board.path}/tasks`;
  ok(await keyed(board.lead, path, "k", { title: "one" }), 201);
  const before = await standing(board);
  const other = await keyed(board.lead, path, "k", { title: "two" });
  refused(other, 422, "idempotency_mismatch");
  expect(isReplay(other)).toBe(false);
  expect(await standing(board)).toBe(before);
  ok(await keyed(board.lead, path, "k", { title: "one" }), 201);
});

it("a key belongs to one agent on one call; nobody else's use of it counts", async () => {
  const [board, other] = [await newBoard(), await newBoard()];
  const [ann, ben, annAgain] = await Promise.all(["ann", "ben", "ann"].map((name) => board.mint(name)));
  const path = `${board.path}/tasks`;
  const ask = (token: string, where = path) => keyed(token, where, "k", { title: "x" });
  const first = ok(await ask(ann as string), 201).task;
  const others = [
    await ask(ben as string),
    await ask(board.lead),
    await ask(other.lead, `${other.path}/tasks`),
  ];
  for (const reply of others) {
    expect(ok(reply, 201).task.id).not.toBe(first.id);
    expect(isReplay(reply)).toBe(false);
  }
  const sameAgent = await ask(annAgain as string);
  expect([sameAgent.json.task.id, isReplay(sameAgent)]).toEqual([first.id, true]);
  // The same key on another path, with another body, is another request.
  ok(await keyed(ann as string, `${path}/${first.id}/comments`, "k", { body: "hello" }), 201);
  ok(await keyed(ann as string, `${board.path}/claims`, "k", { limit: 1 }));
});

it("a refused request leaves its key free", async () => {
  const board = await newBoard();
  const path = `${board.path}/tasks`;
  refused(await keyed(board.lead, path, "k", { title: "x", parentTaskId: "n9" }), 422, "parent_not_found");
  const made = await keyed(board.lead, path, "k", { title: "x" });
  ok(made, 201);
  expect(isReplay(made)).toBe(false);
});

it("twenty parallel twins make one board, whose token is the same each time", async () => {
  const name = `twins-${crypto.randomUUID()}`;
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => keyed(OPERATOR, "/boards", name, { name })),
  );
  const made = replies.map((reply) => ok(reply, 201));
  expect(new Set(made.map(({ token }) => token)).size).toBe(1);
  const { board, token } = made[0];
  expect(ok(await call(token, "GET", `/boards/${board.id}`)).board.name).toBe(name);
  const again = await keyed(OPERATOR, "/boards", name, { name });
  expect([ok(again, 201).token, again.json.board.id, isReplay(again)]).toEqual([token, board.id, true]);
  expect(ok(await call(token, "GET", `/boards/${board.id}/tokens`)).tokens).toHaveLength(1);
  refused(await keyed(OPERATOR, "/boards", name, { name: "Other" }), 422, "idempotency_mismatch");
  expect((await everyBoard()).filter((one) => one.name === name)).toHaveLength(1);
});

it("a board that could not be made leaves its key free", async () => {
  const [id, key] = [`late-${crypto.randomUUID()}`, crypto.randomUUID()];
  const taken = await newBoard();
  refused(await keyed(OPERATOR, "/boards", key, { id: taken.id, name: "x" }), 409, "board_exists");
  const faulty = { id, name: "x", settings: { leaseTtlMs: 1 } };
  refused(await keyed(OPERATOR, "/boards", key, faulty), 422, "invalid_settings");
  const made = await keyed(OPERATOR, "/boards", key, { id, name: "x" });
  expect([ok(made, 201).board.id, isReplay(made)]).toEqual([id, false]);
});

it("comments, plans, tokens, imports and runs are each done once", async () => {
  const board = await newBoard();
  const { path, lead } = board;
  const task = await board.add({ title: "one" });
  await twins(() => keyed(lead, `${path}/tasks/${task.id}/comments`, "k", { body: "once" }), 201);
  expect(ok(await call(lead, "GET", `${path}/tasks/${task.id}/comments`)).comments).toHaveLength(1);

  const tasks = [
    { ref: "a", title: "a" },
    { ref: "b", title: "b", dependsOn: ["a"] },
  ];
  const plan = await twins(() => keyed(lead, `${path}/plans`, "k", { tasks }), 201);
  expect(plan.json.tasks.map(({ number }: { number: number }) => number)).toEqual([2, 3]);

  const token = await twins(
    () => keyed(lead, `${path}/tokens`, "k", { agentId: "new", role: "viewer", expiresInS: 60 }),
    201,
  );
  expect(decodeJwt(token.json.token).jti).toBe(token.json.info.id);
  expect(ok(await call(lead, "GET", `${path}/tokens`)).tokens).toHaveLength(2);

  const headers = {
    authorization: `Bearer ${lead}`,
    "content-type": "application/jsonl",
    "idempotency-key": "k",
  };
  const imported = await twins(
    () => send(`${path}/import?format=beads`, { method: "POST", headers, body: beads() }),
    200,
  );
  expect(imported.json.created).toBe(1);

  ok(await call(lead, "PATCH", `${path}/tasks/${task.id}`, { status: "in_progress" }));
  const runs = `${path}/tasks/${task.id}/executions`;
  const run = await twins(() => keyed(lead, runs, "k"), 201);
  expect(run.json.lease.epoch).toBe(1);
  ok(await call(lead, "POST", `${path}/tasks/${task.id}/release`, { leaseToken: run.json.lease.token }));
  expect(refused(await keyed(lead, runs, "k"), 409, "lease_lost").reason).toBe("released");
  expect(ok(await call(lead, "GET", runs)).executions).toHaveLength(1);
  expect(ok(await call(lead, "GET", path)).counts).toMatchObject({ todo: 4, in_progress: 0 });
});

it("a dry run is not recorded: the same request in earnest is done", async () => {
  const board = await newBoard();
  const tasks = [{ ref: "a", title: "a" }];
  const plan = (dryRun: boolean) => keyed(board.lead, `${board.path}/plans`, "k", { tasks, dryRun });
  expect(ok(await plan(true)).tasks).toEqual([{ ref: "a" }]);
  const made = await plan(false);
  expect([ok(made, 201).tasks[0].number, isReplay(made)]).toEqual([1, false]);
  expect(ok(await call(board.lead, "GET", board.path)).counts.todo).toBe(1);
});

it("a key is forgotten after a day", async () => {
  const board = await newBoard();
  const path = `${board.path}/tasks`;
  const first = ok(await keyed(board.lead, path, "k", { title: "daily" }), 201).task;
  const age = (ms: number) =>
    inside(board, ({ sql }) => sql.run("update replies set created_at = created_at - ?", ms));
  await age(86_340_000);
  expect(isReplay(await keyed(board.lead, path, "k", { title: "daily" }))).toBe(true);
  await age(60_001);
  const next = await keyed(board.lead, path, "k", { title: "another day" });
  expect([isReplay(next), ok(next, 201).task.id === first.id]).toEqual([false, false]);
  expect(isReplay(await keyed(board.lead, path, "k", { title: "another day" }))).toBe(true);
});

it("a recorded answer is not told to a token that was revoked meanwhile", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const create = () => keyed(worker, `${board.path}/tasks`, "k", { title: "x" });
  ok(await create(), 201);
  await call(board.lead, "DELETE", `${board.path}/tokens/${decodeJwt(worker).jti}`);
  refused(await create(), 401, "token_revoked");
});
