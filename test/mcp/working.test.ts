/** The tools of whoever works: claim, beat, finish. What they refuse is what the board refuses. */
import { evictDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { call, events, newBoard, ok } from "../support/api.ts";
import { backdate } from "../support/inside.ts";
import { callTool, does, legacy, modern, refuses } from "./client.ts";

it("the best ready task is claimed, kept alive and finished, and what waited for it is free", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const first = await board.add({ title: "first", description: "Do it well.", priority: 5 });
  const second = await board.add({ title: "second", priority: 9, dependsOn: [first.id] });
  const claim = await does(worker, "claim_task");
  expect(claim).toMatchObject({
    claimed: true,
    task: { id: "n1", status: "in_progress", assignee: "agent", epoch: 1, description: "Do it well." },
    heartbeat_every_s: 30,
  });
  expect(Date.parse(claim.task.lease_expires_at)).toBeGreaterThan(Date.now());
  const held = { task_id: "n1", lease_token: claim.lease_token };
  const beat = await does(worker, "heartbeat", { ...held, note: "halfway", cost_usd: 0.25 });
  expect(beat).toMatchObject({ ok: true, heartbeat_every_s: 30, directives: [], new_comments: 0 });
  const finished = await does(worker, "finish_task", {
    ...held,
    outcome: "done",
    summary: "It works.",
    commit: "abc",
    cost_usd: 0.5,
  });
  expect(finished).toMatchObject({
    task: { id: "n1", status: "done" },
    unblocked: [{ id: "n2", title: "second", status: "todo" }],
    unblocked_count: 1,
  });
  expect((await board.get(first.id)).costUsd).toBe(0.75);
  const next = await does(worker, "claim_task");
  expect(next.task.id).toBe("n2");
  expect(next.blockers).toEqual([{ id: "n1", title: "first", summary: "It works." }]);
  const runs = ok(await call(board.lead, "GET", `${board.path}/tasks/${first.id}/executions`)).executions;
  expect(runs[0]).toMatchObject({ summary: "It works.", afterCommit: "abc", progress: "halfway" });
  expect((await board.get(second.id)).assigneeAgentId).toBe("agent");
});

it("nothing ready is no error: it says how long to wait", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "elsewhere", labels: ["web"] });
  for (const asked of [{ labels: ["core"] }, { parent_id: "n1" }]) {
    const claim = await does(worker, "claim_task", asked);
    expect(claim.claimed).toBe(false);
    expect(claim.retry_after_s).toBeGreaterThan(0);
    expect(claim.hint).toMatch(/Nothing is ready for you.*Ask again in \d+ s/);
  }
  ok(await call(board.lead, "PATCH", board.path, { paused: true }));
  expect((await does(worker, "claim_task")).hint).toContain("paused");
  await refuses(worker, "claim_task", { task_id: "n1" }, "board_paused");
});

it("a conflict says who has it until when, and what to call instead", async () => {
  const board = await newBoard();
  const [one, two] = [await board.mint("one"), await board.mint("two")];
  const task = await board.add({ title: "wanted" });
  await board.claim(task.id, one);
  const told = await refuses(two, "claim_task", { task_id: "n1" }, "conflict");
  expect(told).toMatch(
    /held by one.*runs out at \d{4}-.*Do not retry this task\. Call claim_task without task_id/,
  );
});

it("each kind of obstacle is told with the next call", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "blocker" });
  await board.add({ title: "waits", dependsOn: ["n1"] });
  await board.add({ title: "later", notBefore: Date.now() + 3_600_000 });
  await board.add({ title: "special", requiredCapabilities: ["gpu"] });
  expect(await refuses(worker, "claim_task", { task_id: "n2" }, "not_ready")).toContain("It waits for n1.");
  expect(await refuses(worker, "claim_task", { task_id: "n3" }, "not_before")).toMatch(/offered from \d{4}-/);
  expect(await refuses(worker, "claim_task", { task_id: "n4" }, "capability_mismatch")).toContain("gpu");
  expect(await refuses(worker, "claim_task", { task_id: "n99" }, "task_not_found")).toContain("list_tasks");
  await refuses(worker, "claim_task", { task_id: "n1", labels: ["a"] }, "invalid_request");
  await refuses(worker, "claim_task", { assign_to: "other" }, "invalid_request");
});

it("a lead assigns a task to an agent, who then holds it; an agent assigns nothing to anybody", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "for the agent" });
  await refuses(worker, "claim_task", { task_id: "n1", assign_to: "other" }, "identity_mismatch");
  const claim = await does(board.lead, "claim_task", { task_id: "n1", assign_to: "agent" });
  expect(claim.task.assignee).toBe("agent");
  await does(worker, "heartbeat", { task_id: "n1", lease_token: claim.lease_token });
});

it("a claim that is sent again under its key is answered again, with the same lease", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "one" });
  await board.add({ title: "two" });
  const asked = { client_key: "run-1" };
  const [first, again] = [await does(worker, "claim_task", asked), await does(worker, "claim_task", asked)];
  expect(again).toEqual(first);
  expect((await does(worker, "list_tasks", { mine: true })).tasks).toHaveLength(1);
  await refuses(worker, "claim_task", { ...asked, labels: ["a"] }, "idempotency_mismatch");
  await refuses(worker, "claim_task", { client_key: "two words" }, "invalid_request");
});

it("what is given back goes on with what was handed over, and counts as no attempt", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "long" });
  const { lease_token } = await does(worker, "claim_task");
  const asked = {
    task_id: "n1",
    lease_token,
    outcome: "release",
    summary: "Out of context.",
    done: ["parser"],
    broken: ["the third test"],
    next: "Mend the third test.",
    warnings: ["Do not touch the lexer."],
  };
  const released = await does(worker, "finish_task", asked);
  expect(released.task).toMatchObject({ status: "todo", ready: true });
  expect(await does(worker, "finish_task", asked)).toEqual(released);
  const next = await does(worker, "claim_task");
  expect(next.handoff).toBe(
    "done: parser\nbroken: the third test\nnext: Mend the third test.\nwarnings: Do not touch the lexer.",
  );
  expect((await board.get("n1")).attemptStreak).toBe(0);
  const costly = {
    task_id: "n1",
    lease_token: next.lease_token,
    outcome: "release",
    summary: "x",
    cost_usd: 1,
  };
  expect(await refuses(worker, "finish_task", costly, "invalid_request")).toContain("cost_usd");
});

it("whoever gives up without a handoff hands over its summary", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "hard" });
  const { lease_token } = await does(worker, "claim_task");
  await does(worker, "finish_task", {
    task_id: "n1",
    lease_token,
    outcome: "release",
    summary: "Got to line 7.",
  });
  expect((await does(worker, "claim_task")).handoff).toBe("done: Got to line 7.");
});

it("a failure is another try after a pause, a blocked task waits for a person and says why", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "fails" });
  await board.add({ title: "stuck" });
  const fail = await does(worker, "claim_task", { task_id: "n1" });
  const failed = await does(worker, "finish_task", {
    task_id: "n1",
    lease_token: fail.lease_token,
    outcome: "failed",
    summary: "The build is red.",
  });
  expect(failed.task).toMatchObject({ status: "todo" });
  expect(await board.get("n1")).toMatchObject({ attemptStreak: 1 });
  const stuck = await does(worker, "claim_task", { task_id: "n2" });
  const word = { task_id: "n2", lease_token: stuck.lease_token, outcome: "blocked", summary: "No password." };
  expect((await does(worker, "finish_task", word)).task.status).toBe("blocked");
  const seen = await does(worker, "get_task", { task_id: "n2", include: ["runs"] });
  expect(seen.task.blocked_reason).toBe("No password.");
  expect(seen.runs[0]).toMatchObject({ status: "failed", summary: "No password.", agent: "agent" });
  await does(board.lead, "update_task", { task_id: "n2", status: "todo" });
  expect((await does(worker, "claim_task", { task_id: "n2" })).handoff).toBe("done: No password.");
});

it("the last word is the first: the same again is answered again, another one is refused", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "once" });
  const { lease_token } = await does(worker, "claim_task");
  const word = { task_id: "n1", lease_token, outcome: "done", summary: "Done." };
  const first = await does(worker, "finish_task", word);
  expect(await does(worker, "finish_task", word)).toEqual(first);
  await refuses(worker, "finish_task", { ...word, outcome: "failed" }, "already_closed");
  expect((await events(board)).filter(({ kind }) => kind === "execution_completed")).toHaveLength(1);
});

it("what a lead asks of a holder comes with its heartbeat", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const task = await board.add({ title: "to be stopped" });
  const { lease_token } = await does(worker, "claim_task");
  ok(await call(board.lead, "POST", `${board.path}/tasks/${task.id}/comments`, { body: "Look here." }), 201);
  const held = { task_id: "n1", lease_token };
  const told = await does(worker, "heartbeat", held);
  expect(told).toMatchObject({ new_comments: 1, hint: expect.stringContaining("include comments") });
  await does(worker, "get_task", { task_id: "n1", include: ["comments"] });
  expect((await does(worker, "heartbeat", held)).new_comments).toBe(0);
  ok(
    await call(board.lead, "POST", `${board.path}/tasks/${task.id}/stop`, {
      mode: "cancel",
      reason: "Enough.",
    }),
  );
  const stop = await does(worker, "heartbeat", held);
  expect(stop.directives).toEqual([{ kind: "cancel", reason: "Enough." }]);
  expect(stop.hint).toContain("release");
});

it("a lease outlives the object: killed between claim and finish, the same token still finishes", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "survives" });
  const { lease_token } = await does(worker, "claim_task");
  await evictDurableObject(board.stub());
  await does(worker, "heartbeat", { task_id: "n1", lease_token }, legacy);
  await evictDurableObject(board.stub());
  const word = { task_id: "n1", lease_token, outcome: "done", summary: "Still here." };
  expect((await does(worker, "finish_task", word)).task.status).toBe("done");
});

it("after its time it is lost: that is told with what to do, and the task is there to be claimed", async () => {
  const board = await newBoard();
  const [worker, other] = [await board.mint("agent"), await board.mint("other")];
  const task = await board.add({ title: "slipped away" });
  const { lease_token } = await does(worker, "claim_task");
  await backdate(board, task.id, 600_000);
  ok(await call(board.lead, "POST", `${board.path}/reconcile`, { pass: "stale" }));
  for (const [name, more] of [
    ["heartbeat", {}],
    ["finish_task", { outcome: "done", summary: "Too late." }],
    ["update_task", { title: "Mine!" }],
  ] as const) {
    const told = await refuses(worker, name, { task_id: "n1", lease_token, ...more }, "lease_lost");
    expect(told).toMatch(/timed_out\..*Stop working on this task.*Call claim_task/);
  }
  expect((await board.get(task.id)).status).toBe("todo");
  await refuses(other, "heartbeat", { task_id: "n1", lease_token: "made-up" }, "lease_lost");
});

it("of fifty claims at once, in the shapes of three clients, one wins and the others are told of a conflict", async () => {
  const board = await newBoard();
  const tokens = await Promise.all(["a", "b", "c"].map((name) => board.mint(name)));
  await board.add({ title: "the only one" });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      callTool(
        tokens[index % 3] as string,
        "claim_task",
        { task_id: "n1" },
        index % 2 === 0 ? modern : legacy,
      ),
    ),
  );
  const won = answers.filter(({ result }) => result.isError !== true);
  expect(won).toHaveLength(1);
  const lost = answers.filter(({ result }) => result.isError === true);
  expect(new Set(lost.map(({ result }) => result.content[0].text.split(":")[0]))).toEqual(
    new Set(["conflict"]),
  );
  const claimed = (await events(board)).filter(({ kind }) => kind === "task_claimed");
  expect(claimed).toHaveLength(1);
});
