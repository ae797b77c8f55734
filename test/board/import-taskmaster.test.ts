/** Task Master's tasks.json brought in through the interface, again and again. */
import { expect, it } from "vitest";
import { call, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { holds, importing, sendImport, tablesOf } from "../support/exports.ts";

const QUERY = "format=taskmaster";
const VERDICT = {
  status: "pass",
  attempts: [
    {
      attempt: 1,
      at: 1,
      deterministic: { command: "make", exitCode: 0, passed: true, durationMs: 1 },
      critic: { ran: true },
      status: "pass",
    },
  ],
  updatedAt: 1,
};

interface Item extends Record<string, unknown> {
  dependencies: (number | string)[];
  subtasks?: Item[];
}

const item = (id: number, rest: Partial<Item> = {}): Item => ({
  id,
  title: `Title of ${id}`,
  description: "What",
  status: "pending",
  dependencies: [],
  priority: "medium",
  ...rest,
});

const PLAN = {
  master: {
    tasks: [
      item(1, { status: "done", priority: "high", details: "How", testStrategy: "Whether" }),
      item(2, { dependencies: [1, 3], subtasks: [item(1), item(2, { dependencies: [1, "3.1"] })] }),
      item(3, { status: "in-progress", subtasks: [item(1, { status: "cancelled" })] }),
    ],
    metadata: { created: "2025-06-13T00:00:00Z", updated: "2025-08-02T00:00:00Z" },
  },
  ideas: { tasks: [item(1, { status: "deferred" }), item(2, { status: "blocked" })], metadata: {} },
};

type Plan = typeof PLAN;

/** The plan with something changed in it. */
function changed(change: (plan: Plan) => void): string {
  const plan = structuredClone(PLAN);
  change(plan);
  return JSON.stringify(plan);
}

const taskOf = (plan: Plan, index: number) => plan.master.tasks[index] as Item;

async function of(board: TestBoard, externalRef: string) {
  const { tasks } = ok(
    await call(board.lead, "GET", `${board.path}/tasks?externalRef=${encodeURIComponent(externalRef)}`),
  );
  expect(tasks).toHaveLength(1);
  return tasks[0];
}

it("brings tasks, subtasks, edges and tags, and reports them", async () => {
  const board = await newBoard();
  expect(await importing(board, JSON.stringify(PLAN), QUERY)).toEqual({
    created: 8,
    updated: 0,
    unchanged: 0,
    staleSkipped: 0,
    edges: 4,
    comments: 0,
    skipped: [],
    issues: [],
  });
  const { counts } = ok(await call(board.lead, "GET", board.path));
  expect(counts).toMatchObject({ done: 1, todo: 4, cancelled: 1, backlog: 1, blocked: 1 });
  const [one, two, sub] = [
    await of(board, "master/1"),
    await of(board, "master/2"),
    await of(board, "master/2.2"),
  ];
  expect(one).toMatchObject({
    number: 1,
    priority: 3,
    labels: ["tag:master"],
    description: "What\n\n## Details\nHow\n\n## Test strategy\nWhether",
  });
  expect(two).toMatchObject({ openDependencies: 1, ready: false });
  expect(sub).toMatchObject({ parentTaskId: two.id, openDependencies: 2 });
  expect(await of(board, "ideas/1")).toMatchObject({ status: "backlog", labels: ["tag:ideas"] });
  await holds(board);
});

it("a second time changes nothing, whatever the tag says of its own edits", async () => {
  const board = await newBoard();
  await importing(board, JSON.stringify(PLAN), QUERY);
  const before = (await tablesOf(board)).filter(([table]) => table !== "audit");
  const later = changed((plan) => {
    plan.master.metadata.updated = "2026-01-01T00:00:00Z";
  });
  for (const text of [JSON.stringify(PLAN), later])
    expect(await importing(board, text, QUERY)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 8,
      staleSkipped: 0,
    });
  expect((await tablesOf(board)).filter(([table]) => table !== "audit")).toEqual(before);
});

it("a plan that was changed changes what nobody has touched here, and only that", async () => {
  const board = await newBoard();
  await importing(board, JSON.stringify(PLAN), QUERY);
  const text = changed((plan) => {
    taskOf(plan, 0)["title"] = "Another title";
    taskOf(plan, 1)["priority"] = "critical";
    taskOf(plan, 2)["dependencies"] = [1];
    plan.ideas.tasks.push(item(3));
  });
  expect(await importing(board, text, QUERY)).toMatchObject({
    created: 1,
    updated: 3,
    unchanged: 5,
    edges: 1,
  });
  expect(await of(board, "master/1")).toMatchObject({ title: "Another title", version: 2 });
  expect(await of(board, "master/2")).toMatchObject({ priority: 4 });
  expect(await importing(board, text, QUERY)).toMatchObject({ updated: 0, unchanged: 9 });
  await holds(board);
});

it("what was done here is never undone by a plan that knows no times", async () => {
  const board = await newBoard();
  await importing(board, JSON.stringify(PLAN), QUERY);
  const worker = await board.mint("ada");
  const { id } = await of(board, "master/3");
  const { lease } = await board.claim(id, worker);
  const mine = await of(board, "master/2");
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/${mine.id}`, { title: "Ours" }));
  const text = changed((plan) => {
    taskOf(plan, 2)["title"] = "Theirs";
  });
  expect(await importing(board, text, QUERY)).toMatchObject({ updated: 0, unchanged: 6, staleSkipped: 2 });
  expect(await board.get(id)).toMatchObject({ title: "Title of 3", status: "in_progress" });
  expect((await board.get(mine.id)).title).toBe("Ours");
  const leaseToken = lease.token;
  ok(
    await call(worker, "POST", `${board.path}/tasks/${id}/complete`, {
      leaseToken,
      outcome: "succeeded",
      status: "done",
    }),
  );
});

it("work under review comes in to be judged: a verifier can, and can send it back", async () => {
  const board = await newBoard();
  const tasks = [item(1, { status: "review" }), item(2, { status: "review" })];
  await importing(board, JSON.stringify({ tasks }), QUERY);
  const verifier = await board.mint("vera", "verifier");
  const [one, two] = [await of(board, "1"), await of(board, "2")];
  expect(one).toMatchObject({ status: "in_review", assigneeAgentId: null, lease: null });
  const at = (id: string, rest = "") => `${board.path}/tasks/${id}${rest}`;
  ok(await call(verifier, "PUT", at(one.id, "/verification"), { epoch: 0, result: VERDICT }));
  ok(await call(verifier, "PATCH", at(one.id), { status: "done" }));
  ok(await call(verifier, "POST", at(two.id, "/request-changes"), { notes: "Once more" }));
  expect(await board.get(two.id)).toMatchObject({ status: "todo", ready: true });
  await holds(board);
});

it("targets that are nowhere are listed, and nothing is stored; nor is a ring", async () => {
  const board = await newBoard();
  const before = await tablesOf(board);
  const lost = changed((plan) => {
    taskOf(plan, 0)["dependencies"] = [9, "2.7"];
    plan.ideas.tasks[0]?.dependencies.push(3);
  });
  expect(refused(await sendImport(board, lost, QUERY), 422, "import_invalid").issues).toEqual([
    { path: "master/1.dependencies", message: "unknown task master/9" },
    { path: "master/1.dependencies", message: "unknown task master/2.7" },
    { path: "ideas/1.dependencies", message: "unknown task ideas/3" },
  ]);
  const ring = changed((plan) => {
    taskOf(plan, 0)["dependencies"] = ["2.2"];
    taskOf(plan, 2)["dependencies"] = [1];
    plan.master.tasks[1]?.subtasks?.[1]?.dependencies.push("3");
  });
  const { path } = refused(await sendImport(board, ring, QUERY), 409, "task_dependency_cycle");
  expect(new Set(path)).toEqual(new Set(["master/1", "master/2.2", "master/3"]));
  expect(await tablesOf(board)).toEqual(before);
});

it("an older file without tags has plain ids; a dry run and reset work as for any format", async () => {
  const board = await newBoard();
  const text = JSON.stringify({ tasks: [item(1, { status: "done" }), item(2, { dependencies: [1] })] });
  const before = await tablesOf(board);
  expect(await importing(board, text, `${QUERY}&dryRun=true`)).toMatchObject({ created: 2, edges: 1 });
  expect(await tablesOf(board)).toEqual(before);
  await importing(board, text, `${QUERY}&reset=true`);
  expect(await of(board, "1")).toMatchObject({ status: "todo", completedAt: null, labels: [] });
  expect((await of(board, "2")).openDependencies).toBe(1);
});
