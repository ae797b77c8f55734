/** Beats as they are told to who shows leases: at once, out of memory, and of no consequence where they get lost. */
import { runInDurableObject } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import { Sockets } from "../../src/board/sockets.ts";
import { Sql, type StatementCost } from "../../src/board/store/sql.ts";
import { UNREAD_MAX_CHARS } from "../../src/contract/limits.ts";
import { CLOSE } from "../../src/contract/socket.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { beatsIn, frames } from "../support/cards.ts";
import { backdate } from "../support/inside.ts";
import { follow } from "../support/socket.ts";

interface Held {
  id: string;
  token: string;
  worker: string;
}

async function held(board: TestBoard, agent = "ann"): Promise<Held> {
  const worker = await board.mint(agent);
  const { id } = await board.add({ title: agent });
  const { lease } = await board.claim(id, worker);
  return { id, token: lease.token, worker };
}

const beat = async (board: TestBoard, { id, token, worker }: Held) =>
  ok(await call(worker, "POST", `${board.path}/tasks/${id}/heartbeat`, { leaseToken: token }));

/** Changes what lies beside the board's only socket. */
const beside = (board: TestBoard, change: object) =>
  runInDurableObject(board.stub(), (_board, state) => {
    for (const socket of state.getWebSockets())
      socket.serializeAttachment({ ...socket.deserializeAttachment(), ...change });
  });

/** Until the board's only socket owes no receipt. */
const receiptHeard = (board: TestBoard) =>
  runInDurableObject(board.stub(), async (_board, state) => {
    while (state.getWebSockets()[0]?.deserializeAttachment().asked !== null) await scheduler.wait(1);
  });

it("a beat is told to who asks for cards, with the lease's new end, and to nobody else", async () => {
  const board = await newBoard();
  const task = await held(board);
  const [shows, plain] = [await follow(board, "?cards=true"), await follow(board)];
  const { lease } = await beat(board, task);
  await shows.until(() => beatsIn(shows).length === 1);
  const { heartbeatAt } = await board.get(task.id);
  expect(beatsIn(shows)).toEqual([{ taskId: task.id, epoch: 1, heartbeatAt, expiresAt: lease.expiresAt }]);
  await board.add({ title: "and a change, to both" });
  await plain.until(() => plain.seqs().length === 1);
  expect(plain.messages.map(({ type }) => type)).toEqual(["hello", "events"]);
});

it("who follows one task hears of its beats alone", async () => {
  const board = await newBoard();
  const [ann, bob] = [await held(board, "ann"), await held(board, "bob")];
  const reader = await follow(board, `?cards=true&taskId=${bob.id}`);
  for (const each of [ann, bob]) await beat(board, each);
  await reader.until(() => beatsIn(reader).length > 0);
  expect(beatsIn(reader).map(({ taskId }) => taskId)).toEqual([bob.id]);
});

it("what is beaten for together is told together, without what was refused", async () => {
  const board = await newBoard();
  const worker = await board.mint("ann");
  const tasks = await Promise.all(["a", "b"].map((title) => board.add({ title })));
  const [a, b] = await Promise.all(tasks.map(({ id }) => board.claim(id, worker)));
  const reader = await follow(board, "?cards=true");
  const leases = [
    { taskId: tasks[0]?.id, leaseToken: a.lease.token },
    { taskId: tasks[1]?.id, leaseToken: a.lease.token },
    { taskId: tasks[1]?.id, leaseToken: b.lease.token },
  ];
  const { results } = ok(await call(worker, "POST", `${board.path}/heartbeats`, { leases }));
  expect(results.map((result: { ok: boolean }) => result.ok)).toEqual([true, false, true]);
  await reader.until(() => beatsIn(reader).length > 0);
  expect(reader.messages.filter(({ type }) => type === "beats")).toHaveLength(1);
  expect(beatsIn(reader).map(({ taskId }) => taskId)).toEqual(tasks.map(({ id }) => id));
});

it("telling it reads and writes no row", async () => {
  const board = await newBoard();
  const reader = await follow(board, "?cards=true");
  await runInDurableObject(board.stub(), (_board, state) => {
    const costs: StatementCost[] = [];
    const sockets = new Sockets(state, new Sql(state.storage.sql, (cost) => costs.push(cost)));
    sockets.tellBeats([{ taskId: "a", epoch: 1, heartbeatAt: 1, expiresAt: 2 }], 1);
    expect(costs).toEqual([]);
  });
  await reader.until(() => beatsIn(reader).length === 1);
});

it("who has room no more is told none until it gives a receipt, and is asked for one by nothing but beats too", async () => {
  const board = await newBoard();
  const task = await held(board);
  const reader = await follow(board, "?cards=true");
  await beside(board, { unread: 64_000 });
  await beat(board, task);
  await reader.until(() => reader.messages.length === 3);
  const seq = ok(await call(board.lead, "GET", board.path)).seq;
  expect(reader.messages[2]).toEqual({ type: "events", seq, events: [], ack: true });
  await beside(board, { unread: UNREAD_MAX_CHARS });
  await beat(board, task);
  reader.ack(seq);
  await receiptHeard(board);
  await beat(board, task);
  // The one in between was left out: it would have come before this one.
  await reader.until(() => reader.messages.length > 3);
  expect(reader.messages.map(({ type }) => type)).toEqual(["hello", "beats", "events", "beats"]);
});

it("beats that nobody reads harm no receipt: changes come, and are asked for, as ever", async () => {
  const board = await newBoard();
  const task = await held(board);
  const reader = await follow(board, "?cards=true");
  await beside(board, { unread: UNREAD_MAX_CHARS });
  for (let n = 0; n < 3; n++) await beat(board, task);
  await board.add({ title: "told all the same" });
  await reader.until(() => reader.seqs().length === 1);
  const last = reader.messages.at(-1);
  expect(last).toMatchObject({ ack: true });
  reader.ack(reader.seqs()[0] as number);
  await board.add({ title: "and on" });
  await reader.until(() => reader.seqs().length === 2);
  expect(beatsIn(reader)).toEqual([]);
});

it("a socket that cannot be told is let go, and the beat is answered", async () => {
  const board = await newBoard();
  const task = await held(board);
  const broken = await follow(board, "?cards=true");
  await runInDurableObject(board.stub(), (_board, state) => state.getWebSockets()[0]?.serializeAttachment(1));
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  await beat(board, task);
  await broken.until(() => broken.closed !== null);
  expect([broken.closed?.code, said.mock.calls.length]).toEqual([CLOSE.failed, 1]);
});

it("nobody is told with a token that has expired", async () => {
  const board = await newBoard();
  const task = await held(board);
  const reader = await follow(board, "?cards=true");
  await beside(board, { token: { jti: null, expiresAt: 1 } });
  await beat(board, task);
  await reader.until(() => reader.closed !== null);
  expect([reader.closed?.code, beatsIn(reader)]).toEqual([CLOSE.token, []]);
});

it("who joins after a beat sees the lease as it stands, though others had the same frame before", async () => {
  const board = await newBoard();
  const start = ok(await call(board.lead, "GET", board.path)).seq;
  const task = await held(board);
  const joined = async () => {
    const reader = await follow(board, `?cards=true&after=${start}`);
    await reader.until(() => frames(reader).length === 1);
    return frames(reader)[0]?.cards[0]?.lease?.expiresAt ?? 0;
  };
  await backdate(board, task.id, 1_000);
  const before = await joined();
  const { lease } = await beat(board, task);
  expect(lease.expiresAt).toBeGreaterThan(before);
  expect(await joined()).toBe(lease.expiresAt);
});
