/** New tasks: one, many, and as many as agents may make. */
import { describe, expect, it } from "vitest";
import { createPlan, type PlannedTask } from "../../src/board/operations/create-plan.ts";
import { transact } from "../../src/board/replay.ts";
import { call, events, newBoard, ok, refused } from "../support/api.ts";
import { inside } from "../support/inside.ts";

describe("agents' creates", () => {
  const caps = { maxChildren: 3, maxDepth: 2, maxRootCreates: 4, rootWindowMs: 300_000 };

  it("are bounded in children, depth and rate, also when they race; a lead's are not", async () => {
    const board = await newBoard({ caps });
    const worker = await board.mint("agent");
    const add = (body: object, token = worker) => call(token, "POST", `${board.path}/tasks`, body);
    const root = ok(await add({ title: "root" }), 201).task;
    const kids = await Promise.all(
      Array.from({ length: 8 }, (_, i) => add({ title: `k${i}`, parentTaskId: root.id })),
    );
    expect(kids.filter((reply) => reply.status === 201)).toHaveLength(3);
    for (const reply of kids.filter((each) => each.status !== 201)) refused(reply, 422, "child_cap");
    const kid = kids.find((reply) => reply.status === 201)?.json.task;
    const grand = ok(await add({ title: "g", parentTaskId: kid.id }), 201).task;
    refused(await add({ title: "too deep", parentTaskId: grand.id }), 422, "depth_cap");
    refused(await add({ title: "lost", parentTaskId: crypto.randomUUID() }), 422, "parent_not_found");
    const roots = await Promise.all(Array.from({ length: 8 }, () => add({ title: "r" })));
    expect(roots.filter((reply) => reply.status === 201)).toHaveLength(3);
    ok(await add({ title: "a lead's", parentTaskId: root.id }, board.lead), 201);
    ok(await add({ title: "a lead's deep one", parentTaskId: grand.id }, board.lead), 201);
  });

  it("count children that are done, not those that were dropped; roots a lead made use up nobody's rate", async () => {
    const board = await newBoard({ caps: { ...caps, maxChildren: 1, maxRootCreates: 1 } });
    const judge = await board.mint("judge", "verifier");
    const root = await board.add({ title: "root" });
    await board.add({ title: "another lead root" });
    ok(await call(judge, "POST", `${board.path}/tasks`, { title: "verifiers are bounded too" }), 201);
    refused(await call(judge, "POST", `${board.path}/tasks`, { title: "r" }), 422, "root_rate_cap");
    const child = await board.add({ title: "child", parentTaskId: root.id }, judge);
    refused(
      await call(judge, "POST", `${board.path}/tasks`, { title: "c", parentTaskId: root.id }),
      422,
      "child_cap",
    );
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${child.id}`));
    ok(await call(judge, "POST", `${board.path}/tasks`, { title: "c", parentTaskId: root.id }), 201);
  });

  it("open the rate again when the window has passed", async () => {
    const board = await newBoard({ caps: { ...caps, maxRootCreates: 1 } });
    const worker = await board.mint("agent");
    ok(await call(worker, "POST", `${board.path}/tasks`, { title: "r" }), 201);
    refused(await call(worker, "POST", `${board.path}/tasks`, { title: "r" }), 422, "root_rate_cap");
    await inside(board, ({ sql }) => sql.run("update tasks set created_at = created_at - 300001"));
    ok(await call(worker, "POST", `${board.path}/tasks`, { title: "r" }), 201);
  });
});

describe("500 parallel creates", () => {
  it("get 500 different, gap-free numbers, and a dropped number is never used again", async () => {
    const board = await newBoard();
    const made = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        call(board.lead, "POST", `${board.path}/tasks`, { title: `t${i}` }),
      ),
    );
    const numbers = made.map((reply) => ok(reply, 201).task.number).sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/n500`));
    expect((await board.add({ title: "next" })).number).toBe(501);
  });
});

describe("an external reference", () => {
  it("stands on one not-dropped task at a time", async () => {
    const board = await newBoard();
    const first = await board.add({ title: "a", externalRef: "GH-1" });
    const again = await call(board.lead, "POST", `${board.path}/tasks`, { title: "b", externalRef: "GH-1" });
    expect(refused(again, 409, "duplicate").taskId).toBe(first.id);
    const other = await board.add({ title: "c" });
    refused(
      await call(board.lead, "PATCH", `${board.path}/tasks/${other.id}`, { externalRef: "GH-1" }),
      409,
      "duplicate",
    );
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${first.id}`, { status: "cancelled" }));
    const after = await call(board.lead, "POST", `${board.path}/tasks`, { title: "b", externalRef: "GH-1" });
    expect(refused(after, 409, "duplicate").taskId).toBe(first.id);
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${first.id}`));
    await board.add({ title: "d", externalRef: "GH-1" });
    refused(await call(board.lead, "POST", `${board.path}/tasks/${first.id}/restore`, {}), 409, "duplicate");
  });
});

describe("a plan", () => {
  const plan = (board: { lead: string; path: string }, tasks: object[], more = {}) =>
    call(board.lead, "POST", `${board.path}/plans`, { tasks, ...more });

  it("lands whole, in order, with refs and ids of the board side by side", async () => {
    const board = await newBoard();
    const standing = await board.add({ title: "standing" });
    const made = ok(
      await plan(board, [
        { ref: "b", title: "b", dependsOn: ["a", standing.id] },
        { ref: "a", title: "a", parentTaskId: standing.id },
        { ref: "c", title: "c", parentRef: "a", dependsOn: ["b", "b"] },
      ]),
      201,
    );
    expect(made).toMatchObject({
      edges: 3,
      tasks: [
        { ref: "b", number: 2 },
        { ref: "a", number: 3 },
        { ref: "c", number: 4 },
      ],
    });
    const [b, a, c] = made.tasks;
    expect(await board.get(b.id)).toMatchObject({ openDependencies: 2, ready: false });
    expect(await board.get(a.id)).toMatchObject({ ready: true, parentTaskId: standing.id });
    expect(await board.get(c.id)).toMatchObject({ openDependencies: 1, parentTaskId: a.id });
    expect((await events(board)).filter((event) => event.kind === "task_created")).toHaveLength(4);
  });

  it("with any fault stores nothing, and says where the fault is", async () => {
    const board = await newBoard();
    const cyclic = [
      { ref: "a", title: "a", dependsOn: ["b"] },
      { ref: "b", title: "b", dependsOn: ["a"] },
    ];
    expect(refused(await plan(board, cyclic), 409, "task_dependency_cycle").path).toEqual(["a", "b", "a"]);
    const nested = [
      { ref: "a", title: "a", parentRef: "b" },
      { ref: "b", title: "b", parentRef: "a" },
    ];
    refused(await plan(board, nested), 409, "parent_cycle");
    const lost = [
      { ref: "a", title: "a" },
      { ref: "b", title: "b", dependsOn: ["nowhere"] },
    ];
    expect(refused(await plan(board, lost), 422, "dependency_not_found").path).toEqual([
      "tasks",
      1,
      "dependsOn",
    ]);
    refused(await plan(board, [{ ref: "a", title: "a", parentRef: "z" }]), 422, "parent_not_found");
    const twins = [
      { ref: "a", title: "a" },
      { ref: "a", title: "b" },
    ];
    expect(refused(await plan(board, twins), 400, "invalid_request").issues[0].path).toBe("tasks.1.ref");
    const claimed = [
      { ref: "a", title: "a", externalRef: "X" },
      { ref: "b", title: "b", externalRef: "X" },
    ];
    refused(await plan(board, claimed), 409, "duplicate");
    expect(ok(await call(board.lead, "GET", `${board.path}/tasks`)).tasks).toEqual([]);
    expect(await events(board)).toHaveLength(1);
  });

  it("run dry tells its edges and stores nothing", async () => {
    const board = await newBoard();
    const tasks = [
      { ref: "a", title: "a" },
      { ref: "b", title: "b", dependsOn: ["a"] },
    ];
    expect(ok(await plan(board, tasks, { dryRun: true }))).toEqual({
      tasks: [{ ref: "a" }, { ref: "b" }],
      edges: 1,
    });
    expect(ok(await call(board.lead, "GET", `${board.path}/tasks`)).tasks).toEqual([]);
    ok(await plan(board, tasks), 201);
  });

  function large(): PlannedTask[] {
    return Array.from({ length: 1_000 }, (_, i) => ({
      ref: `r${i}`,
      draft: { title: `task ${i}`, description: "what it is about. ".repeat(10) },
      dependsOn: [1, 7, 31].filter((back) => i >= back).map((back) => `r${i - back}`),
    }));
  }

  it("of 1,000 tasks with 3,000 edges goes in with a few statements", async () => {
    const board = await newBoard();
    await inside(board, ({ storage, context, costs }) => {
      costs.length = 0;
      const made = transact(storage, false, () => createPlan(context(1), { tasks: large(), dryRun: false }));
      expect(made.ok && made.value.edges).toBe(3_000 - 1 - 7 - 31);
      expect(costs.length).toBeLessThan(25);
    });
  });

  it("that fails in the middle of its writes leaves nothing behind", async () => {
    const board = await newBoard();
    await inside(board, ({ sql, storage, context }) => {
      sql.run("create trigger broken before insert on task_deps begin select raise(abort, 'broken'); end");
      expect(() =>
        transact(storage, false, () => createPlan(context(1), { tasks: large(), dryRun: false })),
      ).toThrow();
      sql.run("drop trigger broken");
      expect(sql.number("select count(*) from tasks")).toBe(0);
      expect(sql.number("select count(*) from events")).toBe(1);
      expect(sql.number("select todo from task_counts")).toBe(0);
    });
  });
});
