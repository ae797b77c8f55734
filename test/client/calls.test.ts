/** One call of the published client, over a network that breaks, against the real service. */
import { describe, expect, it } from "vitest";
import type { Board, Lease } from "../../src/client/index.ts";
import { Refused, Unreachable } from "../../src/client/index.ts";
import { call, newBoard, OPERATOR, ok } from "../support/api.ts";
import {
  connect,
  type Fault,
  impatient,
  type Network,
  network,
  type Sent,
  TestClock,
} from "../support/network.ts";

/** A board with one task on it, and a client for a lead whose requests meet these faults. */
async function scene(faults: (sent: Sent, n: number) => Fault | null = () => null) {
  const board = await newBoard();
  const task = await board.add({ title: "a" });
  const net = network(faults);
  const client = connect(net, board.lead).board(board.id);
  return { board, task, net, client };
}

/** Only the first request of a call meets this. */
const first = (fault: Fault) => (_sent: Sent, n: number) => (n === 1 ? fault : null);

async function refusal(promise: Promise<unknown>): Promise<Refused> {
  const error = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(Refused);
  return error as Refused;
}

async function unreachable(promise: Promise<unknown>): Promise<Unreachable> {
  const error = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(Unreachable);
  return error as Unreachable;
}

describe("a refusal is final", () => {
  it("a claim that was lost is one request, and says who has the task", async () => {
    const { board, task, net, client } = await scene();
    await board.claim(task.id, await board.mint("ann"));
    const error = await refusal(client.claim(task.id));
    expect(net.sent).toHaveLength(1);
    expect(error).toMatchObject({ status: 409, code: "conflict", message: error.problem.detail });
    if (Refused.is(error, "conflict")) expect(error.problem.holder?.agentId).toBe("ann");
    expect(Refused.is(error, "conflict", "terminal")).toBe(true);
    expect(Refused.is(error, "terminal")).toBe(false);
  });

  it.each<[number, string, (client: Board) => Promise<unknown>]>([
    [400, "invalid_request", (client) => client.tasks.create({ title: "" })],
    [404, "task_not_found", (client) => client.tasks.get("n99")],
    [409, "lease_lost", (client) => client.lease(NO_LEASE).heartbeat()],
    [412, "version_mismatch", (client) => client.tasks.edit("n1", { title: "b" }, { ifVersion: 9 })],
    [422, "parent_not_found", (client) => client.tasks.create({ title: "b", parentTaskId: "n99" })],
  ])("so is a %s, %s", async (status, code, go) => {
    const { net, client } = await scene();
    expect(await refusal(go(client))).toMatchObject({ status, code });
    expect(net.sent).toHaveLength(1);
  });

  it("so is a server that broke, which may break again", async () => {
    const { net, client } = await scene(() => 500);
    expect(await refusal(client.get())).toMatchObject({ code: "internal" });
    expect(net.sent).toHaveLength(1);
  });
});

const NO_LEASE = {
  taskId: "n1",
  executionId: crypto.randomUUID(),
  epoch: 1,
  token: "nobody's",
  ttlMs: 180_000,
  beatEveryMs: 30_000,
};

describe("what comes to nothing is sent again", () => {
  it.each<[string, Fault]>([
    ["a lost request", "no_request"],
    ["a lost reply", "no_reply"],
    ["a 503", 503],
    ["a 429", 429],
  ])("the same after %s: same body, same key, one effect", async (_what, fault) => {
    const { board, net, client } = await scene(first(fault));
    const { task } = await client.tasks.create({ title: "b", priority: 3 });
    const [one, two] = net.sent;
    expect(net.sent).toHaveLength(2);
    expect(two).toMatchObject({ body: one?.body, key: one?.key });
    expect(one?.key).toMatch(/^[0-9a-f]{32}$/);
    const { tasks } = ok(await call(board.lead, "GET", `${board.path}/tasks`));
    expect(tasks.map(({ number }: { number: number }) => number)).toEqual([task.number, 1]);
  });

  it("a claim whose reply is lost is the same lease the second time, and one run in all", async () => {
    const { board, task, net, client } = await scene(first("no_reply"));
    const claim = await client.claimNext();
    const granted = net.sent.map(({ answer }) => answer.claims[0].lease);
    expect(granted).toHaveLength(2);
    expect(granted[1]).toEqual(granted[0]);
    expect(claim?.lease.grant).toMatchObject({ taskId: task.id, epoch: 1, token: granted[0].token });
    const { executions } = ok(await call(board.lead, "GET", `${board.path}/tasks/${task.id}/executions`));
    expect(executions).toHaveLength(1);
  });

  it("two calls never share a key", async () => {
    const { net, client } = await scene();
    await client.tasks.comment("n1", "hm");
    await client.tasks.comment("n1", "hm");
    expect(new Set(net.sent.map(({ key }) => key)).size).toBe(2);
  });

  it("later each time, and not before the server says", async () => {
    const { board } = await scene();
    const clock = impatient();
    const net = network((_sent, n) => (n === 1 ? 503 : n < 5 ? "no_request" : null));
    await connect(net, board.lead, { clock }).board(board.id).get();
    expect(clock.pauses).toEqual([2_000, 750, 1_500, 3_000]);
  });

  it("not at all without a budget: one try, with all the time a try has", async () => {
    const silent: typeof fetch = (_url, init) =>
      new Promise((_resolve, reject) =>
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)),
      );
    const client = connect({ ...network(), fetch: silent }, "token", { budgetMs: 0, timeoutMs: 20 });
    const error = await unreachable(client.board("b").tasks.create({ title: "b" }));
    expect(error.attempts).toBe(1);
    expect(String(error.cause)).toMatch(/no answer within 20(\.\d+)? ms/);
  });

  it("until the budget is spent; then the last cause is told, and that the outcome is unknown", async () => {
    const { board } = await scene();
    const clock = new TestClock();
    clock.pause = async (ms) => {
      clock.time += ms;
    };
    const net = network((_sent, n) => (n < 3 ? "no_request" : 503));
    const retries: number[] = [];
    const client = connect(net, board.lead, { clock, onRetry: ({ waitMs }) => retries.push(waitMs) });
    const started = clock.time;
    const error = await unreachable(client.board(board.id).tasks.create({ title: "b" }));
    expect(error).toMatchObject({ outcome: "unknown", attempts: net.sent.length });
    expect(error.cause).toMatchObject({ code: "board_unavailable" });
    expect(clock.time - started).toBeLessThanOrEqual(30_000);
    expect(retries).toEqual([375, 750, 2_000, 3_000, 6_000, 12_000]);
    expect(await unreachable(client.board(board.id).get())).toMatchObject({ outcome: "nothing_changed" });
  });

  it("not when the caller has enough", async () => {
    const { board } = await scene();
    const stop = new AbortController();
    const net = network(() => "no_request");
    const client = connect(net, board.lead, { onRetry: () => stop.abort(new Error("enough")) });
    await expect(client.board(board.id).get({ signal: stop.signal })).rejects.toThrow("enough");
    expect(net.sent).toHaveLength(1);
  });
});

describe("what would count twice is not", () => {
  it.each<[string, (client: Board) => Promise<unknown>]>([
    ["a beat with usage", (client) => client.lease(NO_LEASE).heartbeat({ usage: { costUsd: 1 } })],
    ["an edit, which is a version of its own", (client) => client.tasks.edit("n1", { title: "b" })],
    [
      "a move with a condition",
      (client) => client.tasks.edit("n1", { status: "backlog" }, { ifChangeSeq: 2 }),
    ],
    ["a request for changes", (client) => client.tasks.requestChanges("n1", "more")],
    ["the end of a board", async (client) => client.delete(await client.id())],
  ])("%s is sent once when nobody knows what became of it", async (_what, go) => {
    for (const fault of ["no_reply", 503] as const) {
      const { net, client } = await scene(() => fault);
      expect(await unreachable(go(client))).toMatchObject({ outcome: "unknown", attempts: 1 });
      expect(net.sent).toHaveLength(1);
    }
  });

  it("it is sent again after a 429, which never reached the board", async () => {
    const { net, client } = await scene(first(429));
    const { task } = await client.tasks.edit("n1", { title: "b" });
    expect([net.sent.length, task.title, task.version]).toEqual([2, "b", 2]);
  });

  it.each<[string, (client: Board) => Promise<unknown>]>([
    ["a move", (client) => client.tasks.edit("n1", { status: "backlog" })],
    ["a drop", (client) => client.tasks.drop("n1")],
    ["an edge", (client) => client.tasks.link("n2", { dependsOnTaskId: "n1" })],
    ["a stop", (client) => client.change({ paused: true })],
  ])("%s is the same the second time, and is sent again", async (_what, go) => {
    const { board, net, client } = await scene(first("no_reply"));
    await board.add({ title: "b" });
    const before = ok(await call(board.lead, "GET", board.path)).seq;
    await go(client);
    expect(net.sent.map(({ status }) => status === null || status < 300)).toEqual([true, true]);
    expect(ok(await call(board.lead, "GET", board.path)).seq).toBe(before + 1);
  });
});

describe("a holder's word", () => {
  const verdict = {
    status: "pass" as const,
    attempts: [
      {
        attempt: 1,
        at: 1,
        deterministic: { command: "npm test", exitCode: 0, passed: true, durationMs: 5 },
        critic: { ran: false },
        status: "pass" as const,
      },
    ],
    updatedAt: 1,
  };

  it.each<[string, (lease: Lease) => Promise<unknown>]>([
    ["a verdict", (lease) => lease.setVerification(verdict)],
    ["a workspace", (lease) => lease.createWorkspace({ repoPath: "/r", branch: "b" })],
    ["a release", (lease) => lease.release({ reason: "enough" })],
    ["a completion", (lease) => lease.complete({ outcome: "succeeded", status: "done", costUsd: 1 })],
    ["a stop from a lead", (lease) => lease.board.tasks.stop("n1", { mode: "drain", reason: "lunch" })],
  ])("%s whose reply is lost is one change on the board", async (_what, say) => {
    const { board, net, client } = await scene(({ call }, n) =>
      n === 1 && !call.endsWith("claim") ? "no_reply" : null,
    );
    const { lease } = await client.claim("n1");
    const before = ok(await call(board.lead, "GET", board.path)).seq;
    await say(lease);
    expect(net.sent.slice(1).map(({ fault }) => fault)).toEqual(["no_reply", null]);
    expect(ok(await call(board.lead, "GET", board.path)).seq).toBe(before + 1);
    expect((await board.get("n1")).costUsd).toBeLessThanOrEqual(1);
  });
});

describe("whoever answers", () => {
  const answering = (...answers: (() => Response)[]): Network => {
    const net = network();
    let n = 0;
    return {
      ...net,
      fetch: (async () => {
        net.sent.push({ call: "", body: null, key: null, fault: null, status: null, answer: null });
        return (answers[n++] ?? answers.at(-1))?.();
      }) as unknown as typeof fetch,
    };
  };
  const page = (status: number) => () => new Response("<h1>hello</h1>", { status });

  it("a page of a proxy is no answer: a passing one is waited out, a lasting one is told", async () => {
    const passing = answering(page(502), page(200), () => Response.json({ boards: [] }));
    expect(await connect(passing, OPERATOR).listBoards()).toEqual({ boards: [] });
    const lasting = answering(page(404));
    const error = await unreachable(connect(lasting, OPERATOR).listBoards());
    expect([error.attempts, String(error.cause)]).toEqual([1, expect.stringContaining("404")]);
  });

  it("a server that does not answer in time is asked again", async () => {
    let n = 0;
    const slow = (async (_url: string, init: RequestInit) => {
      if (++n > 1) return Response.json({ boards: [] });
      return new Promise((_resolve, reject) => {
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    }) as typeof fetch;
    const client = connect(network(), OPERATOR, { fetch: slow, timeoutMs: 20 });
    expect(await client.listBoards()).toEqual({ boards: [] });
    expect(n).toBe(2);
  });
});

describe("a board without a name", () => {
  it("is the token's own, asked for once", async () => {
    const { board, net } = await scene();
    const client = connect(net, board.lead).board();
    await client.get();
    await client.tasks.list({ status: ["todo", "done"], limit: 5, ready: true });
    await client.tasks.get("n1", { include: ["comments", "executions"] });
    expect(net.sent.map((one) => one.call)).toEqual(["GET /me", "GET ", "GET /tasks", "GET /tasks/n1"]);
    expect(net.sent.at(-1)?.answer).toMatchObject({ comments: [], executions: [] });
  });

  it("does not go with a token for every board", async () => {
    const client = connect(network(), OPERATOR).board();
    await expect(client.get()).rejects.toThrow("name one");
  });
});

it("a whole board goes out as a stream, and in again in parts", async () => {
  const { client } = await scene();
  const text = await new Response(await client.export()).text();
  expect(text.trim().split("\n").at(-1)).toContain("end");
  const other = await newBoard();
  const into = connect(network(), other.lead).board(other.id);
  const { id } = await into.beginImport({ format: "edgeboard" });
  await into.putImportPart(id, 1, text);
  expect(await into.commitImport(id)).toMatchObject({ created: 1 });
  expect((await into.import(text, { format: "edgeboard", dryRun: true })).unchanged).toBe(1);
});
