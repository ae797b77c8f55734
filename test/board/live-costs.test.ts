/** What following may cost a board, whoever follows and whatever is asked for. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { Board } from "../../src/board/board.ts";
import { ITSELF, Runner } from "../../src/board/runner.ts";
import { Sockets } from "../../src/board/sockets.ts";
import { Sql, type StatementCost } from "../../src/board/store/sql.ts";
import { waitForEvents } from "../../src/board/waiting.ts";
import { EVENT_SCAN_MAX, SKIPS_MAX } from "../../src/contract/limits.ts";
import { CLOSE } from "../../src/contract/socket.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { grow } from "../support/grow.ts";
import { inside } from "../support/inside.ts";
import { type Follower, follow, upgrade } from "../support/socket.ts";

const seqOf = async (board: TestBoard): Promise<number> => ok(await call(board.lead, "GET", board.path)).seq;

const light = (count: number) => Array.from({ length: count }, () => 100);

describe("a reader with a filter", () => {
  it("knows that it has caught up, also where nothing that it missed was for it", async () => {
    const board = await newBoard();
    for (const title of ["a", "b"]) await board.add({ title });
    const reader = await follow(board, "?after=0&kind=task_dropped");
    await reader.until(() => reader.messages.length === 2);
    expect(reader.messages[1]).toEqual({ type: "events", seq: await seqOf(board), events: [] });
  });

  it("is told now and then how far it is while nothing is for it, and not for every change", async () => {
    const board = await newBoard();
    const reader = await follow(board, "?kind=task_dropped");
    await board.add({ title: "not for it" });
    await inside(board, ({ sql }) => grow(sql, light(SKIPS_MAX)));
    await board.add({ title: "nor this" });
    await board.add({ title: "nor that" });
    await reader.until(() => reader.messages.length === 2);
    expect(reader.messages.slice(1)).toEqual([{ type: "events", seq: (await seqOf(board)) - 1, events: [] }]);
  });

  it("has a bounded stretch of the log looked at, then says itself when to look on", async () => {
    const board = await newBoard();
    const last = 60_000;
    await inside(board, ({ sql }) => grow(sql, light(last - 2)));
    const task = await board.add({ title: "a" });
    const reader = await follow(board, `?after=0&kind=task_created&taskId=${task.id}`);
    await reader.until(() => reader.messages.length > 4);
    const looked = seqsOf(reader).at(-1) ?? 0;
    expect(looked).toBeGreaterThanOrEqual(EVENT_SCAN_MAX);
    expect(looked).toBeLessThanOrEqual(5 * EVENT_SCAN_MAX);
    for (let given = 0; reader.seqs().length === 0; given++) {
      await reader.until(() => asksIn(reader).length > given || reader.seqs().length > 0);
      for (const seq of asksIn(reader).slice(given)) reader.ack(seq);
    }
    expect(reader.seqs()).toEqual([last]);
  });

  it("may name a kind as often as it likes: that neither grows beside the socket nor harms the board", async () => {
    const board = await newBoard();
    const kinds = Array.from({ length: 1_500 }, () => "kind=task_created").join("&");
    const reader = await follow(board, `?${kinds}`);
    await board.add({ title: "told" });
    await reader.until(() => reader.seqs().length === 1);
  });
});

it("a socket that cannot be told is let go; the write is answered, and the others are told", async () => {
  const board = await newBoard();
  const broken = await follow(board);
  await runInDurableObject(board.stub(), (_board, state) => state.getWebSockets()[0]?.serializeAttachment(1));
  const other = await follow(board);
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  await board.add({ title: "made" });
  await other.until(() => other.seqs().length === 1);
  await broken.until(() => broken.closed !== null);
  expect(broken.closed?.code).toBe(CLOSE.failed);
  expect(said).toHaveBeenCalledOnce();
});

it("readers who come by one after the other cost one reading of the log", async () => {
  const board = await newBoard();
  await inside(board, ({ sql }) => grow(sql, light(2_000)));
  await runInDurableObject(board.stub(), (_board, state) => {
    const costs: StatementCost[] = [];
    const sockets = new Sockets(state, new Sql(state.storage.sql, (cost) => costs.push(cost)));
    const rowsFor = (readers: number) => {
      const before = costs.reduce((rows, { rowsRead }) => rows + rowsRead, 0);
      for (let n = 0; n < readers; n++)
        sockets.accept(
          {
            after: 0,
            filter: { taskId: null, kinds: [], cards: false },
            token: { jti: null, expiresAt: null },
          },
          1,
        );
      return costs.reduce((rows, { rowsRead }) => rows + rowsRead, 0) - before;
    };
    expect(rowsFor(1)).toBeGreaterThan(2_000);
    expect(rowsFor(10)).toBeLessThan(50);
  });
});

describe("cards", () => {
  /** A large board on which somebody ended a task that so many wait for; and what readers of that cost, in rows. */
  async function endedTask(waiting: number) {
    const board = await newBoard();
    const { id } = await board.add({ title: "ended" });
    await inside(board, ({ sql }) => {
      fill(sql, { count: 10_000, priority: 1 });
      sql.run(
        `insert into task_deps (task_id, depends_on_task_id, on_cancel, created_at, tenant_id)
         select id, ?, 'satisfy', 1, null from tasks where number > 1 order by number limit ?`,
        id,
        waiting,
      );
      sql.run("update tasks set open_deps = 1 where id in (select task_id from task_deps)");
    });
    const after = await seqOf(board);
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { status: "cancelled" }));
    const rowsFor = (readers: number, cards: boolean): Promise<number> =>
      runInDurableObject(board.stub(), (_board, state) => {
        const costs: StatementCost[] = [];
        const sockets = new Sockets(state, new Sql(state.storage.sql, (cost) => costs.push(cost)));
        const filter = { taskId: null, kinds: [], cards };
        for (let n = 0; n < readers; n++)
          sockets.accept({ after, filter, token: { jti: null, expiresAt: null } }, 1);
        return costs.reduce((rows, { rowsRead }) => rows + rowsRead, 0);
      });
    return { rowsFor };
  }

  it.each([0, 10, 400])(
    "cost their own rows and little else, on a board of ten thousand: %i",
    async (waiting) => {
      const { rowsFor } = await endedTask(waiting);
      const plain = await rowsFor(1, false);
      const rows = (await rowsFor(1, true)) - plain;
      // For each that waits, its edge, its id, the way to its row, and the row; much the same once for what ended.
      expect(rows).toBe(waiting * 4 + 7);
    },
  );

  it("cost once what a hundred readers of one turn are told", async () => {
    const { rowsFor } = await endedTask(100);
    const [one, hundred] = [await rowsFor(1, true), await rowsFor(100, true)];
    // Where the log begins and ends is asked for each.
    expect(hundred - one).toBeLessThanOrEqual(99 * 2);
  });

  it("cost nobody anything who does not ask for them", async () => {
    const { rowsFor } = await endedTask(400);
    expect(await rowsFor(10, false)).toBeLessThanOrEqual(10 * 2 + 1);
  });
});

it("who comes back is told in one frame what others were told in many", async () => {
  const board = await newBoard();
  const start = await seqOf(board);
  const others = await follow(board);
  for (const title of ["a", "b", "c"]) await board.add({ title });
  await others.until(() => others.seqs().length === 3);
  expect(others.messages).toHaveLength(4);
  const reader = await follow(board, `?after=${start}`);
  await reader.until(() => reader.seqs().length === 3);
  expect(reader.messages).toHaveLength(2);
});

it("a long poll with a filter looks at each event once, however often it is woken", async () => {
  const board = await newBoard();
  await inside(board, ({ sql }) => grow(sql, light(4_000)));
  await runInDurableObject(board.stub(), async (_board, state) => {
    const runner = new Runner(state, {});
    const input = { cursor: 0, order: "asc" as const, taskId: null, cards: false, limit: 10, waitMs: 25_000 };
    const page = waitForEvents(runner, { caller: ITSELF }, { ...input, kinds: ["task_dropped"] });
    const looked = runner.sql.rowsRead;
    for (let changes = 0; changes < 5; changes++) {
      grow(runner.sql, light(1));
      runner.announce(1);
      await scheduler.wait(0);
    }
    expect(looked).toBeGreaterThan(4_000);
    expect(runner.sql.rowsRead - looked).toBeLessThan(100);
    grow(runner.sql, light(1));
    runner.sql.run("update events set kind = 'task_dropped' where seq = (select max(seq) from events)");
    runner.announce(1);
    expect(await page).toMatchObject({ ok: true, value: { events: [{ kind: "task_dropped" }] } });
  });
});

it("what lies unread of a thousand sockets fits into the object, and each is still told everything", async () => {
  const board = await newBoard();
  await inside(board, ({ sql }) => grow(sql, light(10_000)));
  const others: WebSocket[] = [];
  await runInDurableObject(board.stub(), (_board, state) => {
    for (let n = 0; n < 900; n++) {
      const pair = new WebSocketPair();
      state.acceptWebSocket(pair[1]);
      others.push(pair[0]);
    }
  });
  const reader = await follow(board, "?after=0");
  await reader.until(() => asksIn(reader).length === 1);
  expect(JSON.stringify(reader.messages).length).toBeLessThan(100_000);
  const end = await seqOf(board);
  for (let given = 0; reader.seqs().at(-1) !== end; given++) {
    await reader.until(() => asksIn(reader).length > given || reader.seqs().at(-1) === end);
    for (const seq of asksIn(reader).slice(given)) reader.ack(seq);
  }
  expect(reader.seqs()).toHaveLength(end);
});

it("a socket that the board has closed counts no more, though its client never answers", async () => {
  const board = await newBoard();
  const quiet = (await upgrade(board, board.lead)).webSocket as WebSocket;
  quiet.accept({ allowHalfOpen: true });
  quiet.send("nobody understands this");
  await board.add({ title: "a" });
  await runInDurableObject(board.stub(), async (_board, state) => {
    while (state.getWebSockets()[0]?.readyState === WebSocket.OPEN) await scheduler.wait(1);
    for (let others = 0; others < 999; others++) state.acceptWebSocket(new WebSocketPair()[1]);
  });
  expect((await upgrade(board, board.lead)).status).toBe(101);
});

it.each([0, 999, 1004, 1005, 1006, 1015, 5000, 65_535])(
  "a client's close code that may not be sent back is answered all the same: %i",
  async (code) => {
    const board = await newBoard();
    const reader = await follow(board);
    await runInDurableObject(board.stub(), (instance, state) => {
      (instance as unknown as Board).webSocketClose(state.getWebSockets()[0] as WebSocket, code, "bye");
    });
    await reader.until(() => reader.closed !== null);
    expect(reader.closed).toEqual({ code: 1000, reason: "bye" });
  },
);

const seqsOf = ({ messages }: Follower) =>
  messages.flatMap((message) => (message.type === "beats" ? [] : [message.seq]));
const asksIn = ({ messages }: Follower) =>
  messages.flatMap((m) => (m.type === "events" && m.ack === true ? [m.seq] : []));
