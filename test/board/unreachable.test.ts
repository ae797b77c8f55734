/** What waits for something that cannot finish: found whole, with the way to it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listStuck } from "../../src/board/operations/list-stuck.ts";
import { recountOpen } from "../../src/board/store/dependencies.ts";
import type { StuckPage } from "../../src/contract/insight.ts";
import type { Task } from "../../src/contract/task.ts";
import { TASK_STATUSES, type TaskStatus } from "../../src/rules/status.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { inside } from "../support/inside.ts";

const stuck = async (board: TestBoard, query = ""): Promise<StuckPage> =>
  ok(await call(board.lead, "GET", `${board.path}/stuck${query}`));

const patch = async (board: TestBoard, id: string, body: object): Promise<Task> =>
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, body)).task;

const drop = async (board: TestBoard, id: string) =>
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${id}`));

/** All that is listed, which is nothing but this. */
async function unreachable(board: TestBoard) {
  const { stuck: found, counts } = await stuck(board);
  expect(counts.unreachable).toBe(found.length);
  for (const one of found) expect(one.reason).toBe("unreachable");
  return found;
}

describe("a task that can never be done", () => {
  it("lists the whole chain behind a cancelled blocker, each with that blocker and the way to it", async () => {
    const board = await newBoard();
    const [gone, open] = [await board.add({ title: "gone" }), await board.add({ title: "open" })];
    const a = await board.add({ title: "a", dependsOn: [gone.id] });
    const b = await board.add({ title: "b", dependsOn: [a.id], status: "backlog" });
    const fine = await board.add({ title: "fine", dependsOn: [open.id] });
    for (const [task, onCancel] of [
      [fine, "satisfy"],
      [await board.add({ title: "cascades" }), "cascade"],
    ] as const)
      ok(
        await call(board.lead, "POST", `${board.path}/tasks/${task.id}/dependencies`, {
          dependsOnTaskId: gone.id,
          onCancel,
        }),
        201,
      );
    const { completedAt } = await patch(board, gone.id, { status: "cancelled" });
    const blocker = { id: gone.id, number: gone.number, title: "gone", status: "cancelled", dropped: false };
    expect(await unreachable(board)).toMatchObject([
      {
        task: { id: a.id, since: completedAt },
        blocker,
        path: [{ id: gone.id }],
        pathLength: 1,
        mustAct: { who: "lead", action: expect.stringContaining(`Unlink n${gone.number}`) },
      },
      {
        task: { id: b.id, status: "backlog" },
        blocker,
        path: [{ id: a.id }, { id: gone.id }],
        pathLength: 2,
      },
    ]);
    ok(await call(board.lead, "POST", `${board.path}/tasks/${gone.id}/cancel-dependents`, {}));
    expect(await unreachable(board)).toEqual([]);
  });

  it("lists what waits for a dropped task until it is restored; one that was done before holds nobody", async () => {
    const board = await newBoard();
    const [gone, done] = [await board.add({ title: "gone" }), await board.add({ title: "done" })];
    const waits = await board.add({ title: "waits", dependsOn: [gone.id, done.id] });
    await patch(board, done.id, { status: "in_progress" });
    await patch(board, done.id, { status: "done" });
    await drop(board, done.id);
    expect(await unreachable(board)).toEqual([]);
    await drop(board, gone.id);
    expect(await unreachable(board)).toMatchObject([
      { task: { id: waits.id }, blocker: { id: gone.id, dropped: true }, mustAct: { who: "lead" } },
    ]);
    ok(await call(board.lead, "POST", `${board.path}/tasks/${gone.id}/restore`, {}));
    expect(await unreachable(board)).toEqual([]);
  });

  it("lists work that was linked to a dead end after it had begun, and leaves out what has ended", async () => {
    const board = await newBoard();
    const [held, over] = [await board.add({ title: "held" }), await board.add({ title: "over" })];
    const gone = await board.add({ title: "gone" });
    await patch(board, gone.id, { status: "cancelled" });
    await board.claim(held.id, await board.mint("agent"));
    for (const { id } of [held, over])
      ok(
        await call(board.lead, "POST", `${board.path}/tasks/${id}/dependencies`, {
          dependsOnTaskId: gone.id,
        }),
        201,
      );
    await patch(board, over.id, { status: "cancelled" });
    expect(await unreachable(board)).toMatchObject([{ task: { id: held.id, status: "in_progress" } }]);
  });

  it("shortens a long way in its middle and still names what cannot finish", async () => {
    const board = await newBoard();
    const tasks = Array.from({ length: 60 }, (_, index) => ({
      ref: `r${index}`,
      title: `t${index}`,
      ...(index === 0 ? {} : { dependsOn: [`r${index - 1}`] }),
    }));
    const made = ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201).tasks;
    await patch(board, made[0].id, { status: "cancelled" });
    const last = (await stuck(board, "?reason=unreachable&limit=200")).stuck.at(-1);
    expect(last).toMatchObject({ task: { number: 60 }, blocker: { number: 1 }, pathLength: 59 });
    const ends = [...Array(10).keys()];
    expect(last?.path?.map(({ number }) => number)).toEqual([
      ...ends.map((index) => 59 - index),
      ...ends.map((index) => 10 - index),
    ]);
  });

  it("is exactly what can never be done, on random boards with damaged edges too", async () => {
    const board = await newBoard();
    const status = fc.constantFrom<TaskStatus>(
      ...TASK_STATUSES,
      "todo",
      "todo",
      "todo",
      "cancelled",
      "cancelled",
    );
    const dropped = fc.constantFrom(false, false, false, true);
    const random = fc.record({
      tasks: fc.array(fc.tuple(status, dropped), {
        minLength: 2,
        maxLength: 9,
      }),
      edges: fc.array(fc.tuple(fc.nat(8), fc.nat(8), fc.constantFrom("hold", "satisfy", "cascade")), {
        maxLength: 16,
      }),
    });
    await inside(board, ({ sql, context }) => {
      fc.assert(
        fc.property(random, ({ tasks, edges }) => {
          sql.run("delete from task_deps");
          sql.run("delete from tasks");
          sql.run("update task_counts set todo = 0");
          fill(sql, { count: tasks.length, priority: 0 });
          for (const [index, [status, dropped]] of tasks.entries())
            sql.run("update tasks set status = ?, dropped = ? where number = ?", status, dropped, index + 1);
          const drawn = edges.filter(([from, to]) => from < tasks.length && to < tasks.length);
          for (const [from, to, onCancel] of drawn)
            sql.run(
              "insert or ignore into task_deps (task_id, depends_on_task_id, on_cancel, created_at) values (?, ?, ?, 1)",
              `task-${from + 1}`,
              `task-${to + 1}`,
              onCancel,
            );
          recountOpen(
            sql,
            tasks.map((_, index) => `task-${index + 1}`),
            1,
          );
          const page = listStuck(context(2_000), { reason: "unreachable", cursor: null, limit: 200 });
          if (!page.ok) throw new Error(page.detail);
          const plain = plainlyUnreachable(
            sql.all("select id, status, dropped from tasks"),
            sql.all("select task_id, depends_on_task_id, on_cancel from task_deps"),
          );
          expect(page.value.stuck.map(({ task }) => task.id)).toEqual(plain);
          expect(page.value.counts.unreachable).toBe(plain.length);
        }),
        { numRuns: 400, seed: 20_29 },
      );
    });
  });
});

/** The definition, read the plain way. */
function plainlyUnreachable(tasks: Record<string, unknown>[], edges: Record<string, unknown>[]): string[] {
  const byId = new Map(tasks.map((task) => [task["id"], task]));
  const lost = new Set<unknown>();
  for (let size = -1; size < lost.size; ) {
    size = lost.size;
    for (const edge of edges) {
      const [task, blocker] = [byId.get(edge["task_id"]), byId.get(edge["depends_on_task_id"])];
      const waits = task?.["dropped"] === 0 && task["status"] !== "done" && task["status"] !== "cancelled";
      const cancelled = blocker?.["status"] === "cancelled";
      const satisfied = blocker?.["status"] === "done" || (cancelled && edge["on_cancel"] === "satisfy");
      const dead = cancelled || blocker?.["dropped"] === 1;
      if (waits && !satisfied && (dead || lost.has(edge["depends_on_task_id"]))) lost.add(edge["task_id"]);
    }
  }
  return tasks.map((task) => String(task["id"])).filter((id) => lost.has(id));
}
