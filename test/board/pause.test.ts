/** A pause holds back claims and nothing else, and loses none of what waits. */
import { expect, it } from "vitest";
import type { Task } from "../../src/contract/task.ts";
import { call, newBoard, ok, refused } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { inside } from "../support/inside.ts";

it("while a board is paused running work is finished and new work comes in; afterwards all is claimed in order", async () => {
  const board = await newBoard();
  const worker = await board.mint("worker");
  const add = (n: number) => board.add({ title: `t${n}`, priority: n % 3 });
  for (let n = 0; n < 25; n++) await add(n);
  const { claims: running } = ok(await call(worker, "POST", `${board.path}/claims`, { limit: 5 }));
  ok(await call(board.lead, "PATCH", board.path, { paused: true }));
  for (let n = 25; n < 30; n++) await add(n);
  const ready = async (): Promise<Task[]> =>
    ok(await call(worker, "GET", `${board.path}/tasks?ready=true&limit=200`)).tasks;
  const waiting = await ready();
  expect(waiting).toHaveLength(25);
  refused(await call(worker, "POST", `${board.path}/tasks/${waiting[0]?.id}/claim`, {}), 409, "board_paused");
  for (const { task, lease } of running) {
    const path = `${board.path}/tasks/${task.id}`;
    const leaseToken = lease.token;
    ok(await call(worker, "POST", `${path}/heartbeat`, { leaseToken }));
    ok(await call(worker, "POST", `${path}/complete`, { leaseToken, outcome: "succeeded", status: "done" }));
    expect(ok(await call(worker, "POST", `${board.path}/claims`, {}))).toMatchObject({
      claims: [],
      paused: true,
    });
  }
  expect(await ready()).toEqual(waiting);
  ok(await call(board.lead, "PATCH", board.path, { paused: false }));
  const handed: string[] = [];
  for (let ask = 0; ask < 3; ask++)
    for (const { task } of ok(await call(worker, "POST", `${board.path}/claims`, { limit: 10 })).claims)
      handed.push(task.id);
  expect(handed).toEqual(waiting.map(({ id }) => id));
});

it("ten thousand tasks that waited are all on offer after a pause", async () => {
  const board = await newBoard();
  const worker = await board.mint("worker");
  await inside(board, ({ sql }) => fill(sql, { count: 10_000, priority: 1 }));
  for (const paused of [true, false]) ok(await call(board.lead, "PATCH", board.path, { paused }));
  const onOffer = () =>
    inside(board, ({ sql }) =>
      sql.number(
        `select count(*) from tasks indexed by tasks_ready_recent
         where status = 'todo' and dropped = 0 and assignee_agent_id is null and open_deps = 0 and deferred = 0`,
      ),
    );
  expect(await onOffer()).toBe(10_000);
  expect(ok(await call(worker, "POST", `${board.path}/claims`, { limit: 10 })).claims).toHaveLength(10);
  expect(await onOffer()).toBe(9_990);
});
