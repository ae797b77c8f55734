/** Why a task is not ready, or not the caller's to claim; what it waits for, and who must act. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Explanation } from "../../src/contract/insight.ts";
import type { Task } from "../../src/contract/task.ts";
import { call, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { backdate } from "../support/inside.ts";

const TTL = 180_000;

const explain = async (board: TestBoard, id: string, token = board.lead): Promise<Explanation> =>
  ok(await call(token, "GET", `${board.path}/tasks/${id}/explain`));

const patch = async (board: TestBoard, id: string, body: object): Promise<Task> =>
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, body)).task;

const drop = async (board: TestBoard, id: string) =>
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${id}`));

const codes = (explanation: Explanation) => explanation.reasons.map(({ code }) => code);

describe("a task with nothing in its way", () => {
  it("is ready and claimable, with no reason, no blocker and no note", async () => {
    const board = await newBoard();
    const { id, number } = await board.add({ title: "t" });
    const worker = await board.mint("agent");
    expect(await explain(board, `n${number}`, worker)).toEqual({
      task: { id, number, title: "t", status: "todo", taskStatus: "todo", dropped: false },
      ready: true,
      claimable: true,
      reasons: [],
      blockers: [],
      chain: [],
      notes: [],
      truncated: false,
    });
  });

  it("is still not a viewer's to claim, and not there where there is none", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "t" });
    const viewer = await board.mint("reader", "viewer");
    const told = await explain(board, id, viewer);
    expect(told).toMatchObject({ ready: true, claimable: false });
    expect(told.reasons).toMatchObject([{ code: "forbidden", mustAct: { who: "lead" } }]);
    refused(await call(viewer, "POST", `${board.path}/tasks/${id}/claim`, {}), 403, "forbidden");
    refused(await call(viewer, "GET", `${board.path}/tasks/n99/explain`), 404, "task_not_found");
  });
});

describe("a task that is not on offer", () => {
  it("says who holds it and until when; an expired lease is the clock's, and after the sweep nobody's", async () => {
    const board = await newBoard({ backoff: { firstMs: 0 } });
    const { id, number } = await board.add({ title: "t" });
    await board.claim(id, await board.mint("holder"));
    const rival = await board.mint("rival");
    const [held] = (await explain(board, id, rival)).reasons;
    expect(held).toMatchObject({
      code: "conflict",
      taskStatus: "in_progress",
      holder: { agentId: "holder", epoch: 1, state: "live", expiresAt: expect.any(Number) },
      mustAct: { who: "holder", action: `Finish n${number}, or release it.` },
    });
    await backdate(board, id, TTL);
    const [expired] = (await explain(board, id, rival)).reasons;
    expect(expired).toMatchObject({ holder: { state: "expired" }, mustAct: { who: "clock" } });
    expect(expired?.retryAfterMs).toBeGreaterThan(0);
    expect(await runDurableObjectAlarm(board.stub())).toBe(true);
    expect(await explain(board, id, rival)).toMatchObject({ claimable: true, reasons: [] });
  });

  it("says what a person has to do with it: start, review, unblock, restore, or nothing", async () => {
    const board = await newBoard();
    const [byHand, review, backlog, done, gone] = (await Promise.all(
      ["by hand", "review", "backlog", "done", "gone"].map((title) => board.add({ title })),
    )) as [Task, Task, Task, Task, Task];
    await patch(board, byHand.id, { status: "in_progress" });
    await patch(board, review.id, { status: "in_progress" });
    await patch(board, review.id, { status: "in_review" });
    await patch(board, backlog.id, { status: "backlog" });
    await patch(board, done.id, { status: "in_progress" });
    await patch(board, done.id, { status: "done" });
    await drop(board, gone.id);
    const first = async (task: Task) => (await explain(board, task.id)).reasons;
    expect(await first(byHand)).toMatchObject([
      { code: "conflict", holder: { agentId: "lead", state: "no_lease" }, mustAct: { who: "holder" } },
    ]);
    expect(await first(review)).toMatchObject([
      { code: "conflict", taskStatus: "in_review", holder: null, mustAct: { who: "reviewer" } },
    ]);
    expect(await first(backlog)).toMatchObject([
      {
        code: "conflict",
        taskStatus: "backlog",
        mustAct: { who: "lead", action: `Move n${backlog.number} to todo.` },
      },
    ]);
    expect(await first(done)).toMatchObject([
      { code: "terminal", taskStatus: "done", mustAct: { who: "nobody" } },
    ]);
    expect(await explain(board, gone.id)).toMatchObject({
      task: { dropped: true },
      ready: false,
      reasons: [{ code: "task_not_found", mustAct: { action: `Restore n${gone.number}.` } }],
    });
  });

  it("says why it is blocked and how its attempts went", async () => {
    const board = await newBoard({ maxAttempts: 1 });
    const { id } = await board.add({ title: "t" });
    await board.claim(id, await board.mint("agent"));
    await backdate(board, id, TTL);
    await runDurableObjectAlarm(board.stub());
    expect((await explain(board, id)).reasons).toMatchObject([
      {
        code: "conflict",
        taskStatus: "blocked",
        blockedReason: "attempt_limit",
        attempts: { last: "crash", crashStreak: 1, errorStreak: 0 },
        mustAct: { who: "lead" },
      },
    ]);
  });

  it("says how often it was blocked for the same reason, and from the third time on that this will not do", async () => {
    const board = await newBoard();
    const { id, number } = await board.add({ title: "t", status: "blocked" });
    const again = async (blockedReason: string) => {
      await patch(board, id, { status: "todo" });
      await patch(board, id, { status: "blocked", blockedReason });
      const { reasons, notes } = await explain(board, id);
      return [reasons[0]?.timesBlocked, notes.map(({ kind }) => kind)];
    };
    expect((await explain(board, id)).reasons).toMatchObject([{ timesBlocked: 1, blockedReason: null }]);
    expect(await again("no key")).toEqual([1, []]);
    expect(await again("no disk")).toEqual([1, []]);
    expect(await again("no key")).toEqual([2, []]);
    await drop(board, id);
    ok(await call(board.lead, "POST", `${board.path}/tasks/${id}/restore`, {}));
    expect(await again("no key")).toEqual([3, ["recurring_block"]]);
    expect((await explain(board, id)).notes[0]?.detail).toContain(`n${number} was blocked 3 times`);
  });

  it("tells everything that stands in its way at once, the claim's own refusal first", async () => {
    const board = await newBoard({ caps: { maxDepth: 0 } });
    const root = await board.add({ title: "root" });
    const hindered = await board.add({
      title: "hindered",
      parentTaskId: root.id,
      dependsOn: [root.id],
      notBefore: Date.now() + 3_600_000,
      requiredCapabilities: ["gpu", "rust"],
      assigneeRuntime: "codex",
      budgetUsd: 0,
    });
    const worker = await board.mint("agent", "worker", { capabilities: ["rust"] });
    ok(await call(board.lead, "PATCH", board.path, { paused: true }));
    const told = await explain(board, hindered.id, worker);
    expect(codes(told)).toEqual([
      "board_paused",
      "not_ready",
      "not_before",
      "capability_mismatch",
      "runtime_mismatch",
      "depth_cap",
      "budget_exhausted",
    ]);
    expect(told.reasons).toMatchObject([
      {},
      { openDependencies: 1, mustAct: { who: "agent", action: `Claim n${root.number} and finish it.` } },
      { notBefore: hindered.notBefore, mustAct: { who: "clock" } },
      { missing: ["gpu"] },
      { assigneeRuntime: "codex" },
      { ancestors: 1, maxDepth: 0, mustAct: { who: "lead" } },
      { mustAct: { who: "lead" } },
    ]);
    refused(await call(worker, "POST", `${board.path}/tasks/${hindered.id}/claim`, {}), 409, "board_paused");
    ok(await call(board.lead, "PATCH", board.path, { archived: true }));
    expect(codes(await explain(board, hindered.id, worker)).slice(0, 2)).toEqual([
      "board_archived",
      "board_paused",
    ]);
    refused(
      await call(worker, "POST", `${board.path}/tasks/${hindered.id}/claim`, {}),
      409,
      "board_archived",
    );
  });
});
