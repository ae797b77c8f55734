/** What a board lets in while many ask. Its clock stands still here: what is over is over until the test says so. */
import { decodeJwt } from "jose";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { BoardStub } from "../../src/board/stub.ts";
import * as limits from "../../src/contract/limits.ts";
import type { Caller } from "../../src/contract/roles.ts";
import { call, newBoard, OPERATOR, ok, type Reply, refused, type TestBoard } from "../support/api.ts";
import { LEAD } from "../support/inside.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** A caller without a share of its own: many at once look like it to a board. */
const CROWD: Caller = { ...LEAD, sub: "operator", role: "operator" };

/** Whose token it is, as the Worker tells the board. */
function callerOf(token: string): Caller {
  const { sub, role, jti, inc } = decodeJwt<{ role: Caller["role"]; inc: string }>(token);
  return { ...LEAD, sub: String(sub), role, jti: String(jti), inc };
}

/** So many reads straight at the board, as they come in through any number of edges; how each was answered. */
async function ask(board: TestBoard, caller: Caller, calls: number): Promise<(string | null)[]> {
  const stub = board.stub() as unknown as BoardStub;
  const answers: (string | null)[] = [];
  while (answers.length < calls) {
    const batch = Array.from({ length: Math.min(100, calls - answers.length) }, () =>
      stub.describeBoard({ caller }, undefined),
    );
    for (const reply of await Promise.all(batch)) answers.push(reply.ok ? null : reply.reason);
  }
  return answers;
}

function plan(board: TestBoard): Promise<Reply> {
  const tasks = Array.from({ length: 1_000 }, (_, index) => ({ ref: `t${index}`, title: `t${index}` }));
  return call(OPERATOR, "POST", `${board.path}/plans`, { tasks });
}

it("a token that floods a board is told when to come again, while another one is served", async () => {
  const board = await newBoard();
  const [loud, quiet] = [await board.mint("loud"), await board.mint("quiet")];
  const answers = await ask(board, callerOf(loud), 1_000);
  const letIn = answers.filter((reason) => reason === null).length;
  expect(letIn).toBe(limits.TOKEN_CALLS_MAX);
  expect(answers.slice(letIn).every((reason) => reason === "rate_limited")).toBe(true);
  const reply = await call(loud, "GET", `${board.path}/tasks`);
  expect(refused(reply, 429, "rate_limited")).toMatchObject({ retryable: true, retryAfterMs: 17 });
  expect(reply.headers.get("retry-after")).toBe("1");
  ok(await call(quiet, "GET", `${board.path}/tasks`));
  later(1_000);
  expect((await ask(board, callerOf(loud), 100)).filter((reason) => reason === null)).toHaveLength(
    limits.TOKEN_CALLS_PER_S,
  );
});

it("a write that a token sends beyond its share changes nothing and is taken when it comes again", async () => {
  const board = await newBoard();
  const { seq } = ok(await call(OPERATOR, "GET", board.path));
  await ask(board, callerOf(board.lead), limits.TOKEN_CALLS_MAX);
  const send = () =>
    call(board.lead, "POST", `${board.path}/tasks`, { title: "one" }, { "idempotency-key": "k" });
  refused(await send(), 429, "rate_limited");
  expect(ok(await call(OPERATOR, "GET", board.path)).seq).toBe(seq);
  later(1_000);
  ok(await send(), 201);
});

it("of a thousand requests at once, five hundred of them writes, each write that was answered is there", async () => {
  const board = await newBoard();
  const other = await board.mint("other");
  await ask(board, callerOf(board.lead), 500);
  const replies: Reply[] = [];
  while (replies.length < 500) {
    const write = () => call(board.lead, "POST", `${board.path}/tasks`, { title: `t${replies.length}` });
    replies.push(...(await Promise.all(Array.from({ length: 50 }, write))));
  }
  const made = replies.filter(({ status }) => status === 201);
  for (const reply of replies.filter(({ status }) => status !== 201)) refused(reply, 429, "rate_limited");
  // Minting the other token was one of the calls.
  expect(made).toHaveLength(limits.TOKEN_CALLS_MAX - 501);
  expect(ok(await call(other, "GET", board.path)).counts.todo).toBe(made.length);
});

it("a board with too much to do turns reads away first, then writes, and hears its holders to the end", async () => {
  const board = await newBoard();
  const worker = await board.mint("worker");
  const task = await board.add({ title: "one" });
  const { lease } = await board.claim(task.id, worker);
  const read = () => call(OPERATOR, "GET", board.path);
  const write = () => call(board.lead, "POST", `${board.path}/tasks`, { title: "more" });
  const beat = () =>
    call(worker, "POST", `${board.path}/tasks/${task.id}/heartbeat`, { leaseToken: lease.token });

  await ask(board, CROWD, limits.LOAD_READS_MAX);
  const turnedAway = await read();
  expect(refused(turnedAway, 503, "board_overloaded")).toMatchObject({ outcome: "nothing_changed" });
  expect(turnedAway.headers.get("retry-after")).toMatch(/^[1-9]/);
  ok(await write(), 201);
  ok(await beat());

  // A plan of a thousand costs as much as some ninety calls.
  let plans = 0;
  let reply = await plan(board);
  for (; reply.status === 201; reply = await plan(board)) plans++;
  refused(reply, 503, "board_overloaded");
  expect(plans).toBeGreaterThan(5);
  expect(plans).toBeLessThan(20);
  ok(await beat());
  const word = { leaseToken: lease.token, outcome: "succeeded", status: "done" };
  ok(await call(worker, "POST", `${board.path}/tasks/${task.id}/complete`, word));

  later(3_000);
  expect(ok(await read()).counts).toMatchObject({ todo: 1 + plans * 1_000, done: 1 });
});

it("what a call costs counts, too: a plan of a thousand tasks leaves room for fewer calls beside it", async () => {
  const board = await newBoard();
  ok(await plan(board), 201);
  const letIn = (await ask(board, CROWD, limits.LOAD_READS_MAX)).filter((reason) => reason === null).length;
  // 8,001 rows written and 7,006 read: as much as some ninety calls.
  expect(letIn).toBeGreaterThan(limits.LOAD_READS_MAX - 120);
  expect(letIn).toBeLessThan(limits.LOAD_READS_MAX - 80);
});
