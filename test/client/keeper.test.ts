/** A lease that keeps itself, over a network that breaks, with a clock that moves when the test says so. */
import { describe, expect, it } from "vitest";
import type { Directive, KeepOptions, LeaseLost } from "../../src/client/index.ts";
import { call, newBoard, ok } from "../support/api.ts";
import { connect, type Fault, network, type Sent, TestClock } from "../support/network.ts";

const SECOND = 1_000;

async function scene(faults: (sent: Sent, n: number) => Fault | null = () => null, keep: KeepOptions = {}) {
  const board = await newBoard();
  const task = await board.add({ title: "a" });
  const clock = new TestClock();
  const net = network(faults);
  const client = connect(net, await board.mint("ann", "verifier"), { clock }).board(board.id);
  const claim = await client.claim(task.id);
  const doubts: number[] = [];
  const directives: Directive[] = [];
  const keeper = claim.lease.keep({
    onDoubt: (_error, failures) => doubts.push(failures),
    onDirective: (directive) => directives.push(directive),
    ...keep,
  });
  const path = `${board.path}/tasks/${task.id}`;
  return {
    ...{ board, task, clock, net, keeper, lease: claim.lease, doubts, directives },
    advance: (ms: number) => clock.advance(ms, net.quiet),
    beats: () => net.of(/heartbeat$/),
    lead: async (method: string, below: string, body?: unknown) =>
      ok(await call(board.lead, method, path + below, body)),
    runs: async () => ok(await call(board.lead, "GET", `${path}/executions`)).executions,
  };
}

const beatsFail = (fault: Fault) => (sent: Sent) => (sent.call.endsWith("heartbeat") ? fault : null);

describe("beats", () => {
  it("come by themselves, every thirty seconds, until the last word is said", async () => {
    const { advance, beats, lease } = await scene();
    await advance(29 * SECOND);
    expect(beats()).toHaveLength(0);
    await advance(92 * SECOND);
    expect(beats().map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await lease.complete({ outcome: "succeeded", status: "done" });
    await advance(600 * SECOND);
    expect(beats()).toHaveLength(4);
    expect(lease.signal.aborted).toBe(false);
  });

  it("come a tenth earlier or later, as chance will have it", async () => {
    for (const [chance, at] of [
      [0, 27],
      [1, 33],
    ] as const) {
      const { clock, advance, beats } = await scene();
      clock.random = () => chance;
      await advance(30 * SECOND);
      const before = beats().length;
      await advance((at - 1) * SECOND);
      expect(beats()).toHaveLength(before);
      await advance(SECOND);
      expect(beats()).toHaveLength(before + 1);
    }
  });

  it("that fail say nothing: after three 503 and a 200 it is the same epoch and the same run", async () => {
    const { advance, beats, lease, doubts, runs } = await scene((sent, n) =>
      sent.call.endsWith("heartbeat") && n <= 3 ? 503 : null,
    );
    await advance(60 * SECOND);
    expect(beats().slice(0, 4)).toMatchObject([
      { fault: 503 },
      { fault: 503 },
      { fault: 503 },
      { status: 200 },
    ]);
    expect(doubts).toEqual([1, 2, 3]);
    expect(lease.signal.aborted).toBe(false);
    expect(await lease.complete({ outcome: "succeeded", status: "done" })).toMatchObject({
      task: { status: "done", epoch: 1 },
    });
    expect(await runs()).toHaveLength(1);
  });

  it("prove an old claim at once: one that waited may be as old as its wait", async () => {
    const { board, clock, net, advance, beats } = await scene();
    const other = await board.add({ title: "b" });
    const client = connect(net, await board.mint("bob"), { clock }).board(board.id);
    const claiming = client.claim(other.id);
    clock.time += 31 * SECOND;
    (await claiming).lease.keep();
    await advance(0);
    expect(beats().filter((one) => one.call.includes(other.id))).toHaveLength(1);
  });
});

describe("the watchdog", () => {
  it("ends the work ten seconds before the lease runs out, when no beat gets through", async () => {
    const { advance, lease } = await scene(beatsFail("no_request"));
    await advance(169 * SECOND);
    expect(lease.signal.aborted).toBe(false);
    await advance(SECOND);
    expect(lease.signal.reason).toMatchObject({ name: "LeaseLost", reason: "unproven" });
  });

  it("counts from when the last accepted beat was sent, not from when its answer came", async () => {
    let held: () => void = () => {};
    const { advance, clock, lease, net, beats } = await scene((_sent) => null);
    const fetch = net.fetch;
    let slow = true;
    lease.board.server.options.fetch = (async (url: string, init: RequestInit) => {
      if (!url.endsWith("heartbeat")) return fetch(url, init);
      if (!slow) throw new TypeError("fetch failed");
      slow = false;
      const response = await fetch(url, init);
      await new Promise<void>((resolve) => {
        held = resolve;
      });
      return response;
    }) as typeof globalThis.fetch;
    const start = clock.time;
    await advance(30 * SECOND);
    expect(beats()).toHaveLength(1);
    await advance(8 * SECOND);
    held();
    await advance(161 * SECOND);
    expect([clock.time - start, lease.signal.aborted]).toEqual([199 * SECOND, false]);
    await advance(SECOND);
    expect(lease.signal.aborted).toBe(true);
  });

  it("keeps a fifth of a short lease", async () => {
    const { board, clock, net, advance } = await scene();
    const token = await board.mint("bob");
    await call(board.lead, "PATCH", board.path, { settings: { leaseTtlMs: 2_000, beatEveryMs: 500 } });
    const { number } = await board.add({ title: "b" });
    const cut = network(beatsFail("no_request"));
    const client = connect(cut, token, { clock }).board(board.id);
    const { lease } = await client.claim(`n${number}`);
    lease.keep();
    await net.quiet();
    await advance(1_599);
    expect(lease.signal.aborted).toBe(false);
    await advance(1);
    expect(lease.signal.reason).toMatchObject({ reason: "unproven" });
  });
});

describe("a lease that is lost", () => {
  it("aborts its signal with the beat that hears of it, and nothing is sent after", async () => {
    const { advance, lease, lead, net } = await scene();
    const heard: LeaseLost[] = [];
    lease.signal.addEventListener("abort", () => void heard.push(lease.signal.reason));
    await lead("PATCH", "", { status: "todo", displace: true });
    await advance(30 * SECOND);
    expect(heard).toMatchObject([{ name: "LeaseLost", reason: "displaced", cause: { code: "lease_lost" } }]);
    const sent = net.sent.length;
    await expect(lease.complete({ outcome: "succeeded", status: "done" })).rejects.toBe(heard[0]);
    await expect(lease.release()).rejects.toBe(heard[0]);
    await expect(lease.edit({ status: "blocked" })).rejects.toBe(heard[0]);
    await expect(lease.createWorkspace({ repoPath: "/r" })).rejects.toBe(heard[0]);
    await advance(600 * SECOND);
    expect(net.sent).toHaveLength(sent);
  });

  it("aborts it too when any other write hears of it first", async () => {
    const { lease, lead } = await scene();
    await lead("PATCH", "", { status: "cancelled" });
    await expect(lease.createWorkspace({ repoPath: "/r" })).rejects.toMatchObject({ code: "lease_lost" });
    expect(lease.signal.reason).toMatchObject({ reason: "cancelled" });
  });

  it("is what the end of the token is", async () => {
    const { advance, board, lease } = await scene();
    const { tokens } = ok(await call(board.lead, "GET", `${board.path}/tokens`));
    const own = tokens.find(({ agentId }: { agentId: string }) => agentId === "ann");
    ok(await call(board.lead, "DELETE", `${board.path}/tokens/${own.id}`), 204);
    await advance(30 * SECOND);
    expect(lease.signal.aborted).toBe(true);
  });

  it("is not what a beat hears that our own last word has overtaken", async () => {
    const { advance, lease, beats } = await scene((sent, n) =>
      sent.call.endsWith("complete") && n === 1 ? "no_reply" : null,
    );
    await advance(30 * SECOND - 1);
    const ended = lease.complete({ outcome: "succeeded", status: "done" });
    await advance(SECOND);
    expect(beats()).toMatchObject([{ status: 409, answer: { reason: "completed" } }]);
    expect(await ended).toMatchObject({ task: { status: "done" } });
    expect(lease.signal.aborted).toBe(false);
  });
});

describe("what a beat hears and tells", () => {
  it("a directive is told once, and again when it is asked anew", async () => {
    const { advance, board, directives, lead } = await scene();
    await lead("POST", "/stop", { mode: "drain", reason: "lunch" });
    await advance(90 * SECOND);
    expect(directives).toEqual([{ kind: "drain", reason: "lunch" }]);
    ok(await call(board.lead, "PATCH", board.path, { paused: true }));
    await advance(30 * SECOND);
    ok(await call(board.lead, "PATCH", board.path, { paused: false }));
    await advance(30 * SECOND);
    ok(await call(board.lead, "PATCH", board.path, { paused: true }));
    await advance(30 * SECOND);
    expect(directives.map(({ reason }) => reason)).toEqual([
      "lunch",
      ...Array(2).fill("The board is paused."),
    ]);
  });

  it("usage goes with the next beat, added up, and the rest with the last word", async () => {
    const { advance, keeper, lease, lead, beats } = await scene();
    keeper.use({ inputTokens: 10, costUsd: 0.25 });
    keeper.use({ inputTokens: 5, outputTokens: 1 });
    keeper.progress("half");
    await advance(60 * SECOND);
    expect(beats().map(({ body }) => [body.usage, body.progress])).toEqual([
      [{ inputTokens: 15, outputTokens: 1, costUsd: 0.25 }, "half"],
      [undefined, undefined],
    ]);
    keeper.use({ costUsd: 0.5 });
    await lease.complete({ outcome: "succeeded", status: "done", costUsd: 1 });
    expect((await lead("GET", "")).task.costUsd).toBe(1.75);
  });

  it("usage whose beat was lost on its way back is never told twice, and the doubt is", async () => {
    const { advance, keeper, lease, lead } = await scene((sent, n) =>
      sent.call.endsWith("heartbeat") && n === 1 ? "no_reply" : null,
    );
    keeper.use({ costUsd: 0.25 });
    await advance(60 * SECOND);
    await lease.complete({ outcome: "succeeded", status: "done" });
    expect((await lead("GET", "")).task.costUsd).toBe(0.25);
    expect(keeper.unsure).toEqual({ costUsd: 0.25 });
  });

  it("usage of a beat that never reached the board goes with the next one", async () => {
    const { advance, keeper, lead } = await scene((sent, n) =>
      sent.call.endsWith("heartbeat") && n === 1 ? 429 : null,
    );
    keeper.use({ costUsd: 0.25 });
    await advance(60 * SECOND);
    expect([(await lead("GET", "")).task.costUsd, keeper.unsure]).toEqual([0.25, undefined]);
  });

  it("usage goes before a release, which has no place for it", async () => {
    const { keeper, lease, lead } = await scene();
    keeper.use({ costUsd: 0.25 });
    await lease.release({ reason: "enough" });
    expect((await lead("GET", "")).task).toMatchObject({ status: "todo", costUsd: 0.25 });
  });

  it("a report that is refused costs a report, not the lease", async () => {
    const { advance, keeper, lease, beats } = await scene();
    keeper.progress("x".repeat(3_000));
    await advance(60 * SECOND);
    expect(
      beats()
        .slice(0, 2)
        .map(({ status }) => status),
    ).toEqual([400, 200]);
    expect(lease.signal.aborted).toBe(false);
  });
});

it("a last word that is refused leaves the lease as it was, and beating", async () => {
  const { advance, beats, board, lease, task } = await scene();
  const other = await board.add({ title: "b" });
  ok(
    await call(board.lead, "POST", `${board.path}/tasks/${task.id}/dependencies`, {
      dependsOnTaskId: other.id,
    }),
    201,
  );
  await expect(lease.complete({ outcome: "succeeded", status: "done" })).rejects.toMatchObject({
    code: "not_ready",
  });
  await advance(31 * SECOND);
  expect(beats()).toHaveLength(1);
  expect(await lease.release()).toMatchObject({ task: { status: "todo" } });
});

it.each([
  ["blocked", 0],
  ["in_review", 1],
] as const)(
  "a move by its holder to %s is followed by %i beats: it is the last word, or is not",
  async (status, more) => {
    const { advance, beats, lease } = await scene();
    await lease.edit({ status });
    await advance(31 * SECOND);
    expect([beats().length, lease.over.aborted, lease.signal.aborted]).toEqual([more, more === 0, false]);
  },
);

it("a lease goes on in another hand, by what is plain data of it", async () => {
  const { lease, board, net } = await scene();
  const stored = JSON.parse(JSON.stringify(lease.grant));
  const client = connect(net, board.lead).board(board.id);
  expect(await client.lease(stored).heartbeat()).toMatchObject({ lease: { ttlMs: 180_000 } });
  await client.lease(stored).complete({ outcome: "succeeded", status: "done" });
});
