/** What keeps a slow reader from being drowned, and from holding anything up: receipts. */
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { CLOSE } from "../../src/contract/socket.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { grow } from "../support/grow.ts";
import { inside } from "../support/inside.ts";
import { type Follower, follow } from "../support/socket.ts";

/** About three megabytes of events. */
async function fillLog(board: TestBoard): Promise<number> {
  const tasks = Array.from({ length: 150 }, (_, n) => ({
    ref: `r${n}`,
    title: `t${n}`,
    description: "x".repeat(20_000),
  }));
  ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
  return ok(await call(board.lead, "GET", board.path)).seq;
}

const charsOf = (follower: Follower) => JSON.stringify(follower.messages).length;
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const asksIn = (follower: Follower) =>
  follower.messages.flatMap((m) => (m.type === "events" && m.ack === true ? [m.seq] : []));

it("a reader that gives its receipts is told everything, however much it missed", async () => {
  const board = await newBoard();
  const end = await fillLog(board);
  const reader = await follow(board, "?after=0");
  for (let given = 0; reader.seqs().at(-1) !== end; given++) {
    await reader.until(() => asksIn(reader).length > given || reader.seqs().at(-1) === end);
    for (const seq of asksIn(reader).slice(given)) reader.ack(seq);
  }
  expect(reader.seqs()).toEqual(upTo(end));
});

it("one that gives none is sent a bounded amount, then let go, and misses nothing when it comes back", async () => {
  const board = await newBoard();
  const end = await fillLog(board);
  const reader = await follow(board, "?after=0");
  await reader.until(() => reader.seqs().length > 40);
  const held = charsOf(reader);
  expect(held).toBeGreaterThan(1_000_000);
  expect(held).toBeLessThan(1_400_000);
  const task = await board.add({ title: "the next change finds it still reading" });
  expect([charsOf(reader), reader.closed]).toEqual([held, null]);
  await runInDurableObject(board.stub(), (_board, state) => {
    for (const socket of state.getWebSockets()) {
      const reading = socket.deserializeAttachment();
      socket.serializeAttachment({
        ...reading,
        asked: { ...reading.asked, at: reading.asked.at - 30_001 },
      });
    }
  });
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/${task.id}`, { title: "one change too many" }));
  await reader.until(() => reader.closed !== null);
  expect(reader.closed?.code).toBe(CLOSE.slow);
  const told = reader.seqs().at(-1) as number;
  const back = await follow(board, `?after=${told}`);
  for (let given = 0; back.seqs().at(-1) !== end + 2; given++) {
    await back.until(() => asksIn(back).length > given || back.seqs().at(-1) === end + 2);
    for (const seq of asksIn(back).slice(given)) back.ack(seq);
  }
  expect([...reader.seqs(), ...back.seqs()]).toEqual(upTo(end + 2));
});

it("a slow reader delays nobody", async () => {
  const board = await newBoard();
  const end = await fillLog(board);
  const slow = await follow(board, "?after=0");
  const quick = await follow(board);
  await slow.until(() => slow.seqs().length > 40);
  await board.add({ title: "news" });
  await quick.until(() => quick.seqs().length === 1);
  expect([quick.seqs(), slow.seqs().at(-1) === end + 1]).toEqual([[end + 1], false]);
});

it("a receipt given early, or twice, does no harm", async () => {
  const board = await newBoard();
  const reader = await follow(board);
  for (const seq of [0, 999, 999]) reader.ack(seq);
  await board.add({ title: "news" });
  await reader.until(() => reader.seqs().length === 1);
  expect(reader.closed).toBeNull();
});

it("one that reads on after a window that filled up in large frames is asked again, and never left waiting", async () => {
  const board = await newBoard();
  const reader = await follow(board);
  await board.add({ title: "light" });
  await inside(board, ({ sql }) => grow(sql, [70_000, ...Array.from({ length: 8 }, () => 250_000)]));
  await board.add({ title: "and everything before it" });
  const end = ok(await call(board.lead, "GET", board.path)).seq;
  for (let given = 0; reader.seqs().at(-1) !== end; given++) {
    await reader.until(() => asksIn(reader).length > given || reader.seqs().at(-1) === end);
    for (const seq of asksIn(reader).slice(given)) reader.ack(seq);
  }
  expect(reader.seqs()).toEqual(upTo(end).slice(1));
});

it("one that is told to read anew is asked no receipt for that, and goes on", async () => {
  const board = await newBoard();
  const reader = await follow(board);
  await inside(board, ({ sql }) => grow(sql, [10, 10, 10]));
  await runInDurableObject(board.stub(), (_board, state) => {
    const [socket] = state.getWebSockets();
    socket?.serializeAttachment({ ...socket.deserializeAttachment(), unread: 70_000 });
    state.storage.sql.exec("delete from events where seq < 4");
  });
  await board.add({ title: "finds it behind the log's begin" });
  await reader.until(() => reader.messages.length === 2);
  expect(reader.messages[1]).toEqual({ type: "resync", seq: 5 });
  await board.add({ title: "next" });
  await reader.until(() => reader.messages.length === 3);
  expect(reader.messages[2]).toMatchObject({ seq: 6, ack: true });
});
