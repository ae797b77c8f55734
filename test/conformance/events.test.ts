import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Board,
  call,
  complete,
  type Json,
  newBoard,
  OPERATOR,
  ok,
  refused,
  URL_TESTED,
  until,
} from "./board.ts";

/** A little of everything, and the kinds of events that tells of. */
async function story(board: Board): Promise<string[]> {
  const worker = await board.mint("builder");
  const { id } = await board.add({ title: "x" });
  ok(await board.ask("POST", `/tasks/${id}/comments`, { body: "hello" }), 201);
  const claim = await board.claim(id, worker);
  ok(await call(worker, "POST", `${board.path}/tasks/${id}/heartbeat`, { leaseToken: claim.lease.token }));
  ok(await complete(board, worker, claim));
  return ["token_minted", "task_created", "comment_added", "task_claimed", "execution_completed"];
}

/** A socket, and all it has heard. */
function follow(board: Board, query: string, token = board.lead) {
  const heard: Json[] = [];
  const url = `${URL_TESTED.replace(/^http/, "ws")}/api/v1${board.path}/live${query}`;
  // Node's own takes headers, which the type of browsers does not know.
  const Headed = WebSocket as unknown as new (url: string, options: object) => WebSocket;
  const socket = new Headed(url, { headers: { authorization: `Bearer ${token}` } });
  let closed: number | null = null;
  socket.addEventListener("message", ({ data }) =>
    heard.push(data === "pong" ? data : JSON.parse(String(data))),
  );
  socket.addEventListener("close", ({ code }) => {
    closed = code;
  });
  const events = () => heard.flatMap((message) => (message.type === "events" ? message.events : []));
  return { socket, heard, events, closed: () => closed };
}

test("every change writes one event, beats write none, and the numbers have no gap", async () => {
  const board = await newBoard();
  const from = ok(await board.ask("GET", "")).seq;
  const kinds = await story(board);
  const { events } = ok(await board.ask("GET", `/events?after=${from}`));
  assert.deepEqual(
    events.map(({ kind }: Json) => kind),
    kinds,
  );
  assert.deepEqual(
    events.map(({ seq }: Json) => seq),
    kinds.map((_, n) => from + n + 1),
  );
  assert.equal(ok(await board.ask("GET", "")).seq, events.at(-1).seq);
  const newest = ok(await board.ask("GET", "/events?order=desc&limit=1"));
  assert.deepEqual(newest.events[0], events.at(-1));
});

test("a reader waits for what comes next, and an empty wait ends", async () => {
  const board = await newBoard();
  const { seq } = ok(await board.ask("GET", ""));
  assert.deepEqual(ok(await board.ask("GET", `/events?after=${seq}&waitMs=50`)).events, []);
  const waiting = board.ask("GET", `/events?after=${seq}&waitMs=15000`);
  await board.add({ title: "news" });
  assert.equal(ok(await waiting).events[0].kind, "task_created");
});

test("a reader the log no longer reaches back to is told to begin anew", async () => {
  const board = await newBoard({ eventRetention: 1_000 });
  const many = (n: number) => Array.from({ length: n }, (_, ref) => ({ ref: `${ref}`, title: "x" }));
  for (const count of [1_000, 300]) ok(await board.ask("POST", "/plans", { tasks: many(count) }), 201);
  const cut = await until(
    () => board.ask("GET", "/events?after=0&limit=1"),
    ({ status }) => status === 410,
  );
  const { oldestSeq } = refused(cut, "410 resync");
  const { events } = ok(await board.ask("GET", `/events?after=${oldestSeq - 1}&limit=1`));
  assert.equal(events[0].seq, oldestSeq);
});

test("a socket says where the log stands, tells each change, and goes on after a seq", async () => {
  const board = await newBoard();
  const { seq } = ok(await board.ask("GET", ""));
  const live = follow(board, "");
  await until(
    async () => live.heard,
    ([hello]) => hello !== undefined,
  );
  assert.deepEqual(live.heard[0], { type: "hello", seq });
  live.socket.send("ping");
  const kinds = await story(board);
  await until(
    async () => live.events(),
    ({ length }) => length === kinds.length,
  );
  assert.ok(live.heard.includes("pong"));
  const late = follow(board, `?after=${seq}&kind=task_claimed`);
  await until(
    async () => late.events(),
    ({ length }) => length === 1,
  );
  assert.deepEqual(late.events()[0], live.events()[3]);
  for (const { socket } of [live, late]) socket.close();
});

test("a socket ends with its token", async () => {
  const board = await newBoard();
  const minted = ok(await board.ask("POST", "/tokens", { agentId: "reader", role: "viewer" }), 201);
  const live = follow(board, "", minted.token);
  await until(
    async () => live.heard,
    ({ length }) => length > 0,
  );
  ok(await board.ask("DELETE", `/tokens/${minted.info.id}`), 204);
  await board.add({ title: "unheard" });
  assert.equal(
    await until(
      async () => live.closed(),
      (code) => code !== null,
    ),
    4401,
  );
  assert.ok(!JSON.stringify(live.heard).includes("unheard"));
  refused(await board.ask("GET", "/live"), "426 upgrade_required");
});

test("who used a privilege is on record, page by page and as one file", async () => {
  const board = await newBoard();
  await board.mint("builder");
  const { id } = await board.add({ title: "gone" });
  ok(await board.ask("DELETE", `/tasks/${id}`));
  ok(await board.ask("GET", "/export"));
  const { entries } = ok(await board.ask("GET", "/audit"));
  const kinds = ["export", "task_dropped", "token_minted", "token_minted", "board_created"];
  assert.deepEqual(
    entries.map(({ kind }: Json) => kind),
    kinds,
  );
  const lines = (await board.ask("GET", "/audit/export")).text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(lines.pop(), { type: "end", entries: 5 });
  assert.deepEqual(
    lines.map(({ type: _, ...entry }) => entry),
    entries.toReversed(),
  );
});

test("boards that were made and deleted stay on record with the operator", async () => {
  const board = await newBoard();
  ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
  refused(await call(board.lead, "GET", "/audit"), "403 forbidden");
  const { entries } = ok(await call(OPERATOR, "GET", "/audit?limit=200"));
  const kinds = entries.filter((entry: Json) => entry.board === board.id).map(({ kind }: Json) => kind);
  assert.deepEqual(kinds, ["board_deleted", "board_created"]);
});
