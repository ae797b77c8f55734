/** Search and everything else a list does: filters, orders, pages, the queue. */
import { expect, it } from "vitest";
import type { Task } from "../../src/contract/task.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { inside } from "../support/inside.ts";

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

async function plan(board: TestBoard, tasks: object[]): Promise<{ id: string; number: number }[]> {
  const refs = tasks.map((task, index) => ({ ref: `r${index}`, title: `t${index}`, ...task }));
  return ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks: refs }), 201).tasks;
}

/** Follows the cursors to the end: the numbers in their order, and how many pages it took. */
async function walk(
  board: TestBoard,
  query: string,
  limit: number,
): Promise<{ numbers: number[]; pages: number }> {
  const numbers: number[] = [];
  let pages = 0;
  for (let cursor: string | null = ""; cursor !== null; pages++) {
    const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page = ok(await call(board.lead, "GET", `${board.path}/tasks?${query}&limit=${limit}${more}`));
    expect(page.tasks.length).toBeLessThanOrEqual(limit);
    expect(page.hasMore).toBe(page.nextCursor !== null);
    numbers.push(...page.tasks.map((task: Task) => task.number));
    cursor = page.nextCursor;
  }
  return { numbers, pages };
}

it("three matches among five hundred come on the first page, by whatever they are found", async () => {
  const board = await newBoard();
  const rare = new Map([
    [37, { title: "a needle 針" }],
    [52, { description: "the needle, 針 again" }],
  ]);
  const tasks = await plan(
    board,
    upTo(500).map((n) => rare.get(n) ?? { title: `a common task ${n}`, labels: ["l"] }),
  );
  ok(
    await call(board.lead, "POST", `${board.path}/tasks/${tasks[10]?.id}/comments`, {
      body: "Needle 針 here",
    }),
    201,
  );
  for (const q of ["needle", "針", "needle 針", "NEEDLE a"])
    for (const [more, wanted] of [
      ["", [52, 37, 11]],
      ["&order=oldest", [11, 37, 52]],
      ["&ready=true", [11, 37, 52]],
      ["&status=todo&status=blocked", [52, 37, 11]],
      ["&label=l", [11]],
      ["&status=done", []],
    ] as [string, number[]][]) {
      const page = ok(
        await call(board.lead, "GET", `${board.path}/tasks?q=${encodeURIComponent(q)}&limit=5${more}`),
      );
      const numbers = page.tasks.map((task: Task) => task.number);
      expect([q, more, numbers, page.hasMore]).toEqual([q, more, wanted, false]);
    }
});

it("pages of a search lose nothing and repeat nothing, in either order and in the queue", async () => {
  const board = await newBoard();
  const texts = ["lease and token", "lease", "token 鍵", "nothing"];
  const tasks = await plan(
    board,
    upTo(120).map((n) => ({ title: texts[n % 4] as string, priority: n % 3 })),
  );
  for (const n of [4, 8, 12])
    for (const body of ["a lease", "and a token", "lease again"])
      ok(await call(board.lead, "POST", `${board.path}/tasks/${tasks[n - 2]?.id}/comments`, { body }), 201);
  const has = (n: number, ...of: number[]) => of.includes(n % 4) || [3, 7, 11].includes(n);
  const ready = (await walk(board, "ready=true", 200)).numbers;
  for (const [q, wanted] of [
    ["lease", upTo(120).filter((n) => has(n, 0, 1))],
    ["lease%20token", upTo(120).filter((n) => has(n, 0))],
    ["en", upTo(120).filter((n) => has(n, 0, 2))],
    ["%E9%8D%B5", upTo(120).filter((n) => n % 4 === 2)],
    ["%E9%8D%B5%20to", upTo(120).filter((n) => n % 4 === 2)],
    ["lease%20absent", []],
  ] as [string, number[]][])
    for (const limit of [13, 200]) {
      const pages = Math.max(1, Math.ceil(wanted.length / limit));
      expect(await walk(board, `q=${q}&order=oldest`, limit)).toEqual({ numbers: wanted, pages });
      expect(await walk(board, `q=${q}`, limit)).toEqual({ numbers: wanted.toReversed(), pages });
      const queue = await walk(board, `q=${q}&ready=true`, limit);
      expect(queue).toEqual({ numbers: ready.filter((n) => wanted.includes(n)), pages });
    }
});

it.each(["recent", "fifo"])(
  "the queue in %s order is searched in that order, page by page",
  async (readyOrder) => {
    const board = await newBoard({ readyOrder: readyOrder as "fifo" });
    for (const priority of [1, 2])
      await plan(
        board,
        upTo(9).map((n) => ({ title: `heron ${n}`, priority })),
      );
    const [egret] = await plan(board, [{ title: "egret" }, { title: "heron", status: "backlog" }]);
    for (const number of [4, 13]) {
      ok(await call(board.lead, "PATCH", `${board.path}/tasks/n${number}`, { status: "backlog" }));
      ok(await call(board.lead, "PATCH", `${board.path}/tasks/n${number}`, { status: "todo" }));
    }
    const whole = (await walk(board, "ready=true", 200)).numbers;
    expect(whole).toHaveLength(19);
    const wanted = whole.filter((number) => number !== egret?.number);
    for (const q of ["heron", "on"])
      expect(await walk(board, `q=${q}&ready=true`, 4)).toEqual({ numbers: wanted, pages: 5 });
  },
);

it("filters combine with a search, whichever of the two leads", async () => {
  const board = await newBoard();
  const root = await board.add({ title: "root of all leases" });
  await plan(
    board,
    upTo(240).map((n) => ({
      title: n % 2 === 0 ? "common lease" : n % 30 === 1 ? "rare heron 鷺" : "else",
      teamId: n % 3 === 0 ? "a" : "b",
      kind: n % 5 === 0 ? "bug" : "feature",
      labels: n % 7 === 0 ? ["seven"] : [],
      externalRef: `X-${n}`,
      ...(n % 4 === 0 ? { parentTaskId: root.id } : {}),
    })),
  );
  const worker = await board.mint("ann");
  ok(await call(worker, "POST", `${board.path}/claims`, { limit: 10 }));
  const path = `${board.path}/tasks?order=oldest&limit=200`;
  const first = ok(await call(board.lead, "GET", path));
  const rest = ok(await call(board.lead, "GET", `${path}&cursor=${first.nextCursor}`));
  const all: Task[] = [...first.tasks, ...rest.tasks];
  const texts: [string, RegExp][] = [
    ["lease", /lease/],
    ["heron", /heron/],
    ["鷺", /鷺/],
    ["se", /se/],
    ["lease on", /on.*lease/],
  ];
  const filters: [string, (task: Task) => boolean][] = [
    ["teamId=a", (task) => task.teamId === "a"],
    ["kind=bug&label=seven", (task) => task.kind === "bug" && task.labels.includes("seven")],
    [`parentTaskId=${root.id}`, (task) => task.parentTaskId === root.id],
    ["parentTaskId=n1&teamId=b", (task) => task.parentTaskId === root.id && task.teamId === "b"],
    ["assigneeAgentId=ann", (task) => task.assigneeAgentId === "ann"],
    ["externalRef=X-31", (task) => task.externalRef === "X-31"],
    ["externalRef=X-32&includeDropped=true", (task) => task.externalRef === "X-32"],
    ["status=in_progress&status=done", (task) => task.status === "in_progress"],
  ];
  for (const [q, pattern] of texts)
    for (const [filter, keep] of filters) {
      const wanted = all.filter((task) => pattern.test(task.title) && keep(task)).map(({ number }) => number);
      const query = `q=${encodeURIComponent(q)}&${filter}&order=oldest`;
      expect([query, (await walk(board, query, 9)).numbers]).toEqual([query, wanted]);
    }
});

it("a search that examines too much hands back where it stopped, and ends", async () => {
  const board = await newBoard();
  await inside(board, ({ sql }) => {
    fill(sql, { count: 12_000, priority: 1 });
    sql.run("update tasks set title = title || ' zq' where number in (11, 6000)");
    sql.run("update tasks set labels = '[\"odd\"]' where number in (11, 12, 5999)");
  });
  expect(await walk(board, "q=zq", 50)).toEqual({ numbers: [6000, 11], pages: 1 });
  // The two characters that stand in two titles lead; those that stand in all of them do not.
  const dense = await walk(board, "q=sk%20zq&order=oldest", 50);
  expect(dense).toEqual({ numbers: [11, 6000], pages: 1 });
  const filtered = await walk(board, "q=task&label=odd", 50);
  expect(filtered.numbers).toEqual([5999, 12, 11]);
  expect(filtered.pages).toBe(3);
  const short = await walk(board, "q=as&label=odd&order=oldest", 50);
  expect(short.numbers).toEqual([11, 12, 5999]);
  // In more texts than the index is asked about two characters, and in none of the newest: task by task.
  await inside(board, ({ sql }) => sql.run("update tasks set title = title || ' qj' where number <= 1500"));
  const first = ok(await call(board.lead, "GET", `${board.path}/tasks?q=qj`));
  expect([first.tasks, first.hasMore, first.nextCursor]).toEqual([
    [],
    true,
    expect.stringMatching(/^6[89]\d\d$/),
  ]);
  expect((await walk(board, "q=qj", 200)).numbers).toEqual(upTo(1_500).reverse());
  expect(await walk(board, "q=zq&ready=true", 50)).toEqual({ numbers: [6000, 11], pages: 1 });
  expect(await walk(board, "q=task&label=odd&ready=true", 50)).toEqual({ numbers: [5999, 12, 11], pages: 3 });
});

it("a cursor that is no place in the list is refused, one past either end finds what there is", async () => {
  const board = await newBoard();
  await plan(board, [{ title: "lease" }, { title: "lease" }]);
  for (const q of ["lease", "se"]) {
    const at = (cursor: string, more = "") =>
      call(board.lead, "GET", `${board.path}/tasks?q=${q}&cursor=${cursor}${more}`);
    for (const cursor of ["1.5", "-7", "9007199254740991", "two"])
      expect([cursor, (await at(cursor)).status]).toEqual([cursor, 400]);
    for (const [cursor, newest, oldest] of [
      ["0", 0, 2],
      ["1", 0, 1],
      ["2", 1, 0],
      ["999999999999999", 2, 0],
    ] as [string, number, number][]) {
      expect([cursor, ok(await at(cursor)).tasks.length]).toEqual([cursor, newest]);
      expect([cursor, ok(await at(cursor, "&order=oldest")).tasks.length]).toEqual([cursor, oldest]);
    }
  }
});
