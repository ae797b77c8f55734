/** Moves by hand: what each role may do, and in which order it is told what it may not. */
import { describe, expect, it } from "vitest";
import { isTerminal, legalTargets, TASK_STATUSES, type TaskStatus } from "../../src/rules/status.ts";
import { call, events, fingerprintOf, newBoard, ok, refused, type TestBoard } from "../support/api.ts";

/** A task brought to a status by legal moves of the lead. */
async function taskIn(board: TestBoard, status: TaskStatus): Promise<string> {
  const { id } = await board.add({ title: status });
  const path: Record<TaskStatus, TaskStatus[]> = {
    backlog: ["backlog"],
    todo: [],
    in_progress: ["in_progress"],
    in_review: ["in_progress", "in_review"],
    blocked: ["blocked"],
    done: ["in_progress", "done"],
    cancelled: ["cancelled"],
  };
  for (const next of path[status])
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { status: next }));
  return id;
}

describe.each(TASK_STATUSES)("from %s", (from) => {
  it("a lead makes every legal move, and every other one is refused with the legal ones", async () => {
    const board = await newBoard();
    for (const to of TASK_STATUSES) {
      const id = await taskIn(board, from);
      const before = await fingerprintOf(board, id);
      const reply = await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { status: to });
      if (to === from) {
        ok(reply);
        expect(await fingerprintOf(board, id)).toBe(before);
      } else if (legalTargets(from).includes(to)) {
        const { task } = ok(reply);
        expect(task.status).toBe(to);
        expect(task.completedAt !== null).toBe(isTerminal(to));
        expect((await events(board, "&order=desc"))[0]).toMatchObject({
          kind: "status_changed",
          data: { from, to },
        });
      } else {
        const problem = refused(reply, 409, "illegal_transition");
        expect(problem.legalTargets).toEqual(legalTargets(from));
        expect(await fingerprintOf(board, id)).toBe(before);
      }
    }
  });
});

describe("a worker", () => {
  it("moves and edits only what it holds, and edits what it created while nobody holds it", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const [other, own] = [await board.add({ title: "other" }), await board.add({ title: "own" }, worker)];
    const patch = (id: string, body: object) => call(worker, "PATCH", `${board.path}/tasks/${id}`, body);
    refused(await patch(other.id, { status: "blocked" }), 403, "forbidden");
    refused(await patch(other.id, { title: "mine now" }), 403, "forbidden");
    ok(await patch(own.id, { title: "clearer", priority: 3 }));
    refused(await patch(own.id, { parentTaskId: other.id }), 403, "forbidden");
    refused(await patch(own.id, { status: "cancelled" }), 403, "forbidden");
    refused(await patch(own.id, { status: "in_progress" }), 409, "claim_required");
    const { lease } = await board.claim(other.id, worker);
    ok(
      await patch(other.id, {
        title: "held",
        status: "blocked",
        blockedReason: "no key",
        leaseToken: lease.token,
      }),
    );
    expect(await board.get(other.id)).toMatchObject({
      title: "held",
      status: "blocked",
      blockedReason: "no key",
      version: 2,
      lease: null,
    });
  });

  it("keeps its lease while it waits in review, and gives it up by blocking or releasing", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const { id } = await board.add({ title: "t" });
    const path = `${board.path}/tasks/${id}`;
    const first = await board.claim(id, worker);
    const review = ok(
      await call(worker, "PATCH", path, { status: "in_review", leaseToken: first.lease.token }),
    ).task;
    expect(review.lease.epoch).toBe(1);
    ok(await call(worker, "POST", `${path}/heartbeat`, { leaseToken: first.lease.token }));
    const released = ok(
      await call(worker, "POST", `${path}/release`, { leaseToken: first.lease.token }),
    ).task;
    expect(released).toMatchObject({ status: "in_review", lease: null });
  });
});

describe("the status a task has already", () => {
  it("may be asked for by anybody, without the lease, and is no sign of life", async () => {
    const board = await newBoard();
    const [worker, other] = [await board.mint("agent"), await board.mint("other")];
    const { id } = await board.add({ title: "t" });
    await board.claim(id, worker);
    const before = await fingerprintOf(board, id);
    for (const token of [worker, other, board.lead]) {
      const same = await call(token, "PATCH", `${board.path}/tasks/${id}`, { status: "in_progress" });
      expect(ok(same).task).toEqual(await board.get(id));
    }
    expect(await fingerprintOf(board, id)).toBe(before);
  });
});

describe("one request", () => {
  it("moves and edits both or neither", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "t", status: "backlog" });
    const path = `${board.path}/tasks/${id}`;
    refused(
      await call(board.lead, "PATCH", path, { title: "new", status: "done" }),
      409,
      "illegal_transition",
    );
    expect(await board.get(id)).toMatchObject({ title: "t", version: 1 });
    ok(await call(board.lead, "PATCH", path, { title: "new", status: "todo" }));
    expect(await board.get(id)).toMatchObject({ title: "new", status: "todo", version: 2 });
    const last = (await events(board)).at(-1);
    expect(last).toMatchObject({ kind: "status_changed", data: { fields: { title: "new" }, version: 2 } });
  });

  it("is told what is wrong in the promised order", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const { id } = await board.add({ title: "t" });
    const path = `${board.path}/tasks/${id}`;
    const stale = { "if-match": '"99"' };
    const patch = (body: object) => call(worker, "PATCH", path, body, stale);
    refused(await patch({ status: "in_progress", humanOverride: true }), 403, "override_forbidden");
    ok(await patch({ status: "todo" }));
    refused(await patch({ status: "in_progress" }), 409, "claim_required");
    refused(await patch({ status: "done", leaseToken: "guess" }), 409, "lease_lost");
    refused(await patch({ status: "done" }), 403, "forbidden");
    const { lease } = await board.claim(id, worker);
    refused(await patch({ status: "done" }), 409, "lease_required");
    refused(await patch({ status: "backlog", leaseToken: lease.token }), 412, "version_mismatch");
    const illegal = await call(worker, "PATCH", path, { status: "backlog", leaseToken: lease.token });
    refused(illegal, 409, "illegal_transition");
  });
});
