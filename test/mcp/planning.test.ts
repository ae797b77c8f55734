/** The tools of whoever plans, looks and talks: list, get, create, update, comment. */
import { expect, it } from "vitest";
import { call, newBoard, ok } from "../support/api.ts";
import { does, refuses } from "./client.ts";

const ids = (list: { tasks: { id: string }[] }) => list.tasks.map(({ id }) => id);

it("lists what is asked for, in the order it was promised, page by page", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "low", priority: 1, labels: ["web"] });
  await board.add({ title: "high", priority: 9 });
  await board.add({ title: "child", parentTaskId: "n1", description: "needle" });
  await board.add({ title: "waits", dependsOn: ["n1", "n2"], status: "backlog" });
  expect(ids(await does(worker, "list_tasks"))).toEqual(["n4", "n3", "n2", "n1"]);
  expect(ids(await does(worker, "list_tasks", { ready: true }))).toEqual(["n2", "n1", "n3"]);
  expect(ids(await does(worker, "list_tasks", { status: ["backlog"] }))).toEqual(["n4"]);
  expect(ids(await does(worker, "list_tasks", { labels: ["web"] }))).toEqual(["n1"]);
  expect(ids(await does(worker, "list_tasks", { parent_id: "n1" }))).toEqual(["n3"]);
  expect(ids(await does(worker, "list_tasks", { query: "NEEDLE" }))).toEqual(["n3"]);
  const brief = (await does(worker, "list_tasks", { status: ["backlog"] })).tasks[0];
  expect(brief).toEqual({
    id: "n4",
    title: "waits",
    status: "backlog",
    priority: 0,
    rev: 1,
    ready: false,
    open_deps: 2,
  });
  const first = await does(worker, "list_tasks", { limit: 3 });
  expect(first.hint).toContain("next_cursor");
  const second = await does(worker, "list_tasks", { limit: 3, cursor: first.next_cursor });
  expect([ids(first), ids(second), second.next_cursor]).toEqual([["n4", "n3", "n2"], ["n1"], undefined]);
  await board.claim("n2", worker);
  expect(ids(await does(worker, "list_tasks", { mine: true }))).toEqual(["n2"]);
  expect((await does(board.lead, "list_tasks", { mine: true })).hint).toContain("You hold nothing");
  await refuses(worker, "list_tasks", { cursor: "elsewhere" }, "invalid_request");
  await refuses(worker, "list_tasks", { ready: true, mine: true }, "invalid_request");
  await refuses(worker, "list_tasks", { limit: 101 }, "invalid_request");
});

it("shows everything about one task that is asked for", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "root" });
  await board.add({ title: "blocker" });
  await board.add({
    title: "task",
    description: "Text.",
    parentTaskId: "n1",
    dependsOn: ["n2"],
    labels: ["core"],
    kind: "code",
  });
  ok(await call(worker, "POST", `${board.path}/tasks/n3/comments`, { body: "Hello." }), 201);
  const seen = await does(worker, "get_task", {
    task_id: "n3",
    include: ["deps", "ancestors", "runs", "comments"],
  });
  expect(seen).toMatchObject({
    task: {
      id: "n3",
      title: "task",
      description: "Text.",
      parent_id: "n1",
      labels: ["core"],
      kind: "code",
      created_by: "lead",
      epoch: 0,
    },
    deps: [{ id: "n2", title: "blocker", status: "todo", satisfied: false }],
    ancestors: [{ id: "n1", title: "root", status: "todo" }],
    runs: [],
    comments: [{ author: "agent", body: "Hello." }],
  });
  expect(seen.next_cursor).toBeUndefined();
  const [{ id }] = seen.comments;
  const later = await does(worker, "get_task", { task_id: "n3", include: ["comments"], comments_after: id });
  expect(later.comments).toEqual([]);
  // By its uuid, too.
  const { id: uuid } = await board.get("n3");
  expect((await does(worker, "get_task", { task_id: uuid })).task.id).toBe("n3");
  expect(await refuses(worker, "get_task", { task_id: "n9" }, "task_not_found")).toContain("list_tasks");
  await refuses(worker, "get_task", { task_id: "n3", cursor: "comments.1.0" }, "invalid_request");
});

it("creates tasks and subtasks within an agent's bounds, once for each key", async () => {
  const board = await newBoard({ caps: { maxChildren: 2, maxRootCreates: 2 } });
  const worker = await board.mint("agent");
  const asked = {
    title: "root",
    description: "All of it.",
    priority: 3,
    labels: ["core"],
    client_key: "plan-1",
  };
  const made = await does(worker, "create_task", asked);
  expect(made).toMatchObject({ created: true, task: { id: "n1", priority: 3, status: "todo", ready: true } });
  expect(await does(worker, "create_task", asked)).toMatchObject({ created: false, task: { id: "n1" } });
  await refuses(worker, "create_task", { ...asked, title: "other" }, "idempotency_mismatch");
  const child = await does(worker, "create_task", { title: "child", parent_id: "n1", depends_on: ["n1"] });
  expect(child.task).toMatchObject({ id: "n2", ready: false, open_deps: 1 });
  await does(worker, "create_task", { title: "child", parent_id: "n1" });
  await refuses(worker, "create_task", { title: "child", parent_id: "n1" }, "child_cap");
  await refuses(worker, "create_task", { title: "x", parent_id: "n77" }, "parent_not_found");
  await refuses(
    worker,
    "create_task",
    { title: "x", depends_on: ["n77"], parent_id: "n2" },
    "dependency_not_found",
  );
  await does(worker, "create_task", { title: "second root" });
  expect(await refuses(worker, "create_task", { title: "third" }, "root_rate_cap")).toContain("parent_id");
  await refuses(worker, "create_task", { title: " " }, "invalid_request");
});

it("changes what a task says, where it stands and what it waits for", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await does(worker, "create_task", { title: "mine" });
  await does(worker, "create_task", { title: "before" });
  const edited = await does(worker, "update_task", {
    task_id: "n1",
    title: "ours",
    priority: 7,
    expected_rev: 1,
  });
  expect(edited.task).toMatchObject({ title: "ours", priority: 7, rev: 2 });
  const told = await refuses(
    worker,
    "update_task",
    { task_id: "n1", title: "x", expected_rev: 1 },
    "version_mismatch",
  );
  expect(told).toContain("rev 2");
  const linked = await does(worker, "update_task", { task_id: "n1", add_depends_on: ["n2"] });
  expect(linked.task).toMatchObject({ ready: false, open_deps: 1 });
  const ring = await refuses(
    worker,
    "update_task",
    { task_id: "n2", add_depends_on: ["n1"] },
    "task_dependency_cycle",
  );
  expect(ring).toContain(" -> ");
  const freed = await does(worker, "update_task", { task_id: "n1", remove_depends_on: ["n2", "n2"] });
  expect(freed.task.ready).toBe(true);
  await refuses(worker, "update_task", { task_id: "n1", status: "in_progress" }, "claim_required");
  await refuses(worker, "update_task", { task_id: "n1", status: "cancelled" }, "forbidden");
  await refuses(
    worker,
    "update_task",
    { task_id: "n1", add_depends_on: ["n2"], remove_depends_on: ["n2"] },
    "invalid_request",
  );
  const illegal = await refuses(
    board.lead,
    "update_task",
    { task_id: "n1", status: "done" },
    "illegal_transition",
  );
  expect(illegal).toContain("Legal from there: in_progress, blocked, backlog, cancelled.");
});

it("what was done before a refusal is told with it", async () => {
  const board = await newBoard();
  await board.add({ title: "one" });
  await board.add({ title: "two" });
  const told = await refuses(
    board.lead,
    "update_task",
    { task_id: "n1", add_depends_on: ["n2", "n99"], title: "never" },
    "dependency_not_found",
  );
  expect(told).toContain("Already done by this call: waits for n2.");
  expect(await board.get("n1")).toMatchObject({ title: "one", openDependencies: 1 });
});

it("a holder moves its own task with its token; a lead blocks, unblocks, takes away and cancels", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "held" });
  const { lease_token } = await does(worker, "claim_task");
  await refuses(worker, "update_task", { task_id: "n1", status: "in_review" }, "lease_required");
  const waiting = await does(worker, "update_task", { task_id: "n1", lease_token, status: "in_review" });
  expect(waiting.task).toMatchObject({ status: "in_review", assignee: "agent" });
  const { lead } = board;
  await refuses(lead, "update_task", { task_id: "n1", status: "blocked" }, "lease_required");
  await does(lead, "update_task", {
    task_id: "n1",
    status: "blocked",
    blocked_reason: "Stop.",
    displace: true,
  });
  expect((await does(lead, "get_task", { task_id: "n1" })).task.blocked_reason).toBe("Stop.");
  expect(await refuses(worker, "heartbeat", { task_id: "n1", lease_token }, "lease_lost")).toContain(
    "displaced",
  );
  expect((await does(lead, "update_task", { task_id: "n1", status: "todo" })).task.ready).toBe(true);
  expect((await does(lead, "update_task", { task_id: "n1", status: "cancelled" })).task.status).toBe(
    "cancelled",
  );
  await refuses(worker, "claim_task", { task_id: "n1" }, "terminal");
});

it("comments carry the token's name, and are written once for each key", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "talk" });
  const asked = { task_id: "n1", body: "Hello.", client_key: "c1" };
  const [one, again] = [await does(worker, "add_comment", asked), await does(worker, "add_comment", asked)];
  expect(again).toEqual(one);
  const { comments } = ok(await call(board.lead, "GET", `${board.path}/tasks/n1/comments`));
  expect(comments.map(({ authorId, body }: { authorId: string; body: string }) => [authorId, body])).toEqual([
    ["agent", "Hello."],
  ]);
  await refuses(worker, "add_comment", { task_id: "n9", body: "Hello." }, "task_not_found");
});

it("a role too small is told which it takes, and nothing is changed", async () => {
  const board = await newBoard();
  const [viewer, worker] = [await board.mint("v", "viewer"), await board.mint("w")];
  await board.add({ title: "look, do not touch" });
  expect((await does(viewer, "list_tasks")).tasks).toHaveLength(1);
  for (const name of ["claim_task", "create_task", "add_comment", "update_task", "finish_task", "heartbeat"])
    expect(await refuses(viewer, name, {}, "forbidden")).toContain("worker or above");
  expect(await refuses(worker, "review_task", {}, "forbidden")).toContain("verifier or above");
});

it("a revoked token and an archived board are told as such", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "one" });
  ok(await call(board.lead, "PATCH", board.path, { archived: true }));
  await refuses(worker, "claim_task", {}, "board_archived");
  expect((await does(worker, "list_tasks")).tasks).toHaveLength(1);
  const { tokens } = ok(await call(board.lead, "GET", `${board.path}/tokens`));
  const { id } = tokens.find(({ agentId }: { agentId: string }) => agentId === "agent");
  ok(await call(board.lead, "DELETE", `${board.path}/tokens/${id}`), 204);
  expect(await refuses(worker, "list_tasks", {}, "token_revoked")).toContain("ask a lead");
});

it("texts come without signs nobody sees", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "a\u202eb", description: "x\u001b[31my\u{e0041}z\nnext\tline" });
  const { task } = await does(worker, "get_task", { task_id: "n1" });
  expect([task.title, task.description]).toEqual(["ab", "x[31myz\nnext\tline"]);
});
