/** However a run ends, it ends once, and nothing of its holder is left anywhere it could be read. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Execution } from "../../src/contract/task.ts";
import { call, events, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { backdate } from "../support/inside.ts";

const TTL = 180_000;
const WITHOUT_BACKOFF = { backoff: { firstMs: 0, stepMs: 0, maxMs: 0 } };

interface Held {
  board: TestBoard;
  worker: string;
  id: string;
  path: string;
  executionId: string;
  leaseToken: string;
}

async function held(): Promise<Held> {
  const board = await newBoard(WITHOUT_BACKOFF);
  const worker = await board.mint("holder", "worker", { runtime: "node" });
  const { id } = await board.add({ title: "work" });
  const { lease } = await board.claim(id, worker);
  const path = `${board.path}/tasks/${id}`;
  return { board, worker, id, path, executionId: lease.executionId, leaseToken: lease.token };
}

const complete = ({ worker, path, leaseToken }: Held, outcome: string, status: string) =>
  call(worker, "POST", `${path}/complete`, { leaseToken, outcome, status });

const move = ({ board, path }: Held, body: object) => call(board.lead, "PATCH", path, body);

const close = ({ board, worker, executionId, leaseToken }: Held, status: string) =>
  call(worker, "PATCH", `${board.path}/executions/${executionId}`, { status, leaseToken });

async function sweep({ board, id }: Held): Promise<void> {
  await backdate(board, id, TTL);
  await runDurableObjectAlarm(board.stub());
}

/** How a run can end, what it is then called, and where it leaves the task. */
const ENDINGS: Record<string, [end: (held: Held) => Promise<unknown>, run: string, task: string]> = {
  "is released": [
    ({ worker, path, leaseToken }) => call(worker, "POST", `${path}/release`, { leaseToken }),
    "released",
    "todo",
  ],
  "fails and is tried again": [(one) => complete(one, "failed", "todo"), "failed", "todo"],
  "fails and waits for a person": [(one) => complete(one, "failed", "blocked"), "failed", "blocked"],
  "is handed in": [(one) => complete(one, "succeeded", "in_review"), "succeeded", "in_review"],
  succeeds: [(one) => complete(one, "succeeded", "done"), "succeeded", "done"],
  "is closed alone": [(one) => close(one, "cancelled"), "cancelled", "todo"],
  "goes silent": [sweep, "timed_out", "todo"],
  "is displaced": [(one) => move(one, { status: "todo", displace: true }), "cancelled", "todo"],
  "is cancelled with its task": [(one) => move(one, { status: "cancelled" }), "cancelled", "cancelled"],
};

/** The ways an agent ends a run itself; a lead may well move a task whose run is over. */
const AGENTS_OWN = Object.values(ENDINGS).slice(0, 6);

describe.each(Object.entries(ENDINGS))("a run that %s", (_, [end, run, status]) => {
  it("leaves no lease in any answer, and its task to the next one where it is open", async () => {
    const one = await held();
    const { board, id, path } = one;
    await end(one);
    const free = { status, lease: null, heartbeatAt: null };
    expect(await board.get(id)).toMatchObject(free);
    expect(ok(await call(board.lead, "GET", `${board.path}/tasks`)).tasks).toMatchObject([free]);
    const [node] = ok(await call(board.lead, "GET", `${board.path}/graph`)).nodes;
    expect([node.status, node.holder]).toEqual([status, undefined]);
    const { agents } = ok(await call(board.lead, "GET", `${board.path}/agents`));
    expect(agents.find(({ agentId }: { agentId: string }) => agentId === "holder")).toMatchObject({
      held: 0,
      tasks: [],
    });
    const { executions } = ok(await call(board.lead, "GET", `${path}/executions`));
    expect(executions).toMatchObject([{ status: run, endedAt: expect.any(Number) }]);
    const rival = await board.mint("rival");
    const next = await call(rival, "POST", `${path}/claim`, {});
    if (status !== "todo")
      return void refused(next, 409, status === "done" || status === "cancelled" ? "terminal" : "conflict");
    expect(ok(next).task).toMatchObject({ assigneeAgentId: "rival", assigneeRuntime: null, epoch: 2 });
    expect(JSON.stringify(await board.get(id))).not.toContain("holder");
  });

  it("has ended for good: whatever comes after it changes neither the run nor the log", async () => {
    const one = await held();
    const { board, worker, path, leaseToken, executionId } = one;
    await end(one);
    const runs = async (): Promise<Execution[]> =>
      ok(await call(board.lead, "GET", `${path}/executions`)).executions;
    const [ended, log] = [await runs(), (await events(board)).length];
    for (const [other] of AGENTS_OWN) await other(one);
    await runDurableObjectAlarm(board.stub());
    await call(worker, "POST", `${path}/heartbeat`, { leaseToken });
    expect(await runs()).toEqual(ended);
    expect(ended[0]?.id).toBe(executionId);
    expect(await events(board)).toHaveLength(log);
  });
});

describe("a completion, a cancel and a sweep that meet", () => {
  const ACTS: ((held: Held) => Promise<unknown>)[] = [
    (one) => complete(one, "succeeded", "done"),
    (one) => move(one, { status: "cancelled" }),
    ({ board }) => runDurableObjectAlarm(board.stub()),
  ];
  const ORDERS = [
    ["succeeded", [0, 1, 2]],
    ["succeeded", [0, 2, 1]],
    ["cancelled", [1, 0, 2]],
    ["cancelled", [1, 2, 0]],
    ["timed_out", [2, 0, 1]],
    ["timed_out", [2, 1, 0]],
  ] as const;

  /** One run, ended once, and a task that agrees with how. */
  async function agree({ board, id, path }: Held): Promise<string> {
    const [run, ...more] = ok(await call(board.lead, "GET", `${path}/executions`)).executions;
    expect(more).toEqual([]);
    // A task that was swept is open again, so that the cancel still meets it.
    const status = run.status === "succeeded" ? "done" : "cancelled";
    expect((await board.get(id)).status).toBe(status);
    const ends = (await events(board)).filter(
      ({ kind, data }) => kind === "execution_completed" || data.execution,
    );
    expect(ends).toHaveLength(1);
    return run.status;
  }

  it.each(ORDERS)("end the run once, as the first of them says: %s", async (first, order) => {
    const one = await held();
    await backdate(one.board, one.id, TTL);
    for (const index of order) await ACTS[index]?.(one);
    expect(await agree(one)).toBe(first);
  });

  it("end it once, too, when they come at the same time", async () => {
    for (let round = 0; round < 9; round++) {
      const one = await held();
      await backdate(one.board, one.id, TTL);
      await Promise.all(ACTS.map((_, index) => ACTS[(index + round) % 3]?.(one)));
      await agree(one);
    }
  });
});
