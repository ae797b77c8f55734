/** The order work is handed out in is one and the same, wherever it is seen. */
import { describe, expect, it } from "vitest";
import type { Task } from "../../src/contract/task.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { walk } from "./support.ts";

const ORDERS = ["recent", "fifo"] as const;

interface Row {
  id: string;
  number: number;
  priority: number;
  updated_at: number;
  ready_since: number;
}

/** Forty ready tasks of few priorities and few times, so that every key of the order has ties. */
async function queueOf(readyOrder: (typeof ORDERS)[number]): Promise<{ board: TestBoard; wanted: string[] }> {
  const board = await newBoard({ readyOrder });
  const tasks = Array.from({ length: 40 }, (_, n) => ({
    ref: `r${n}`,
    title: `t${n}`,
    priority: [0, 9, 3, 0, 3][n % 5],
    labels: n % 3 === 0 ? ["third"] : [],
  }));
  const blocker = await board.add({ title: "blocker", status: "backlog" });
  ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
  // None of these belongs into the queue.
  await board.add({ title: "waits", priority: 9, dependsOn: [blocker.id] });
  await board.add({ title: "later", priority: 9, notBefore: Date.now() + 3_600_000 });
  await board.claim((await board.add({ title: "held", priority: 9 })).id, board.lead);
  const gone = await board.add({ title: "dropped", priority: 9 });
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${gone.id}`));
  const rows = await inside(board, ({ sql }) => {
    sql.run(
      "update tasks set updated_at = created_at - (number % 4) * 1000, ready_since = created_at - (number % 3) * 1000",
    );
    return sql.all(
      "select id, number, priority, updated_at, ready_since from tasks where title like 't%'",
    ) as unknown as Row[];
  });
  const time = (row: Row) => (readyOrder === "recent" ? -row.updated_at : row.ready_since);
  rows.sort((a, b) => b.priority - a.priority || time(a) - time(b) || a.number - b.number);
  return { board, wanted: rows.map(({ id }) => id) };
}

const ids = (tasks: Task[]) => tasks.map(({ id }) => id);

describe.each(ORDERS)("a board whose queue is %s", (readyOrder) => {
  it("lists what is ready exactly in queue order, over any number of pages", async () => {
    const { board, wanted } = await queueOf(readyOrder);
    expect(wanted).toHaveLength(40);
    for (const query of ["ready=true", "order=queue", "ready=true&order=queue", "order=queue&status=todo"])
      for (const limit of [1, 7, 13, 39, 40, 200]) {
        const { rows, pages } = await walk(board.lead, `${board.path}/tasks?${query}`, limit);
        expect([query, limit, ids(rows)]).toEqual([query, limit, wanted]);
        expect(pages).toBe(Math.ceil(40 / limit));
      }
    expect((await walk(board.lead, `${board.path}/tasks?ready=true&status=blocked`, 7)).rows).toEqual([]);
  });

  it("keeps the order under a filter, and always begins at the front", async () => {
    const { board, wanted } = await queueOf(readyOrder);
    const { rows: all } = await walk(board.lead, `${board.path}/tasks?ready=true`, 200);
    const third = ids(all.filter(({ labels }: Task) => labels.includes("third")));
    for (const limit of [1, 5, 13, 14])
      expect(ids((await walk(board.lead, `${board.path}/tasks?ready=true&label=third`, limit)).rows)).toEqual(
        third,
      );
    for (let again = 0; again < 10; again++) {
      const page = ok(await call(board.lead, "GET", `${board.path}/tasks?ready=true&limit=5`));
      expect(ids(page.tasks)).toEqual(wanted.slice(0, 5));
    }
  });

  it("hands work out in the order it lists it", async () => {
    const { board, wanted } = await queueOf(readyOrder);
    const worker = await board.mint("agent");
    const handed: string[] = [];
    for (const limit of [1, 10, 3, 10, 10, 10]) {
      const { claims } = ok(await call(worker, "POST", `${board.path}/claims`, { limit }));
      handed.push(...claims.map(({ task }: { task: Task }) => task.id));
      const left = ok(await call(worker, "GET", `${board.path}/tasks?ready=true&limit=200`)).tasks;
      expect(ids(left)).toEqual(wanted.slice(handed.length));
    }
    expect(handed).toEqual(wanted);
    expect(ok(await call(worker, "GET", `${board.path}/tasks?ready=true`)).tasks).toEqual([]);
  });
});

it("an edit brings a task forward in recent order and moves nothing in fifo order", async () => {
  for (const readyOrder of ORDERS) {
    const { board, wanted } = await queueOf(readyOrder);
    const tasks = (await walk(board.lead, `${board.path}/tasks?ready=true`, 200)).rows as Task[];
    const last = tasks.filter(({ priority }) => priority === 9).at(-1) as Task;
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${last.id}`, { description: "edited" }));
    const after = ids((await walk(board.lead, `${board.path}/tasks?ready=true`, 7)).rows);
    const moved = [last.id, ...wanted.filter((id) => id !== last.id)];
    expect([readyOrder, after]).toEqual([readyOrder, readyOrder === "recent" ? moved : wanted]);
  }
});

it("a cursor of the queue goes on from its place when the row it names has gone", async () => {
  const { board, wanted } = await queueOf("recent");
  const page = ok(await call(board.lead, "GET", `${board.path}/tasks?ready=true&limit=10`));
  await board.claim(wanted[9] as string, board.lead);
  const next = ok(
    await call(board.lead, "GET", `${board.path}/tasks?ready=true&limit=10&cursor=${page.nextCursor}`),
  );
  expect(ids(next.tasks)).toEqual(wanted.slice(10, 20));
});
