import { expect, it } from "vitest";
import type { Task } from "../../src/contract/task.ts";
import { call, events, newBoard, OPERATOR, ok, type TestBoard } from "../support/api.ts";
import { walk } from "./support.ts";

const numbers = (tasks: Task[]) => tasks.map(({ number }) => number);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Tasks made in one transaction, so that they share every time. */
async function plan(board: TestBoard, tasks: object[]): Promise<{ id: string; number: number }[]> {
  const refs = tasks.map((task, index) => ({ ref: `r${index}`, title: `t${index}`, ...task }));
  return ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks: refs }), 201).tasks;
}

it("newest and oldest walk every number once, full page by full page", async () => {
  const board = await newBoard();
  await plan(board, Array(23).fill({}));
  const path = `${board.path}/tasks`;
  for (const limit of [1, 7, 22, 23, 200]) {
    const newest = await walk(board.lead, path, limit);
    expect(numbers(newest.rows)).toEqual(upTo(23).reverse());
    expect(newest.pages).toBe(Math.ceil(23 / limit));
    expect(numbers((await walk(board.lead, `${path}?order=oldest`, limit)).rows)).toEqual(upTo(23));
  }
  expect(numbers((await walk(board.lead, `${path}?order=newest`, 7)).rows)).toEqual(upTo(23).reverse());
});

it("a list shows fifty rows unless asked, and says that there are more", async () => {
  const board = await newBoard();
  await plan(board, Array(120).fill({}));
  for (const query of ["", "?ready=true", "?status=todo"]) {
    const page = ok(await call(board.lead, "GET", `${board.path}/tasks${query}`));
    expect([page.tasks.length, page.hasMore, typeof page.nextCursor]).toEqual([50, true, "string"]);
    expect(page.seq).toBe(121);
  }
  const all = ok(await call(board.lead, "GET", `${board.path}/tasks?limit=120`));
  expect([all.tasks.length, all.hasMore, all.nextCursor]).toEqual([120, false, null]);
  expect(ok(await call(board.lead, "GET", `${board.path}/tasks?limit=200`)).tasks).toHaveLength(120);
});

it("rows that change while a walk goes on are neither lost nor seen twice", async () => {
  const board = await newBoard();
  const made = await plan(board, Array(30).fill({}));
  for (const order of ["newest", "oldest"]) {
    const last = (await walk(board.lead, `${board.path}/tasks`, 200)).rows[0].number;
    const seen = await walk(board.lead, `${board.path}/tasks?order=${order}`, 4, async (page) => {
      const edited = made[(page * 11) % 30] as { id: string };
      ok(
        await call(board.lead, "PATCH", `${board.path}/tasks/${edited.id}`, {
          title: `${order} ${page}`,
          priority: 9,
        }),
      );
      await board.add({ title: "added meanwhile" });
      await call(board.lead, "POST", `${board.path}/claims`, { limit: 1 });
    });
    const old = numbers(seen.rows).filter((number) => number <= last);
    expect(old).toEqual(order === "newest" ? upTo(last).reverse() : upTo(last));
    expect(new Set(numbers(seen.rows)).size).toBe(seen.rows.length);
  }
});

/** A board on which each filter finds something, in combination too. */
async function mixture() {
  const board = await newBoard();
  const root = await board.add({ title: "root" });
  const [ann, ben] = [await board.mint("ann"), await board.mint("ben")];
  const made = await plan(
    board,
    upTo(60).map((n) => ({
      status: ["todo", "backlog", "blocked"][n % 3],
      labels: [...(n % 2 === 0 ? ["even"] : []), ...(n % 5 === 0 ? ["five", "with space"] : [])],
      kind: n % 4 === 0 ? "bug" : "feature",
      teamId: n % 7 === 0 ? "a" : "b",
      externalRef: `X-${n}`,
      priority: n % 10,
      ...(n % 6 < 2 ? { parentTaskId: root.id } : {}),
    })),
  );
  for (const token of [ann, ben]) ok(await call(token, "POST", `${board.path}/claims`, { limit: 5 }));
  for (const { id } of made.slice(0, 12)) ok(await call(board.lead, "DELETE", `${board.path}/tasks/${id}`));
  return { board, root, ann, ben };
}

it("filters combine, and are applied before the list is paged", async () => {
  const { board, root, ann } = await mixture();
  const all: Task[] = (await walk(board.lead, `${board.path}/tasks?includeDropped=true&order=oldest`, 200))
    .rows;
  expect(all).toHaveLength(61);
  const is =
    (...statuses: string[]) =>
    (task: Task) =>
      statuses.includes(task.status);
  const has = (label: string) => (task: Task) => task.labels.includes(label);
  const filters: [string, (task: Task) => boolean][] = [
    ["status=todo", is("todo")],
    ["status=todo&status=blocked", is("todo", "blocked")],
    ["status=blocked&status=todo&status=blocked", is("todo", "blocked")],
    ["status=in_progress", is("in_progress")],
    ["label=even", has("even")],
    ["label=even&label=five", (task) => has("even")(task) && has("five")(task)],
    ["label=with%20space", has("with space")],
    ["label=Even", () => false],
    [`parentTaskId=${root.id}`, (task) => task.parentTaskId === root.id],
    ["assigneeAgentId=ann", (task) => task.assigneeAgentId === "ann"],
    ["mine=true", (task) => task.assigneeAgentId === "ann"],
    ["mine=false", () => true],
    ["externalRef=X-17", (task) => task.externalRef === "X-17"],
    ["externalRef=X-3", (task) => task.externalRef === "X-3"],
    ["kind=bug", (task) => task.kind === "bug"],
    ["teamId=a", (task) => task.teamId === "a"],
    ["tenantId=none", () => false],
  ];
  const pairs = filters.flatMap(([query, keep], index) =>
    filters
      .slice(index + 1)
      .filter(
        ([other]) =>
          other.split("=")[0] !== query.split("=")[0] &&
          !`${query}${other}`.match(/mine.*assignee|assignee.*mine/),
      )
      .map(([other, also]): [string, (task: Task) => boolean] => [
        `${query}&${other}`,
        (task) => keep(task) && also(task),
      ]),
  );
  let found = 0;
  for (const [index, [query, keep]] of [...filters, ...pairs].entries()) {
    const dropped = index % 3 === 0;
    const order = index % 2 === 0 ? "newest" : "oldest";
    const wanted = numbers(all.filter((task) => keep(task) && (dropped || !task.dropped)));
    if (order === "newest") wanted.reverse();
    const path = `${board.path}/tasks?${query}&order=${order}${dropped ? "&includeDropped=true" : ""}`;
    const { rows } = await walk(ann, path, 9);
    expect([path, numbers(rows)]).toEqual([path, wanted]);
    found += rows.length;
  }
  expect(found).toBeGreaterThan(200);
});

it("three rows among three hundred are on the first page of their filter", async () => {
  const board = await newBoard();
  await plan(
    board,
    upTo(300).map((n) => (n % 100 === 1 ? { labels: ["rare"], externalRef: `R-${n}` } : {})),
  );
  for (const query of [
    "label=rare",
    "label=rare&status=todo",
    "label=rare&order=oldest",
    "label=rare&ready=true",
  ]) {
    const page = ok(await call(board.lead, "GET", `${board.path}/tasks?${query}&limit=5`));
    expect([query, numbers(page.tasks).sort((a, b) => a - b), page.hasMore]).toEqual([
      query,
      [1, 101, 201],
      false,
    ]);
  }
});

it("a parent may be named by its number, as everywhere", async () => {
  const board = await newBoard();
  const root = await board.add({ title: "root" });
  const child = await board.add({ title: "child", parentTaskId: `n${root.number}` });
  expect(child.parentTaskId).toBe(root.id);
  const listed = ok(await call(board.lead, "GET", `${board.path}/tasks?parentTaskId=n${root.number}`));
  expect(numbers(listed.tasks)).toEqual([child.number]);
  const worker = await board.mint("agent");
  const claimed = await call(worker, "POST", `${board.path}/claims`, { parentTaskId: `n${root.number}` });
  expect(ok(claimed).claims.map(({ task }: { task: Task }) => task.number)).toEqual([child.number]);
});

/** Walks a list in small pages and in one, and finds the same rows. */
async function pagesAlike(token: string, path: string, count: number): Promise<unknown[]> {
  const whole = await walk(token, path, 200);
  expect([path, whole.rows.length, whole.pages]).toEqual([path, count, 1]);
  for (const limit of [1, 3, count]) {
    const paged = await walk(token, path, limit);
    expect(paged.rows).toEqual(whole.rows);
    expect(paged.pages).toBe(Math.ceil(count / limit));
  }
  return whole.rows;
}

it("comments and runs are paged oldest first", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const [task, other] = [await board.add({ title: "one" }), await board.add({ title: "two" })];
  for (const n of upTo(7))
    for (const { id } of [task, other])
      ok(await call(worker, "POST", `${board.path}/tasks/${id}/comments`, { body: `said ${n}` }), 201);
  for (const _ of upTo(5)) {
    const { lease } = await board.claim(task.id, worker);
    ok(await call(worker, "POST", `${board.path}/tasks/${task.id}/release`, { leaseToken: lease.token }));
  }
  const said = await pagesAlike(board.lead, `${board.path}/tasks/${task.id}/comments`, 7);
  expect(said).toMatchObject(upTo(7).map((n) => ({ body: `said ${n}`, taskId: task.id })));
  const runs = await pagesAlike(board.lead, `${board.path}/tasks/${task.id}/executions`, 5);
  expect(runs).toMatchObject(upTo(5).map((epoch) => ({ epoch })));
});

it("the log is paged both ways, for one task, and by kind, without a gap", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one" });
  for (const n of upTo(4)) {
    await board.add({ title: `other ${n}` });
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${task.id}`, { priority: n }));
    ok(await call(board.lead, "POST", `${board.path}/tasks/${task.id}/comments`, { body: "x" }), 201);
  }
  const path = `${board.path}/events`;
  const all = await events(board);
  expect(all.map(({ seq }) => seq)).toEqual(upTo(14));
  expect(await pagesAlike(board.lead, path, 14)).toEqual(all);
  expect(await pagesAlike(board.lead, `${path}?order=desc`, 14)).toEqual(all.toReversed());
  const ofTask = all.filter(({ taskId }) => taskId === task.id);
  expect(await pagesAlike(board.lead, `${path}?taskId=${task.id}`, 9)).toEqual(ofTask);
  expect(await pagesAlike(board.lead, `${path}?taskId=n1&order=desc`, 9)).toEqual(ofTask.toReversed());
  const edits = all.filter(({ kind }) => kind === "task_edited");
  expect(await pagesAlike(board.lead, `${path}?kind=task_edited`, 4)).toEqual(edits);
  const made = all.filter(({ kind }) => kind === "task_created" || kind === "comment_added");
  expect(await pagesAlike(board.lead, `${path}?kind=task_created&kind=comment_added&order=desc`, 9)).toEqual(
    made.toReversed(),
  );
  expect(await pagesAlike(board.lead, `${path}?kind=comment_added&taskId=n1`, 4)).toHaveLength(4);
  const after = ok(await call(board.lead, "GET", `${path}?after=10&limit=2`));
  expect([after.events.map(({ seq }: { seq: number }) => seq), after.nextCursor]).toEqual([[11, 12], "12"]);
  const beyond = ok(await call(board.lead, "GET", `${path}?after=99`));
  expect(beyond).toEqual({ events: [], hasMore: false, nextCursor: null, seq: 14 });
});

it("audit, tokens and boards are paged to their end", async () => {
  const board = await newBoard();
  for (const n of upTo(6)) await board.mint(`agent-${n}`);
  ok(await call(board.lead, "PATCH", board.path, { paused: true }));
  const audit = await pagesAlike(board.lead, `${board.path}/audit`, 9);
  expect(audit).toMatchObject(
    upTo(9)
      .reverse()
      .map((id) => ({ id })),
  );
  await pagesAlike(board.lead, `${board.path}/audit?kind=token_minted&actor=lead`, 6);
  await pagesAlike(board.lead, `${board.path}/audit?kind=board_changed`, 1);
  const tokens = await pagesAlike(board.lead, `${board.path}/tokens`, 7);
  expect(tokens).toMatchObject(["lead", ...upTo(6).map((n) => `agent-${n}`)].map((agentId) => ({ agentId })));
  const more = await Promise.all(upTo(5).map(() => newBoard()));
  const ids = (await walk(OPERATOR, "/boards", 2)).rows.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort());
  for (const { id } of [board, ...more]) expect(ids).toContain(id);
  expect((await walk(OPERATOR, "/boards", 200)).rows.map(({ id }) => id)).toEqual(ids);
});
