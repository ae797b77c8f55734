/** The board as a reader joins it. */
import { expect, it } from "vitest";
import { getSnapshot } from "../../src/board/operations/get-snapshot.ts";
import type { Snapshot } from "../../src/contract/live.ts";
import type { TaskCard } from "../../src/contract/task.ts";
import { TASK_STATUSES } from "../../src/rules/status.ts";
import { call, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { inside } from "../support/inside.ts";
import { follow } from "../support/socket.ts";

async function snapshot(board: TestBoard, query = ""): Promise<Snapshot> {
  return ok(await call(board.lead, "GET", `${board.path}/snapshot${query}`));
}

it("shows each column's newest cards, the true counts, and the seq they are true at", async () => {
  const board = await newBoard();
  const worker = await board.mint("ann");
  const [backlog, blocked, held, gone] = await Promise.all(
    ["backlog", "blocked", "todo", "todo"].map((status) => board.add({ title: status, status })),
  );
  await board.claim(held?.id ?? "", worker);
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${gone?.id}`));
  const seen = await snapshot(board);
  expect(Object.keys(seen.columns)).toEqual([...TASK_STATUSES]);
  expect(seen.counts).toEqual({
    backlog: 1,
    todo: 0,
    in_progress: 1,
    in_review: 0,
    blocked: 1,
    done: 0,
    cancelled: 0,
  });
  const ids = (status: keyof Snapshot["columns"]) => seen.columns[status].tasks.map(({ id }) => id);
  expect([ids("backlog"), ids("blocked"), ids("in_progress"), ids("todo")]).toEqual([
    [backlog?.id],
    [blocked?.id],
    [held?.id],
    [],
  ]);
  expect(seen.seq).toBe(ok(await call(board.lead, "GET", board.path)).seq);
  const { description: _, verification, ...task } = await board.get(held?.id ?? "");
  expect(task).toMatchObject(withoutVerdict(seen.columns.in_progress.tasks[0] as TaskCard));
  expect([verification, seen.columns.in_progress.tasks[0]?.verdict]).toEqual([null, null]);
});

const withoutVerdict = ({ verdict: _, ...card }: TaskCard) => card;

it("what follows its seq on a socket is all that it does not show", async () => {
  const board = await newBoard();
  await board.add({ title: "shown" });
  const { seq } = await snapshot(board);
  await board.add({ title: "told" });
  const follower = await follow(board, `?after=${seq}`);
  await follower.until(() => follower.seqs().length > 0);
  expect(follower.messages[1]).toMatchObject({ events: [{ seq: seq + 1, kind: "task_created" }] });
});

it("a column goes on in the list where its page ends", async () => {
  const board = await newBoard();
  const tasks = Array.from({ length: 25 }, (_, n) => ({ ref: `r${n}`, title: `t${n}` }));
  ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
  const { todo } = (await snapshot(board, "?limit=10")).columns;
  expect([todo.tasks.length, todo.hasMore]).toEqual([10, true]);
  const rest = ok(
    await call(board.lead, "GET", `${board.path}/tasks?status=todo&cursor=${todo.nextCursor}`),
  ).tasks;
  expect([...todo.tasks, ...rest].map(({ number }) => number)).toEqual(
    Array.from({ length: 25 }, (_, n) => 25 - n),
  );
  expect((await snapshot(board)).columns.todo.tasks).toHaveLength(20);
  for (const limit of ["0", "51", "x"])
    refused(await call(board.lead, "GET", `${board.path}/snapshot?limit=${limit}`), 400, "invalid_request");
});

it("weighs less than 200 KB whatever stands on the board, and reads no more rows than it shows", async () => {
  const board = await newBoard();
  const wide = "😀".repeat(500);
  const labels = Array.from({ length: 20 }, (_, n) => "🏷".repeat(60) + n);
  await inside(board, ({ sql }) => {
    for (const status of TASK_STATUSES) fill(sql, { count: 14_300, priority: 1, status });
  });
  const light = await call(board.lead, "GET", `${board.path}/snapshot?limit=50`);
  await inside(board, ({ sql }) => {
    sql.run(
      `update tasks set title = ?1, description = ?3, blocked_reason = ?3, external_ref = ?1 || number,
         team_id = ?1, labels = ?2, required_capabilities = ?2 where number % 14300 > 14250`,
      wide,
      JSON.stringify(labels),
      "r".repeat(20_000),
    );
  });
  const heavy = await call(board.lead, "GET", `${board.path}/snapshot?limit=50`);
  const read = await inside(board, ({ context, costs }) => {
    getSnapshot(context(Date.now()), { limit: 50 });
    return costs.reduce((rows, cost) => rows + cost.rowsRead, 0);
  });
  // Fifty and one of each column; for each that is locked, a look for its lease; counts, seq.
  expect(read).toBeLessThanOrEqual(TASK_STATUSES.length * 51 + 2 * 50 * 2 + 5);
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  expect(ok(light).counts.done).toBe(14_300);
  expect(bytes(light.text)).toBeLessThan(200_000);
  expect(bytes(heavy.text)).toBeLessThan(200_000);
  for (const status of TASK_STATUSES) {
    expect(ok(light).columns[status].tasks.length).toBeGreaterThan(20);
    expect(ok(heavy).columns[status].tasks.length).toBeGreaterThan(0);
  }
});
