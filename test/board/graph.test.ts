/** The board as nodes and edges: what a filter or a neighbourhood holds, and what it costs. */
import { describe, expect, it } from "vitest";
import { type GetGraph, getGraph } from "../../src/board/operations/get-graph.ts";
import type { Graph } from "../../src/contract/insight.ts";
import type { Task } from "../../src/contract/task.ts";
import { call, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { type Inside, inside } from "../support/inside.ts";

const graph = async (board: TestBoard, query = ""): Promise<Graph> =>
  ok(await call(board.lead, "GET", `${board.path}/graph${query}`));

const titles = ({ nodes }: Graph) => nodes.map(({ title }) => title).sort();

/** Edges by the titles of their ends: what is waited for, then what waits. */
function edges({ nodes, edges }: Graph): string[] {
  const title = new Map(nodes.map((node) => [node.id, node.title]));
  return edges.map(({ from, to }) => `${title.get(from)}>${title.get(to)}`).sort();
}

/** a > b > c > d > e, and x > c; f is alone. */
async function chained() {
  const board = await newBoard();
  const tasks = new Map<string, Task>();
  for (const [title, ...dependsOn] of [
    ["a"],
    ["x"],
    ["b", "a"],
    ["c", "b", "x"],
    ["d", "c"],
    ["e", "d"],
    ["f"],
  ]) {
    const ids = dependsOn.map((name) => tasks.get(name)?.id);
    tasks.set(title as string, await board.add({ title, dependsOn: ids, labels: [`is-${title}`] }));
  }
  return { board, task: (title: string) => tasks.get(title) as Task };
}

describe("the graph of a filter", () => {
  it("is without one the whole board, each task as its own answer tells it", async () => {
    const { board, task } = await chained();
    await board.claim(task("a").id, await board.mint("worker"));
    const child = await board.add({ title: "child", parentTaskId: task("f").id, priority: 7 });
    const whole = await graph(board);
    expect(titles(whole)).toEqual(["a", "b", "c", "child", "d", "e", "f", "x"]);
    expect(edges(whole)).toEqual(["a>b", "b>c", "c>d", "d>e", "x>c"]);
    expect(whole).toMatchObject({ truncated: false, seq: expect.any(Number) });
    for (const node of whole.nodes) {
      const { lease, ...shown } = await board.get(node.id);
      const { holder, ...rest } = node;
      expect(shown).toMatchObject(rest);
      expect(holder?.expiresAt).toBe(lease?.expiresAt);
    }
    expect(whole.nodes.find(({ id }) => id === child.id)).toMatchObject({
      priority: 7,
      parentTaskId: task("f").id,
    });
    expect(whole.nodes.find(({ title }) => title === "a")?.holder).toMatchObject({
      agentId: "worker",
      state: "live",
    });
  });

  it("holds what the filter lets through, and the edges between those only", async () => {
    const { board, task } = await chained();
    for (const title of ["a", "b"]) {
      ok(await call(board.lead, "PATCH", `${board.path}/tasks/${task(title).id}`, { status: "in_progress" }));
      ok(await call(board.lead, "PATCH", `${board.path}/tasks/${task(title).id}`, { status: "done" }));
    }
    await board.add({ title: "child", parentTaskId: task("f").id, kind: "bug", teamId: "red" });
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${task("d").id}`));
    for (const [query, nodes, between] of [
      ["status=done", ["a", "b"], ["a>b"]],
      ["status=done&status=todo", ["a", "b", "c", "child", "e", "f", "x"], ["a>b", "b>c", "x>c"]],
      ["includeDropped=true&status=todo", ["c", "child", "d", "e", "f", "x"], ["c>d", "d>e", "x>c"]],
      [`parentTaskId=${task("f").id}`, ["child"], []],
      [`parentTaskId=n${task("f").number}`, ["child"], []],
      ["kind=bug", ["child"], []],
      ["teamId=red&kind=bug", ["child"], []],
      ["label=is-a", ["a"], []],
      ["label=is-a&label=is-b", [], []],
    ] as const) {
      const found = await graph(board, `?${query}`);
      expect([query, titles(found), edges(found)]).toEqual([query, nodes, between]);
    }
  });

  it("tells of each edge what a cancel means to it, and whether it is satisfied", async () => {
    const board = await newBoard();
    const [done, gone, open] = (await Promise.all(
      ["done", "gone", "open"].map((title) => board.add({ title })),
    )) as [Task, Task, Task];
    const top = await board.add({ title: "top", dependsOn: [done.id, open.id] });
    const hopeful = await board.add({ title: "hopeful", dependsOn: [gone.id] });
    const link = { dependsOnTaskId: gone.id, onCancel: "satisfy" };
    ok(await call(board.lead, "POST", `${board.path}/tasks/${top.id}/dependencies`, link), 201);
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${gone.id}`, { status: "cancelled" }));
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${done.id}`, { status: "in_progress" }));
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${done.id}`, { status: "done" }));
    const told = (await graph(board)).edges;
    expect(told).toHaveLength(4);
    expect(told).toEqual(
      expect.arrayContaining([
        { from: done.id, to: top.id, onCancel: "hold", satisfied: true },
        { from: open.id, to: top.id, onCancel: "hold", satisfied: false },
        { from: gone.id, to: top.id, onCancel: "satisfy", satisfied: true },
        { from: gone.id, to: hopeful.id, onCancel: "hold", satisfied: false },
      ]),
    );
  });
});

describe("the graph around a task", () => {
  it("goes so many edges away from it, whichever way they point", async () => {
    const { board, task } = await chained();
    const around = (title: string, depth?: number) =>
      graph(board, `?around=n${task(title).number}${depth === undefined ? "" : `&depth=${depth}`}`);
    expect(titles(await around("b", 1))).toEqual(["a", "b", "c"]);
    expect(titles(await around("b"))).toEqual(["a", "b", "c", "d", "x"]);
    expect(titles(await around("a", 3))).toEqual(["a", "b", "c", "d", "x"]);
    expect(titles(await around("a", 10))).toEqual(["a", "b", "c", "d", "e", "x"]);
    expect(titles(await around("f", 10))).toEqual(["f"]);
    expect(edges(await around("c", 1))).toEqual(["b>c", "c>d", "x>c"]);
    expect((await around("c", 1)).nodes[0]?.title).toBe("c");
  });

  it("shows dropped tasks, since they hold others up, and ends on damaged edges", async () => {
    const { board, task } = await chained();
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${task("a").id}`));
    await inside(board, ({ sql }) =>
      sql.run(
        "insert into task_deps (task_id, depends_on_task_id, created_at) values (?, ?, 1)",
        task("a").id,
        task("e").id,
      ),
    );
    const found = await graph(board, `?around=${task("a").id}&depth=10`);
    expect(titles(found)).toEqual(["a", "b", "c", "d", "e", "x"]);
    expect(found.nodes.filter(({ dropped }) => dropped).map(({ title }) => title)).toEqual(["a"]);
    expect(edges(found)).toContain("e>a");
  });

  it("is refused what does not go together, and a task that is not there", async () => {
    const { board, task } = await chained();
    const { id } = task("a");
    const read = (query: string) => call(board.lead, "GET", `${board.path}/graph?${query}`);
    for (const query of [
      "depth=1",
      `around=${id}&depth=0`,
      `around=${id}&depth=11`,
      `around=${id}&status=todo`,
      `around=${id}&includeDropped=true`,
      "status=tired",
      "limit=0",
      "limit=5001",
      "cursor=1",
    ])
      refused(await read(query), 400, "invalid_request");
    refused(await read("around=n99"), 404, "task_not_found");
    refused(await read(`around=${crypto.randomUUID()}`), 404, "task_not_found");
  });
});

describe("a large board", () => {
  const filter = {
    statuses: [],
    teamId: null,
    parentTaskId: null,
    kind: null,
    labels: [],
    includeDropped: false,
  };

  function cost(visit: Inside, input: Partial<GetGraph>) {
    const start = visit.costs.length;
    const found = getGraph(visit.context(1_800_000_000_000), {
      around: null,
      filter,
      limit: 5_000,
      ...input,
    });
    if (!found.ok) throw new Error(found.detail);
    const costs = visit.costs.slice(start);
    return {
      ...found.value,
      statements: costs.length,
      read: costs.reduce((sum, one) => sum + one.rowsRead, 0),
    };
  }

  it("is shown up to 5,000 tasks, newest or nearest first, in the same few statements at any size", async () => {
    const statements = new Set<number>();
    for (const size of [10, 5_000, 100_000]) {
      const board = await newBoard();
      await inside(board, (visit) => {
        const { sql } = visit;
        fill(sql, { count: size / 2, priority: 1, status: "done" });
        fill(sql, { count: size / 2, priority: 1 });
        // Every task waits for the one before it and, beyond the first hundred, for the first.
        sql.run(
          `insert into task_deps (task_id, depends_on_task_id, created_at)
           select 'task-' || number, 'task-' || (number - 1), 1 from tasks where number > 1
           union all select 'task-' || number, 'task-1', 1 from tasks where number between 101 and 9000`,
        );
        const shown = Math.min(size, 5_000);
        const all = cost(visit, {});
        expect([all.nodes.length, all.truncated]).toEqual([shown, size > 5_000]);
        expect(all.nodes[0]?.number).toBe(size);
        expect(all.edges.length).toBeGreaterThanOrEqual(shown - 1);
        expect(all.read).toBeLessThan(15 * shown + 20);
        statements.add(all.statements);
        const few = cost(visit, { limit: 5 });
        expect([few.nodes.length, few.edges.length, few.truncated]).toEqual([5, 4, true]);
        expect(few.read).toBeLessThan(60);
        const todo = cost(visit, { filter: { ...filter, statuses: ["todo"] }, limit: 5 });
        expect(todo.read).toBeLessThan(60);
        const near = cost(visit, { around: { id: `task-${size / 2}`, depth: 2 }, limit: 5 });
        expect(near.nodes[0]?.number).toBe(size / 2);
        const hub = cost(visit, { around: { id: "task-1", depth: 10 } });
        // Of 5,000 tasks all but 80 are within ten edges of the first.
        const within = size === 5_000 ? 4_920 : shown;
        expect([hub.nodes.length, hub.truncated]).toEqual([within, size > 5_000]);
        expect(hub.read).toBeLessThan(600_000);
        statements.add(hub.statements - 1);
      });
    }
    // The board's row, the numbers, the nodes, the edges and the seq; one more finds the task to go around.
    expect([...statements]).toEqual([5]);
  }, 120_000);
});
