/** The loop of a worker, whole plans of it, over a network that breaks. */
import { describe, expect, it } from "vitest";
import {
  type Ending,
  type Handler,
  Interrupted,
  type Job,
  type WorkOptions,
  work,
} from "../../src/client/index.ts";
import type { Execution } from "../../src/contract/task.ts";
import { call, events, newBoard, ok, type TestBoard } from "../support/api.ts";
import { connect, type Fault, network, type Sent, TestClock } from "../support/network.ts";

async function crew(board: TestBoard, faults: (sent: Sent, n: number) => Fault | null = () => null) {
  const net = network(faults);
  const client = connect(net, await board.mint("ann")).board(board.id);
  return {
    net,
    client,
    drain: (handler: Handler, options: WorkOptions = {}) =>
      work(client, handler, { untilEmpty: true, graceMs: 0, ...options }),
  };
}

const runsOf = async (board: TestBoard, id: string): Promise<Execution[]> =>
  ok(await call(board.lead, "GET", `${board.path}/tasks/${id}/executions`)).executions;

const tally = { succeeded: 0, failed: 0, released: 0, lost: 0, unknown: 0 };

describe("each task", () => {
  it("is done when its handler returns, in the order of the queue", async () => {
    const board = await newBoard();
    const seen: string[] = [];
    for (const [priority, title] of ["low", "middle", "high"].entries()) await board.add({ title, priority });
    const { drain } = await crew(board);
    expect(await drain(({ task }) => void seen.push(task.title))).toEqual({ ...tally, succeeded: 3 });
    expect(seen).toEqual(["high", "middle", "low"]);
    expect(ok(await call(board.lead, "GET", board.path)).counts.done).toBe(3);
  });

  it.each<[string, Ending, object]>([
    ["done, with a summary", { summary: "built" }, { status: "done" }],
    ["in review", { status: "in_review", afterCommit: "abc" }, { status: "in_review" }],
    [
      "failed, for a person",
      { outcome: "failed", status: "blocked", blockedReason: "no key" },
      { status: "blocked" },
    ],
    ["given back", { outcome: "released", reason: "not mine" }, { status: "todo", attemptStreak: 0 }],
  ])("ends as its handler says: %s", async (_how, ending, after) => {
    const board = await newBoard();
    const { id } = await board.add({ title: "a" });
    const { drain } = await crew(board);
    await drain(() => ending, { limit: 1 });
    expect(await board.get(id)).toMatchObject(after);
  });

  it("whose handler throws has failed, with as much of the error as the board takes", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "a" });
    const { drain } = await crew(board);
    const report = await drain(
      () => {
        throw new Error(`${"\0😀".repeat(30_000)} the reason`);
      },
      { limit: 1 },
    );
    const [run] = await runsOf(board, id);
    expect(report).toEqual({ ...tally, failed: 1 });
    expect([run?.status, (await board.get(id)).attemptStreak]).toEqual(["failed", 1]);
    expect(run?.error).toContain("work.test");
    expect(run?.error?.length).toBeGreaterThan(19_000);
  });

  it("that may not be finished as its handler says is an attempt, so that it does not go round for ever", async () => {
    const board = await newBoard({ requireVerification: true, maxAttempts: 1 });
    const { id } = await board.add({ title: "a" });
    const { drain } = await crew(board);
    expect(await drain(() => {})).toEqual({ ...tally, failed: 1 });
    expect(await board.get(id)).toMatchObject({ status: "blocked", blockedReason: "attempt_limit" });
    expect((await runsOf(board, id))[0]?.error).toContain("Refused");
  });

  it("comes with what the last holder left and what its blockers were about", async () => {
    const board = await newBoard();
    const blocker = await board.add({ title: "a" });
    await board.add({ title: "b", dependsOn: [blocker.id] });
    const { drain } = await crew(board);
    const seen: Pick<Job, "handoff" | "blockers">[] = [];
    await drain(
      ({ task, handoff, blockers }) => {
        seen.push({ handoff, blockers });
        if (task.title === "a") return { summary: "parsed" };
        return handoff === undefined ? { outcome: "released", handoff: { next: "test it" } } : {};
      },
      { limit: 3 },
    );
    expect(seen.slice(1)).toMatchObject([
      { handoff: undefined, blockers: [{ summary: "parsed" }] },
      { handoff: { next: "test it" } },
    ]);
  });
});

describe("the loop", () => {
  it("has as many in hand as it may, and no more", async () => {
    const board = await newBoard();
    for (let n = 0; n < 9; n++) await board.add({ title: `t${n}` });
    const { drain } = await crew(board);
    const now = { in: 0, most: 0 };
    await drain(
      async () => {
        now.most = Math.max(now.most, ++now.in);
        await scheduler.wait(30);
        now.in--;
      },
      { concurrency: 3 },
    );
    expect(now).toEqual({ in: 0, most: 3 });
  });

  it("takes what a task sets free as soon as it is done, with every place that idles", async () => {
    const board = await newBoard();
    const first = await board.add({ title: "a" });
    for (const title of ["b", "c"]) await board.add({ title, dependsOn: [first.id] });
    // Nobody's pause is ever over by itself.
    const clock = new TestClock();
    const client = connect(network(), await board.mint("ann"), { clock }).board(board.id);
    const now = { in: 0, most: 0 };
    const handler = async () => {
      now.most = Math.max(now.most, ++now.in);
      await scheduler.wait(100);
      now.in--;
    };
    const report = await work(client, handler, { untilEmpty: true, concurrency: 2 });
    expect([report, now.most]).toEqual([{ ...tally, succeeded: 3 }, 2]);
  });

  it("asks for what it is told to, and stops at a number", async () => {
    const board = await newBoard();
    for (const label of ["ui", "api", "ui", "ui"]) await board.add({ title: label, labels: [label] });
    const { drain } = await crew(board);
    expect(await drain(() => {}, { filter: { labels: ["ui"] }, limit: 2 })).toEqual({
      ...tally,
      succeeded: 2,
    });
    const { tasks } = ok(await call(board.lead, "GET", `${board.path}/tasks?ready=true`));
    expect(tasks.map(({ title }: { title: string }) => title).toSorted()).toEqual(["api", "ui"]);
  });

  it("outlasts a board that cannot be reached, and ends with a token that is no good", async () => {
    const board = await newBoard();
    await board.add({ title: "a" });
    const troubles: unknown[] = [];
    const { client, net, drain } = await crew(board, ({ call }, n) =>
      call.endsWith("claims") && n <= 3 ? "no_request" : null,
    );
    client.server.options.budgetMs = 1;
    expect(await drain(() => {}, { onTrouble: (error) => troubles.push(error) })).toEqual({
      ...tally,
      succeeded: 1,
    });
    expect(troubles).toHaveLength(3);
    client.server.options.token = "nonsense";
    await expect(drain(() => {})).rejects.toMatchObject({ code: "unauthenticated" });
    expect(net.sent.at(-1)?.status).toBe(401);
  });

  it("asks anew where a claim was granted and ran out before its answer was heard", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "a" });
    const { client, net, drain } = await crew(board, ({ call }, n) =>
      call.endsWith("claims") && n === 1 ? "no_reply" : null,
    );
    const { clock } = client.server;
    const { pause } = clock;
    // Between the two tries.
    clock.pause = async () => {
      clock.pause = pause;
      ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { status: "todo", displace: true }));
    };
    expect(await drain(() => {})).toEqual({ ...tally, succeeded: 1 });
    const [first, again, anew] = net.of(/claims$/).map(({ key }) => key);
    expect(again).toBe(first);
    expect(anew).not.toBe(first);
    expect((await runsOf(board, id)).map(({ status }) => status)).toEqual(["cancelled", "succeeded"]);
  });

  it("waits for work at the board, and takes it when it comes", async () => {
    const board = await newBoard();
    const { client, net } = await crew(board);
    const stop = new AbortController();
    const done = work(client, () => stop.abort(), { signal: stop.signal, graceMs: 0 });
    await scheduler.wait(30);
    await board.add({ title: "a" });
    await done;
    expect(net.of(/claims$/)[0]).toMatchObject({ body: { waitMs: 25_000, limit: 1 }, status: 200 });
  });
});

describe("a drain", () => {
  const busy: Handler = ({ signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });

  it("gives back what is in hand, with what the next holder has to know, and claims nothing more", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "a" });
    await board.add({ title: "b" });
    const { client, net } = await crew(board);
    const stop = new AbortController();
    const reasons: unknown[] = [];
    const done = work(
      client,
      (job) => {
        job.leave({ done: ["the parser"], next: "the tests" });
        job.signal.addEventListener("abort", () => void reasons.push(job.signal.reason));
        setTimeout(() => stop.abort(), 1);
        return busy(job);
      },
      { signal: stop.signal },
    );
    expect(await done).toEqual({ ...tally, released: 1 });
    expect(reasons).toMatchObject([{ name: "Interrupted", kind: "drain" }]);
    const [held] = net.of(/claims$/);
    const first = held?.answer.claims[0].task.id as string;
    expect(net.of(/claims$/)).toHaveLength(1);
    expect(await runsOf(board, first)).toMatchObject([
      { status: "released", reason: "drain: The worker stops.", handoff: { next: "the tests" } },
    ]);
    expect((await board.get(first)).attemptStreak).toBe(0);
    expect(await board.get(id)).toMatchObject({ status: "todo" });
  });

  it("gives back what does not heed its signal too, and what that says later goes nowhere", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "a" });
    const { client, net } = await crew(board);
    const stop = new AbortController();
    let late: () => void = () => {};
    const deaf: Handler = () => {
      setTimeout(() => stop.abort(), 1);
      return new Promise<void>((resolve) => {
        late = resolve;
      });
    };
    expect(await work(client, deaf, { signal: stop.signal, graceMs: 1 })).toEqual({ ...tally, released: 1 });
    const sent = net.sent.length;
    late();
    await scheduler.wait(5);
    expect(net.sent).toHaveLength(sent);
    expect(await runsOf(board, id)).toMatchObject([
      { status: "released", handoff: { whyBlocked: expect.stringContaining("drain") } },
    ]);
  });

  it("takes a handler at its word that finished all the same", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "a" });
    const { client } = await crew(board);
    const stop = new AbortController();
    const done = work(
      client,
      async () => {
        stop.abort();
        return { summary: "just in time" };
      },
      { signal: stop.signal, graceMs: 1_000 },
    );
    expect(await done).toEqual({ ...tally, succeeded: 1 });
    expect(await board.get(id)).toMatchObject({ status: "done" });
  });

  it("gives back what was granted to a request it broke off", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "a" });
    const stop = new AbortController();
    const { client, net } = await crew(board);
    const through = net.fetch;
    client.server.options.fetch = (async (url: string, init: RequestInit) => {
      const response = await through(url, init);
      if (!stop.signal.aborted) {
        stop.abort();
        throw new TypeError("broken off");
      }
      return response;
    }) as typeof fetch;
    expect(await work(client, busy, { signal: stop.signal })).toEqual(tally);
    expect(net.sent.map((one) => one.call)).toEqual([
      "POST /claims",
      "POST /claims",
      `POST /tasks/${id}/release`,
    ]);
    expect(await runsOf(board, id)).toMatchObject([{ status: "released" }]);
  });
});

describe("a stop from the board", () => {
  /** A worker with one task in hand, on a clock of the test's own. */
  async function inHand(handler: Handler, ask: (board: TestBoard, id: string) => Promise<unknown>) {
    const board = await newBoard();
    const { id } = await board.add({ title: "a" });
    const clock = new TestClock();
    const net = network();
    const client = connect(net, await board.mint("ann"), { clock }).board(board.id);
    const started = Promise.withResolvers<Job>();
    const working = work(
      client,
      (job) => {
        started.resolve(job);
        return handler(job);
      },
      { limit: 1 },
    );
    const job = await started.promise;
    await ask(board, id);
    await clock.advance(31_000, net.quiet);
    return { board, id, job, net, working, advance: (ms: number) => clock.advance(ms, net.quiet) };
  }

  const untilStopped: Handler = ({ signal }) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve());
    });

  const stop = (mode: string) => async (board: TestBoard, id: string) =>
    ok(await call(board.lead, "POST", `${board.path}/tasks/${id}/stop`, { mode, reason: "wrong way" }));

  it("by a person: the handler is told at once, and the task waits for a person", async () => {
    const { board, id, job, working } = await inHand(untilStopped, stop("cancel"));
    expect(await working).toEqual({ ...tally, released: 1 });
    expect(job.signal.reason).toBeInstanceOf(Interrupted);
    expect(await board.get(id)).toMatchObject({
      status: "blocked",
      blockedReason: "Stopped: wrong way",
      attemptStreak: 0,
    });
  });

  it("to drain: what is in hand may be finished", async () => {
    let finish: () => void = () => {};
    const hold: Handler = () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      });
    const { board, id, job, working } = await inHand(hold, stop("drain"));
    expect(job.signal.aborted).toBe(false);
    finish();
    expect(await working).toEqual({ ...tally, succeeded: 1 });
    expect(await board.get(id)).toMatchObject({ status: "done" });
  });

  it("by taking the task away: the handler is told at once, and nothing is written after", async () => {
    let late: unknown;
    const stubborn: Handler = async (job) => {
      await untilStopped(job);
      late = await job.lease.setVerification({} as never).catch((error: unknown) => error);
      return { summary: "mine all the same" };
    };
    const { board, id, job, net, working, advance } = await inHand(stubborn, async (board, id) =>
      ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { status: "todo", displace: true })),
    );
    expect(await working).toEqual({ ...tally, lost: 1 });
    expect(job.signal.reason).toMatchObject({ name: "LeaseLost", reason: "displaced" });
    expect(late).toBe(job.lease.signal.reason);
    await advance(300_000);
    expect(net.sent.at(-1)).toMatchObject({ call: `POST /tasks/${id}/heartbeat`, status: 409 });
    expect(await board.get(id)).toMatchObject({ status: "todo", epoch: 1 });
    expect((await events(board)).filter(({ kind }) => kind === "execution_completed")).toEqual([]);
  });
});

describe("a last word that does not get through", () => {
  async function cutOff(repaired: number, calls = /complete$|heartbeat$/) {
    const board = await newBoard();
    const { id } = await board.add({ title: "a" });
    const clock = new TestClock();
    const start = clock.time;
    const net = network(({ call }) =>
      clock.time - start < repaired && calls.test(call) ? "no_request" : null,
    );
    const client = connect(net, await board.mint("ann"), { clock }).board(board.id);
    const working = work(client, () => {}, { limit: 1 });
    await net.quiet();
    await clock.advance(300_000, net.quiet);
    return { board, id, net, ended: await working };
  }

  it("is said again while the task can be nobody else's", async () => {
    const { board, id, ended } = await cutOff(100_000);
    expect(ended).toEqual({ ...tally, succeeded: 1 });
    expect(await board.get(id)).toMatchObject({ status: "done", epoch: 1 });
  });

  it("is given up then, and so is the lease: nobody beats for work that is over", async () => {
    const { board, id, net, ended } = await cutOff(171_000);
    expect(ended).toEqual({ ...tally, unknown: 1 });
    expect(net.sent.filter(({ status }) => status !== null).map((one) => one.call)).toEqual(["POST /claims"]);
    expect(await board.get(id)).toMatchObject({ status: "in_progress" });
  });

  it("is given up after a lease's time also where beats do get through, and then those end too", async () => {
    const { net, ended } = await cutOff(Number.POSITIVE_INFINITY, /complete$/);
    expect(ended).toEqual({ ...tally, unknown: 1 });
    const beats = net.of(/heartbeat$/).length;
    expect(beats).toBeGreaterThan(2);
    expect(beats).toBeLessThan(8);
  });
});

describe("over a network that loses one reply in five, and one request in ten", () => {
  it.each([1, 2, 3])("a plan is done, every task once, nothing lost (%i)", async (seed) => {
    const board = await newBoard();
    const tasks = Array.from({ length: 24 }, (_, n) => ({
      ref: `t${n}`,
      title: `t${n}`,
      dependsOn: n < 4 ? [] : [`t${n - 4}`, ...(n % 3 === 0 ? [`t${n - 3}`] : [])],
    }));
    ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
    let state = seed;
    const chance = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const { net, drain } = await crew(board, () => {
      const at = chance();
      return at < 0.2 ? "no_reply" : at < 0.3 ? "no_request" : null;
    });
    const done: string[] = [];
    const report = await drain(
      async ({ task, lease }) => {
        await lease.board.tasks.comment(task.id, "seen");
        done.push(task.id);
      },
      { concurrency: 4 },
    );
    expect(net.sent.filter(({ fault }) => fault !== null).length).toBeGreaterThan(10);
    expect(report).toEqual({ ...tally, succeeded: 24 });
    expect(new Set(done).size).toBe(24);
    expect(done).toHaveLength(24);
    const log = await events(board);
    const count = (kind: string) => log.filter((event) => event.kind === kind).length;
    expect(["task_claimed", "execution_completed", "comment_added"].map(count)).toEqual([24, 24, 24]);
    expect(count("task_released")).toBe(0);
  });
});
