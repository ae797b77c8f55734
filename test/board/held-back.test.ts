/** What keeps waiting: for a person, for work that failed, or for others, wherever those have moved. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { claimNext } from "../../src/board/operations/claim-next.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { inside, WORKER } from "../support/inside.ts";
import { value } from "../support/runs.ts";

const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();

/** One run of a task, ended like this. */
async function run(board: TestBoard, worker: string, id: string, outcome: string, status: string) {
  const { lease } = await board.claim(id, worker);
  const word = { leaseToken: lease.token, outcome, status };
  return ok(await call(worker, "POST", `${board.path}/tasks/${id}/complete`, word));
}

it("a completion names what may now be started: nothing that was dropped, still waits, or waits in the backlog", async () => {
  const board = await newBoard();
  const worker = await board.mint("worker");
  const [first, second] = [await board.add({ title: "first" }), await board.add({ title: "second" })];
  const free = await board.add({ title: "free", dependsOn: [first.id] });
  await board.add({ title: "still waits", dependsOn: [first.id, second.id] });
  await board.add({ title: "backlog", dependsOn: [first.id], status: "backlog" });
  const gone = await board.add({ title: "dropped", dependsOn: [first.id] });
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${gone.id}`));
  const done = await run(board, worker, first.id, "succeeded", "done");
  expect([ids(done.unblocked), done.unblockedCount]).toEqual([[free.id], 1]);
  ok(await call(board.lead, "POST", `${board.path}/tasks/${gone.id}/restore`, {}));
  expect(await board.get(gone.id)).toMatchObject({ openDependencies: 0, ready: true });
});

describe("a task blocked for a person", () => {
  it("stays so, made so or moved there, whatever else is finished and however long it takes", async () => {
    const board = await newBoard();
    const worker = await board.mint("worker");
    const made = await board.add({ title: "made so", status: "blocked" });
    const moved = await board.add({ title: "moved there", priority: 9 });
    const { lease } = await board.claim(moved.id, worker);
    const needs = { status: "blocked", blockedReason: "needs a key", leaseToken: lease.token };
    ok(await call(worker, "PATCH", `${board.path}/tasks/${moved.id}`, needs));
    const other = await board.add({ title: "other" });
    const before = [await board.get(made.id), await board.get(moved.id)];
    expect((await run(board, worker, other.id, "succeeded", "done")).unblocked).toEqual([]);
    await runDurableObjectAlarm(board.stub());
    await inside(board, ({ context }) => {
      const { claims } = value(claimNext(context(Date.now() + 30 * 86_400_000, WORKER), { limit: 10 }));
      expect(claims).toEqual([]);
    });
    expect([await board.get(made.id), await board.get(moved.id)]).toEqual(before);
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${moved.id}`, { status: "todo" }));
    expect(await board.get(moved.id)).toMatchObject({
      ready: true,
      blockedReason: null,
      assigneeAgentId: null,
    });
  });
});

describe("a task that waits for work that failed", () => {
  it.each(["todo", "blocked", "in_review"])(
    "goes on waiting while that is %s, and until it is done",
    async (status) => {
      const board = await newBoard({ backoff: { firstMs: 0 } });
      const worker = await board.mint("worker");
      const gate = await board.add({ title: "gate" });
      const waits = await board.add({ title: "waits", dependsOn: [gate.id] });
      expect(await run(board, worker, gate.id, "failed", status)).toMatchObject({
        unblocked: [],
        unblockedCount: 0,
      });
      expect(await board.get(waits.id)).toMatchObject({ ready: false, openDependencies: 1 });
      const steps = { todo: ["in_progress"], blocked: ["in_progress"], in_review: [] }[status] ?? [];
      for (const next of [...steps, "done"])
        ok(await call(board.lead, "PATCH", `${board.path}/tasks/${gate.id}`, { status: next }));
      expect(await board.get(waits.id)).toMatchObject({ ready: true, openDependencies: 0 });
    },
  );
});

describe("an edge", () => {
  it("is seen from both its ends, between a subtask and any other, and each answers under its own id", async () => {
    const board = await newBoard();
    const [parent, top] = [await board.add({ title: "parent" }), await board.add({ title: "top" })];
    const child = await board.add({ title: "child", parentTaskId: parent.id });
    const link = { dependsOnTaskId: top.id };
    ok(await call(board.lead, "POST", `${board.path}/tasks/${child.id}/dependencies`, link), 201);
    const whole = async (id: string) =>
      ok(await call(board.lead, "GET", `${board.path}/tasks/${id}?include=dependencies,dependents`));
    const [below, above, aside] = [await whole(child.id), await whole(top.id), await whole(parent.id)];
    expect([below.task.id, ids(below.dependencies), below.dependents]).toEqual([child.id, [top.id], []]);
    expect([above.task.id, above.dependencies, ids(above.dependents)]).toEqual([top.id, [], [child.id]]);
    expect([aside.task.id, aside.dependencies, aside.dependents]).toEqual([parent.id, [], []]);
  });

  it("stays when either end gets another parent or is dropped and restored, and never leads nowhere", async () => {
    const board = await newBoard();
    const [a, b, root] = [
      await board.add({ title: "a" }),
      await board.add({ title: "b" }),
      await board.add({ title: "root" }),
    ];
    const waits = await board.add({ title: "waits", dependsOn: [a.id, b.id] });
    for (const id of [a.id, waits.id])
      ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { parentTaskId: root.id }));
    for (const id of [b.id, waits.id]) {
      ok(await call(board.lead, "DELETE", `${board.path}/tasks/${id}`));
      if (id === waits.id) ok(await call(board.lead, "POST", `${board.path}/tasks/${id}/restore`, {}));
    }
    const path = `${board.path}/tasks/${waits.id}?include=dependencies`;
    const { task, dependencies } = ok(await call(board.lead, "GET", path));
    expect([task.openDependencies, task.ready]).toEqual([2, false]);
    expect(ids(dependencies)).toEqual(ids([a, b]));
    for (const { id } of dependencies) expect((await board.get(id)).id).toBe(id);
  });
});
