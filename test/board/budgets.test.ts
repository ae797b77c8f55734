/** What is spent of a budget: told once for each mark, and felt by holders and claimers. */
import { describe, expect, it } from "vitest";
import { call, events, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { beat, complete, held, told } from "../support/spending.ts";

const settings = async (board: TestBoard, change: object) =>
  ok(await call(board.lead, "PATCH", board.path, { settings: change }));

const TASK_STOP = { kind: "budget_stop", reason: "The task's budget is spent." };
const BOARD_STOP = { kind: "budget_stop", reason: "The board's budget is spent." };

describe("of a task", () => {
  it("60 of 100 tell nothing; 50 more tell the warning and the stop, and the beat that reports them says stop", async () => {
    const work = await held({ budgetUsd: 100 });
    const { board, id } = work;
    expect((await beat(work, 60)).directives).toEqual([]);
    expect(await told(board)).toEqual([]);
    expect((await beat(work, 50)).directives).toEqual([TASK_STOP]);
    expect(await told(board)).toEqual(["task budget_warning: 110 of 100", "task budget_stopped: 110 of 100"]);
    expect((await beat(work)).directives).toEqual([TASK_STOP]);
    expect(await told(board)).toHaveLength(2);
    const [warning, stopped] = (await events(board)).slice(-2);
    expect(warning).toMatchObject({ taskId: id, epoch: 1, actor: { type: "agent", id: "worker" } });
    expect(await board.get(id)).toMatchObject({ costUsd: 110, budgetUsd: 100, changeSeq: stopped.seq });
  });

  it("the next claim is refused with what was spent, and claim-next passes it over", async () => {
    const work = await held({ budgetUsd: 100, priority: 9 });
    const { board, worker, id } = work;
    const other = await board.add({ title: "other" });
    await beat(work, 100);
    const path = `${board.path}/tasks/${id}`;
    ok(await call(worker, "POST", `${path}/release`, { leaseToken: work.leaseToken }));
    const rival = await board.mint("rival");
    const refusal = refused(await call(rival, "POST", `${path}/claim`, {}), 409, "budget_exhausted");
    expect(refusal).toMatchObject({ scope: "task", spentUsd: 100, budgetUsd: 100 });
    expect(refusal.hint).toMatch(/\S/);
    const { claims } = ok(await call(rival, "POST", `${board.path}/claims`, { limit: 2 }));
    expect(claims.map((claim: { task: { id: string } }) => claim.task.id)).toEqual([other.id]);
    // It is ready all the same: that does not depend on money.
    expect((await board.get(id)).ready).toBe(true);
  });

  it("is told last of what keeps a claim out", async () => {
    const board = await newBoard({ budgetUsd: 0 });
    const rival = await board.mint("rival");
    const reason = async (task: object) => {
      const { id } = await board.add({ title: "t", budgetUsd: 0, ...task });
      return (await call(rival, "POST", `${board.path}/tasks/${id}/claim`, {})).json;
    };
    expect((await reason({ requiredCapabilities: ["gpu"] })).code).toBe("capability_mismatch");
    expect((await reason({ assigneeRuntime: "node" })).code).toBe("runtime_mismatch");
    expect((await reason({ notBefore: 4_000_000_000_000 })).code).toBe("not_before");
    expect(await reason({})).toMatchObject({ code: "budget_exhausted", scope: "task" });
    ok(await call(board.lead, "PATCH", board.path, { paused: true }));
    expect((await reason({})).code).toBe("board_paused");
  });

  it("a run's last word counts as a beat does, and follows the event of the completion", async () => {
    const work = await held({ budgetUsd: 1 });
    const { board, id } = work;
    await beat(work, 0.5);
    const { task, execution } = await complete(work, { costUsd: 0.4, inputTokens: 7 });
    expect(execution.costUsd).toBe(0.9);
    const [completed, warning] = (await events(board)).slice(-2);
    expect([completed.kind, warning.kind]).toEqual(["execution_completed", "budget_warning"]);
    expect(warning.data).toEqual({ scope: "task", spentUsd: 0.9, budgetUsd: 1 });
    expect(warning.seq).toBe(completed.seq + 1);
    expect(task).toMatchObject({ costUsd: 0.9, changeSeq: warning.seq });
    expect((await board.get(id)).changeSeq).toBe(warning.seq);
  });

  it("so does what a run is closed with alone, and a repeated completion is not charged again", async () => {
    const work = await held({ budgetUsd: 1 });
    const { board, worker, id, leaseToken } = work;
    const [run] = ok(await call(worker, "GET", `${board.path}/tasks/${id}/executions`)).executions;
    const closing = { leaseToken, status: "failed", costUsd: 2 };
    for (let time = 0; time < 2; time++)
      expect(
        ok(await call(worker, "PATCH", `${board.path}/executions/${run.id}`, closing)).task.costUsd,
      ).toBe(2);
    expect(await told(board)).toEqual(["task budget_warning: 2 of 1", "task budget_stopped: 2 of 1"]);
    const again = await held({ budgetUsd: 1 });
    for (let time = 0; time < 3; time++) await complete(again, { costUsd: 0.85 });
    expect(await told(again.board)).toEqual(["task budget_warning: 0.85 of 1"]);
  });

  it("a raised budget lets it be claimed, and tells its marks again", async () => {
    const work = await held({ budgetUsd: 100 });
    const { board, worker, id } = work;
    const path = `${board.path}/tasks/${id}`;
    await beat(work, 110);
    expect(ok(await call(board.lead, "PATCH", path, { budgetUsd: 200 })).task.budgetUsd).toBe(200);
    expect((await beat(work)).directives).toEqual([]);
    ok(await call(worker, "POST", `${path}/release`, { leaseToken: work.leaseToken }));
    const { lease } = await board.claim(id, worker);
    const next = { ...work, leaseToken: lease.token };
    await beat(next, 50);
    expect((await beat(next, 40)).directives).toEqual([TASK_STOP]);
    expect(await told(board)).toEqual([
      "task budget_warning: 110 of 100",
      "task budget_stopped: 110 of 100",
      "task budget_warning: 160 of 200",
      "task budget_stopped: 200 of 200",
    ]);
  });

  it("a budget set below what is spent is told after the edit, also where the edit moves the task", async () => {
    const work = await held();
    const { board, id } = work;
    await beat(work, 85);
    const path = `${board.path}/tasks/${id}`;
    const edited = ok(await call(board.lead, "PATCH", path, { budgetUsd: 100 })).task;
    expect((await events(board)).slice(-2).map(({ kind }) => kind)).toEqual([
      "task_edited",
      "budget_warning",
    ]);
    expect(edited.changeSeq).toBe((await events(board)).at(-1).seq);
    const moved = { budgetUsd: 50, status: "blocked", displace: true };
    const after = ok(await call(board.lead, "PATCH", path, moved)).task;
    expect((await events(board)).slice(-2).map(({ kind }) => kind)).toEqual([
      "task_released",
      "budget_stopped",
    ]);
    expect(after.changeSeq).toBe((await events(board)).at(-1).seq);
    expect((await board.get(id)).changeSeq).toBe(after.changeSeq);
  });
});

describe("of a board", () => {
  it("what all tasks cost counts, holders hear it in their next beat, and nothing more is handed out", async () => {
    const work = await held({}, { budgetUsd: 10 });
    const { board } = work;
    const second = await board.add({ title: "second" });
    const third = await board.add({ title: "third" });
    const other = await board.mint("other");
    const { lease } = await board.claim(second.id, other);
    const also = { board, worker: other, id: second.id, leaseToken: lease.token };
    await beat(work, 5);
    expect((await beat(also, 5)).directives).toEqual([BOARD_STOP]);
    expect((await beat(work)).directives).toEqual([BOARD_STOP]);
    expect(await told(board)).toEqual(["board budget_warning: 10 of 10", "board budget_stopped: 10 of 10"]);
    expect((await events(board)).at(-1).taskId).toBeNull();
    const claim = await call(other, "POST", `${board.path}/tasks/${third.id}/claim`, {});
    expect(refused(claim, 409, "budget_exhausted")).toMatchObject({ scope: "board", spentUsd: 10 });
    const next = ok(await call(other, "POST", `${board.path}/claims`, {}));
    expect(next).toMatchObject({ claims: [], budgetExhausted: true, retryAfterMs: expect.any(Number) });
  });

  it("a raised budget opens it again and tells its marks again; one set too low is told at once", async () => {
    const work = await held({}, { budgetUsd: 10 });
    const { board, worker } = work;
    await board.add({ title: "next" });
    await beat(work, 9);
    await settings(board, { budgetUsd: 20 });
    await beat(work, 8);
    await settings(board, { budgetUsd: 17 });
    expect((await events(board)).slice(-2).map(({ kind }) => kind)).toEqual([
      "board_changed",
      "budget_stopped",
    ]);
    expect(await told(board)).toEqual([
      "board budget_warning: 9 of 10",
      "board budget_warning: 17 of 20",
      "board budget_stopped: 17 of 17",
    ]);
    expect(ok(await call(worker, "POST", `${board.path}/claims`, {})).claims).toEqual([]);
    await settings(board, { budgetUsd: null });
    const next = ok(await call(worker, "POST", `${board.path}/claims`, {}));
    expect(next.claims).toHaveLength(1);
    expect(next).not.toHaveProperty("budgetExhausted");
    expect((await beat(work)).directives).toEqual([]);
  });

  it("one who waits for work is woken when the budget is raised", async () => {
    const board = await newBoard({ budgetUsd: 0 });
    const worker = await board.mint("worker");
    await board.add({ title: "next" });
    const waiting = call(worker, "POST", `${board.path}/claims`, { waitMs: 20_000 });
    await settings(board, { budgetUsd: 1 });
    expect(ok(await waiting).claims).toHaveLength(1);
  });

  it("task and board are told each for itself, the task first", async () => {
    const work = await held({ budgetUsd: 5 }, { budgetUsd: 5 });
    expect((await beat(work, 5)).directives).toEqual([TASK_STOP, BOARD_STOP]);
    expect((await told(work.board)).map((line) => line.split(":")[0])).toEqual([
      "task budget_warning",
      "task budget_stopped",
      "board budget_warning",
      "board budget_stopped",
    ]);
    const seqs = (await events(work.board)).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  it("a batch of beats tells each crossing once and answers each lease", async () => {
    const board = await newBoard({ budgetUsd: 3 });
    const worker = await board.mint("worker");
    const leases: object[] = [];
    for (let number = 0; number < 4; number++) {
      const { id } = await board.add({ title: "t" });
      const { lease } = await board.claim(id, worker);
      leases.push({ taskId: id, leaseToken: lease.token, usage: { costUsd: 1 } });
    }
    const { results } = ok(await call(worker, "POST", `${board.path}/heartbeats`, { leases }));
    expect(results.map(({ directives }: { directives: unknown[] }) => directives.length)).toEqual([
      0, 0, 1, 1,
    ]);
    expect(await told(board)).toEqual(["board budget_warning: 3 of 3", "board budget_stopped: 3 of 3"]);
  });
});
