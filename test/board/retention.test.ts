/** How the change log is kept short, and what is told to those who ask for what is gone. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { call, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";

/** Makes the log end at this seq, as a busy board would. */
async function growTo(board: TestBoard, last: number): Promise<void> {
  await inside(board, ({ sql }) => {
    sql.run(
      `insert into events (seq, at, kind, task_id, actor_type, actor_id, epoch, data, tenant_id)
       with recursive more(seq) as (
         select max(seq) + 1 from events union all select seq + 1 from more where seq < ?
       ) select seq, 1, 'board_changed', null, 'board', 'board', null, '{}', null from more`,
      last,
    );
  });
}

async function bounds(board: TestBoard): Promise<{ oldest: number; last: number; events: number }> {
  return inside(board, ({ sql }) => ({
    oldest: sql.number("select min(seq) from events"),
    last: sql.number("select max(seq) from events"),
    events: sql.number("select count(*) from events"),
  }));
}

const armed = (board: TestBoard) =>
  runInDurableObject(board.stub(), (_instance, state) => state.storage.getAlarm());

it("the write that takes the log too far wakes the alarm, which leaves the newest events", async () => {
  const board = await newBoard({ eventRetention: 1_000 });
  await runDurableObjectAlarm(board.stub());
  await growTo(board, 1_099);
  await board.add({ title: "number 1,100" });
  expect(await armed(board)).toBeNull();
  await board.add({ title: "one too many" });
  expect(await armed(board)).not.toBeNull();
  await runDurableObjectAlarm(board.stub());
  expect(await bounds(board)).toEqual({ oldest: 102, last: 1_101, events: 1_000 });
  expect(await armed(board)).toBeNull();
  await board.add({ title: "the next one" });
  expect(await armed(board)).toBeNull();
});

it("a log far too long goes in batches, and a turned setting takes hold at once", async () => {
  const board = await newBoard();
  await growTo(board, 3_500);
  await runDurableObjectAlarm(board.stub());
  expect((await bounds(board)).oldest).toBe(1);
  ok(await call(board.lead, "PATCH", board.path, { settings: { eventRetention: 1_000 } }));
  const left = [];
  while (await runDurableObjectAlarm(board.stub())) left.push((await bounds(board)).events);
  expect(left).toEqual([2_501, 1_501, 1_000]);
});

it("a reader is told where the log begins when it asks for less, and reads on from there", async () => {
  const board = await newBoard({ eventRetention: 1_000 });
  await growTo(board, 1_999);
  await board.add({ title: "number 2,000" });
  while (await runDurableObjectAlarm(board.stub()));
  const oldest = 1_001;
  expect((await bounds(board)).oldest).toBe(oldest);
  const after = (seq: number, more = "") =>
    call(board.lead, "GET", `${board.path}/events?after=${seq}&limit=2${more}`);
  for (const seq of [0, 500, oldest - 2])
    for (const more of ["", "&waitMs=5000", "&kind=task_created"])
      expect(refused(await after(seq, more), 410, "resync")).toMatchObject({ oldestSeq: oldest });
  expect(ok(await after(oldest - 1)).events.map((event: { seq: number }) => event.seq)).toEqual([
    oldest,
    oldest + 1,
  ]);
  const anew = ok(await call(board.lead, "GET", `${board.path}/events?limit=1`));
  expect(anew.events[0].seq).toBe(oldest);
  const back = ok(await call(board.lead, "GET", `${board.path}/events?order=desc&cursor=1003&limit=5`));
  expect([back.events.length, back.hasMore]).toEqual([2, false]);
});
