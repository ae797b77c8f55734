/** One line for each request, whatever comes of it; and what must never stand in one. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BODY_MAX_BYTES } from "../../src/contract/limits.ts";
import { BASE } from "../../src/contract/route.ts";
import { app } from "../../src/http/app.ts";
import { ask, post } from "../mcp/client.ts";
import { call, newBoard, OPERATOR, ok, type Reply, type TestBoard } from "../support/api.ts";
import { backdate } from "../support/inside.ts";
import { type Listening, listen } from "../support/lines.ts";
import { upgrade } from "../support/socket.ts";
import { keyed, send } from "./support.ts";
import { LONG, waiting } from "./waiting.ts";

const B = `${BASE}/boards/:board`;
const tagOf = (board: TestBoard) => createHash("sha256").update(board.id).digest("hex").slice(0, 12);

let board: TestBoard;
let log: Listening;

beforeEach(async () => {
  board = await newBoard();
  log = listen();
});

afterEach(() => void vi.restoreAllMocks());

/** The line of the one request since the last look: all of it, but what cannot be known beforehand. */
function line() {
  const lines = log.requests();
  expect(lines).toHaveLength(1);
  const [{ requestId, ms, ...rest }] = lines;
  expect(requestId).toMatch(/^[\w-]+$/);
  expect(ms).toBeGreaterThanOrEqual(0);
  return rest;
}

const about = (fields: object) => ({
  message: "request",
  method: "GET",
  route: B,
  board: tagOf(board),
  role: "lead",
  status: 200,
  code: null,
  rowsRead: 0,
  rowsWritten: 0,
  ...fields,
});

/** The same Worker, deployed with something else in place of what it is bound to. */
async function within(bindings: object, path: string, init: RequestInit = {}): Promise<void> {
  const headers = { authorization: `Bearer ${board.lead}`, ...init.headers };
  const request = new Request(`https://edgeboard.test${BASE}${path}`, { ...init, headers });
  await (await app.fetch(request, { ...env, ...bindings })).text();
}

const rows = { rowsRead: expect.any(Number), rowsWritten: expect.any(Number) };

describe("what is answered", () => {
  it("is told with its pattern, the board's tag, the role and the rows the board counted", async () => {
    const worker = await board.mint("agent");
    log.requests();
    ok(await call(worker, "GET", `${board.path}/tasks?q=parser&limit=5`));
    const read = line();
    expect(read).toEqual(about({ route: `${B}/tasks`, role: "worker", ...rows }));
    expect(read.rowsRead).toBeGreaterThan(0);
    const { task } = ok(await call(board.lead, "POST", `${board.path}/tasks`, { title: "one" }), 201);
    const made = line();
    expect(made).toEqual(about({ method: "POST", route: `${B}/tasks`, status: 201, ...rows }));
    expect(made.rowsWritten).toBeGreaterThan(3);
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${task.id}`));
    expect(line()).toEqual(about({ method: "DELETE", route: `${B}/tasks/:id`, ...rows }));
  });

  it("says whether it is a repeat, and what that cost", async () => {
    ok(await keyed(board.lead, `${board.path}/tasks`, "k", { title: "one" }), 201);
    const first = line();
    expect(first).not.toHaveProperty("replayed");
    ok(await keyed(board.lead, `${board.path}/tasks`, "k", { title: "one" }), 201);
    const again = line();
    expect(again).toEqual({ ...first, ...rows, replayed: true });
    expect(again.rowsWritten).toBe(0);
  });

  it("counts the making of a board, which has no tag yet, and its repeat", async () => {
    const make = () => keyed(OPERATOR, "/boards", `key-${board.id}`, { name: "New" });
    ok(await make(), 201);
    const made = line();
    const boards = { method: "POST", route: `${BASE}/boards`, board: null, role: "operator", status: 201 };
    expect(made).toEqual(about({ ...boards, ...rows }));
    expect(made.rowsWritten).toBeGreaterThan(10);
    ok(await make(), 201);
    expect(line()).toEqual(about({ ...boards, ...rows, replayed: true }));
  });

  it("names the board a token is for where the path does not", async () => {
    ok(await call(board.lead, "GET", "/me"));
    expect(line()).toEqual(about({ route: `${BASE}/me`, ...rows }));
    ok(await call(null, "POST", "/session", { token: board.lead }));
    expect(line()).toEqual(
      about({ method: "POST", route: `${BASE}/session`, board: null, role: null, ...rows }),
    );
  });

  it("is one line for a socket and one for a stream, with what opening them read", async () => {
    const { webSocket } = await upgrade(board, board.lead);
    const socket = line();
    expect(socket).toEqual(about({ route: `${B}/live`, status: 101, ...rows }));
    expect(socket.rowsRead).toBeGreaterThan(0);
    webSocket?.accept();
    webSocket?.close();
    ok({ ...(await call(board.lead, "GET", `${board.path}/export`)), json: null });
    const stream = line();
    expect(stream).toEqual(about({ route: `${B}/export`, ...rows }));
    expect(stream.rowsRead).toBeGreaterThan(0);
  });

  it("sums what a request that waits reads each time it looks", async () => {
    ok(await call(board.lead, "GET", `${board.path}/events?after=0`));
    const alone = line().rowsRead;
    const { seq } = ok(await call(board.lead, "GET", board.path));
    const [answer] = await waiting(() => [
      call(board.lead, "GET", `${board.path}/events?after=${seq}&waitMs=${LONG}`),
    ]);
    await board.add({ title: "news" });
    expect(ok((await answer) as Reply).events).toHaveLength(1);
    const looked = log.requests().filter(({ route }) => route === `${B}/events`);
    expect(looked).toHaveLength(1);
    expect(looked[0].rowsRead).toBeGreaterThan(alone);
  });

  it("is told without a board where there is none", async () => {
    await send("/healthz", {}, "");
    expect(line()).toEqual(about({ route: "/healthz", board: null, role: null }));
  });
});

describe("what is refused", () => {
  it("by the board has its code, and rows", async () => {
    const task = await board.add({ title: "one" });
    await board.claim(task.id, board.lead);
    log.requests();
    await call(board.lead, "POST", `${board.path}/tasks/${task.id}/claim`, {});
    const refused = line();
    expect(refused).toEqual(
      about({ method: "POST", route: `${B}/tasks/:id/claim`, status: 409, code: "conflict", ...rows }),
    );
    expect([refused.rowsRead > 0, refused.rowsWritten]).toEqual([true, 0]);
  });

  it("before the board has no rows", async () => {
    const viewer = await board.mint("eyes", "viewer");
    const other = await newBoard();
    log.requests();
    const tasks = { method: "POST", route: `${B}/tasks` };
    const none = { limit: async () => ({ success: false }) };
    const large = `{"title":"${"x".repeat(BODY_MAX_BYTES)}"}`;
    const address = { "cf-connecting-ip": "192.0.2.7" };
    const kinds: [() => Promise<unknown>, object][] = [
      [() => call(null, "GET", board.path), { role: null, status: 401, code: "unauthenticated" }],
      [() => call(other.lead, "GET", board.path), { status: 404, code: "board_not_found" }],
      [
        () => call(viewer, "POST", `${board.path}/tasks`, { title: "x" }),
        { ...tasks, role: "viewer", status: 403, code: "forbidden" },
      ],
      [
        () => call(board.lead, "POST", `${board.path}/tasks`, { no: 1 }),
        { ...tasks, status: 400, code: "invalid_request" },
      ],
      [
        () => call(board.lead, "POST", `${board.path}/tasks`, large),
        { ...tasks, status: 413, code: "body_too_large" },
      ],
      [
        () => call(board.lead, "PUT", `${board.path}/tasks`),
        { ...tasks, method: "PUT", board: tagOf(board), role: null, status: 405, code: "method_not_allowed" },
      ],
      [
        () => call(board.lead, "GET", `${board.path}/nothing/at/all`),
        { route: null, board: null, role: null, status: 404, code: "route_not_found" },
      ],
      [() => within({ TOKEN_LIMIT: none }, board.path), { status: 429, code: "rate_limited" }],
      [
        () => within({ ADDRESS_LIMIT: none }, board.path, { headers: address }),
        { board: null, role: null, status: 429, code: "rate_limited" },
      ],
    ];
    for (const [ask, fields] of kinds) {
      await ask();
      expect(line()).toEqual(about(fields));
    }
  });

  it.each([
    ["a bug of ours", {}, 500, "internal"],
    ["a board with too much to do", { overloaded: true }, 503, "board_overloaded"],
  ])("because of %s says that nobody knows the rows", async (_, marks, status, code) => {
    const broken = async () => Promise.reject(Object.assign(new Error("secret"), marks));
    const BOARDS = { getByName: () => new Proxy({}, { get: () => broken }) };
    await within({ BOARDS }, board.path);
    expect(line()).toEqual(about({ status, code, rowsRead: null, rowsWritten: null }));
  });
});

describe("over MCP", () => {
  const mcp = { method: "POST", route: "/mcp" };

  it("the tool is named, and its refusal has a code though its answer is a 200", async () => {
    const task = await board.add({ title: "one" });
    log.requests();
    const claim = (args = {}) => ask(board.lead, "tools/call", { name: "claim_task", arguments: args });
    await claim({ task_id: task.id });
    const claimed = line();
    expect(claimed).toEqual(about({ ...mcp, tool: "claim_task", ...rows }));
    expect(claimed.rowsWritten).toBeGreaterThan(3);
    await claim({ task_id: task.id });
    expect(line()).toEqual(about({ ...mcp, tool: "claim_task", code: "conflict", ...rows }));
    await claim({ nonsense: true });
    expect(line()).toEqual(about({ ...mcp, tool: "claim_task", code: "invalid_request" }));
  });

  it("what calls no tool of ours names none, and a repeat is told as one", async () => {
    await ask(board.lead, "tools/list");
    expect(line()).toEqual(about(mcp));
    await ask(board.lead, "tools/call", { name: "own-words", arguments: {} });
    expect(line()).toEqual(about({ ...mcp, status: expect.any(Number) }));
    await post(null, {});
    expect(line()).toEqual(about({ ...mcp, board: null, role: null, status: 401, code: "unauthenticated" }));
    const create = () =>
      ask(board.lead, "tools/call", { name: "create_task", arguments: { title: "x", client_key: "k" } });
    await create();
    expect(line()).not.toHaveProperty("replayed");
    await create();
    expect(line()).toEqual(about({ ...mcp, tool: "create_task", replayed: true, ...rows }));
  });
});

it("an alarm that did something writes what, and what it cost; one that did not writes nothing", async () => {
  const task = await board.add({ title: "one" });
  await board.claim(task.id, board.lead);
  await runDurableObjectAlarm(board.stub());
  expect(log.of("alarm")).toEqual([]);
  await backdate(board, task.id, 200_000);
  await runDurableObjectAlarm(board.stub());
  const [swept, ...more] = log.of("alarm");
  expect(more).toEqual([]);
  expect(swept).toEqual({
    message: "alarm",
    board: tagOf(board),
    swept: 1,
    promoted: 0,
    eventsTrimmed: 0,
    repliesTrimmed: 0,
    importsForgotten: 0,
    deliveriesForgotten: 0,
    tailsEmptied: 0,
    tokensForgotten: 0,
    deliveriesBegun: 0,
    ...rows,
  });
  expect(swept.rowsWritten).toBeGreaterThan(0);
});

it("no answer shows what it cost", async () => {
  const task = await board.add({ title: "one" });
  const answers = [
    await call(board.lead, "GET", board.path),
    await call(board.lead, "GET", `${board.path}/tasks/${task.id}`),
    await call(board.lead, "GET", `${board.path}/tasks/n99`),
    await call(board.lead, "POST", `${board.path}/claims`, {}),
    await call(board.lead, "GET", `${board.path}/events?after=0`),
  ];
  for (const { text } of answers) expect(text).not.toMatch(/rowsRead|"cost":/);
  const { headers } = await exports.default.fetch(`https://edgeboard.test${BASE}${board.path}/live`, {
    headers: { authorization: `Bearer ${board.lead}`, upgrade: "websocket" },
  });
  expect(headers.get("edgeboard-cost")).toBeNull();
});
