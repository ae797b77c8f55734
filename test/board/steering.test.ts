/** What leads and reviewers do to work that is under way. */
import { describe, expect, it } from "vitest";
import { call, events, newBoard, ok, refused } from "../support/api.ts";
import { backdate } from "../support/inside.ts";

async function held(role = "worker") {
  const board = await newBoard();
  const worker = await board.mint("agent", role);
  const { id } = await board.add({ title: "t" });
  const { lease } = await board.claim(id, worker);
  return { board, worker, id, path: `${board.path}/tasks/${id}`, leaseToken: lease.token as string, lease };
}

describe("a stop", () => {
  it("reaches the holder in its next beat and leaves it the lease", async () => {
    const { board, worker, path, leaseToken } = await held();
    refused(await call(worker, "POST", `${path}/stop`, { mode: "drain", reason: "x" }), 403, "forbidden");
    ok(await call(board.lead, "POST", `${path}/stop`, { mode: "cancel", reason: "the plan changed" }));
    const beat = ok(await call(worker, "POST", `${path}/heartbeat`, { leaseToken }));
    expect(beat.directives).toEqual([{ kind: "cancel", reason: "the plan changed" }]);
    ok(await call(worker, "POST", `${path}/release`, { leaseToken }));
    const { entries } = ok(await call(board.lead, "GET", `${board.path}/audit?kind=stop`));
    expect(entries).toMatchObject([{ reason: "the plan changed" }]);
    refused(await call(board.lead, "POST", `${path}/stop`, { mode: "cancel", reason: "x" }), 409, "conflict");
  });
});

describe("requested changes", () => {
  it("send a waiting holder on, with the notes as a comment", async () => {
    const { board, worker, path, leaseToken } = await held();
    const judge = await board.mint("judge", "verifier");
    ok(await call(worker, "PATCH", path, { status: "in_review", leaseToken }));
    const { task } = ok(await call(judge, "POST", `${path}/request-changes`, { notes: "add a test" }));
    expect(task).toMatchObject({ status: "in_progress", assigneeAgentId: "agent", lease: { epoch: 1 } });
    expect(ok(await call(worker, "POST", `${path}/heartbeat`, { leaseToken })).newComments).toBe(1);
    expect((await events(board)).at(-1)).toMatchObject({
      kind: "changes_requested",
      data: { from: "in_review", to: "in_progress" },
    });
  });

  it("without a holder offer the task again, and hand the notes to the next claim", async () => {
    const { board, worker, path, id, leaseToken } = await held();
    const judge = await board.mint("judge", "verifier");
    const word = {
      leaseToken,
      outcome: "succeeded",
      status: "in_review",
      handoff: { done: ["it"], next: "old" },
    };
    ok(await call(worker, "POST", `${path}/complete`, word));
    refused(await call(worker, "POST", `${path}/request-changes`, { notes: "x" }), 403, "forbidden");
    const { task } = ok(await call(judge, "POST", `${path}/request-changes`, { notes: "add a test" }));
    expect(task).toMatchObject({ status: "todo", assigneeAgentId: null, ready: true });
    expect((await events(board)).at(-1)).toMatchObject({
      kind: "task_released",
      data: { via: "changes", to: "todo" },
    });
    const again = await board.claim(id, worker);
    expect(again.handoff).toEqual({ done: ["it"], next: "add a test" });
    ok(await call(worker, "POST", `${path}/release`, { leaseToken: again.lease.token }));
    expect((await board.claim(id, worker)).handoff.next).toBe("old");
  });

  it("are never asked of one's own work, nor of what is not in review", async () => {
    const { board, worker, path, leaseToken } = await held("verifier");
    const judge = await board.mint("judge", "verifier");
    refused(await call(judge, "POST", `${path}/request-changes`, { notes: "x" }), 409, "illegal_transition");
    ok(
      await call(worker, "POST", `${path}/complete`, {
        leaseToken,
        outcome: "succeeded",
        status: "in_review",
      }),
    );
    refused(await call(worker, "POST", `${path}/request-changes`, { notes: "x" }), 403, "self_review");
  });
});

describe("a run closed alone", () => {
  it.each(["succeeded", "failed", "timed_out", "cancelled"])(
    "as %s leaves no lease and a task open to claims",
    async (status) => {
      const { board, worker, id, path, leaseToken, lease } = await held();
      const close = (body: object) =>
        call(worker, "PATCH", `${board.path}/executions/${lease.executionId}`, body);
      refused(await close({ status }), 409, "lease_required");
      const { task, execution } = ok(await close({ status, leaseToken, costUsd: 0.5 }));
      expect(task).toMatchObject({ status: "todo", lease: null, assigneeAgentId: null, costUsd: 0.5 });
      expect(execution.status).toBe(status);
      ok(await close({ status, leaseToken }));
      await board.claim(id, worker);
      refused(await close({ status: "failed", leaseToken }), 409, "lease_lost");
      expect(ok(await call(board.lead, "GET", `${path}?include=executions`)).executions).toHaveLength(2);
    },
  );

  it("of nothing is not found", async () => {
    const { board } = await held();
    const lost = await call(board.lead, "PATCH", `${board.path}/executions/${crypto.randomUUID()}`, {
      status: "failed",
    });
    refused(lost, 404, "execution_not_found");
  });
});

describe("all runs", () => {
  it("are listed newest first, by agent and status, page by page", async () => {
    const board = await newBoard();
    const [a, b] = [await board.mint("a"), await board.mint("b")];
    for (let i = 0; i < 5; i++) {
      const { id } = await board.add({ title: `t${i}` });
      await board.claim(id, i % 2 === 0 ? a : b);
    }
    const list = async (query: string) => ok(await call(a, "GET", `${board.path}/executions?${query}`));
    const first = await list("limit=3");
    const rest = await list(`limit=3&cursor=${first.nextCursor}`);
    const starts = [...first.executions, ...rest.executions].map(
      (run: { startedAt: number }) => run.startedAt,
    );
    expect(starts).toHaveLength(5);
    expect(starts).toEqual([...starts].sort((x, y) => y - x));
    expect((await list("agentId=b")).executions).toHaveLength(2);
    expect((await list("status=succeeded")).executions).toEqual([]);
  });
});

describe("attempts", () => {
  it("come with the task, read from its runs", async () => {
    const { board, worker, id, path, leaseToken } = await held();
    ok(
      await call(worker, "POST", `${path}/complete`, {
        leaseToken,
        outcome: "failed",
        status: "blocked",
        error: "boom",
      }),
    );
    ok(await call(board.lead, "PATCH", path, { status: "todo" }));
    await board.claim(id, worker);
    expect(ok(await call(board.lead, "GET", path)).attempts).toEqual({
      last: "error",
      crashStreak: 0,
      errorStreak: 1,
      lastCrashLeftWork: false,
    });
  });
});

describe("reconciling by hand", () => {
  it("runs the sweep, or fails every stale run with a tombstone, once", async () => {
    const { board, worker, id, path, leaseToken } = await held();
    const reconcile = async (body: object) =>
      ok(await call(board.lead, "POST", `${board.path}/reconcile`, body));
    expect(await reconcile({ pass: "orphans" })).toEqual({ closed: 0, hasMore: false });
    ok(await call(worker, "PATCH", path, { status: "in_review", leaseToken }));
    await backdate(board, id, 200_000);
    expect(await reconcile({ pass: "orphans" })).toEqual({ closed: 1, hasMore: false });
    expect(await reconcile({ pass: "orphans", staleAfterMs: 0 })).toEqual({ closed: 0, hasMore: false });
    const { task, executions } = ok(await call(board.lead, "GET", `${path}?include=executions`));
    expect(task).toMatchObject({ status: "todo", assigneeAgentId: null, verification: null });
    expect(executions).toMatchObject([{ status: "failed", recoveryTombstone: true }]);
    await board.claim(id, worker);
    expect(await reconcile({ pass: "stale", staleAfterMs: 0 })).toEqual({ closed: 1, hasMore: false });
    expect((await board.get(id)).status).toBe("todo");
    refused(await call(worker, "POST", `${board.path}/reconcile`, { pass: "stale" }), 403, "forbidden");
  });
});

describe("a workspace", () => {
  const place = { repoPath: "/repo", branch: "task-1", worktreePath: "/repo/.wt/1", baseSha: "abc" };

  it("is recorded by the holder, on the task too, and archived once", async () => {
    const { board, worker, path, leaseToken } = await held();
    const other = await board.mint("other");
    refused(await call(other, "POST", `${path}/workspace`, place), 409, "lease_required");
    const made = ok(await call(worker, "POST", `${path}/workspace`, { ...place, leaseToken }), 201);
    expect(made.workspace).toMatchObject({ status: "active", branch: "task-1" });
    expect(made.task).toMatchObject({ branchRef: "task-1", worktreeRef: "/repo/.wt/1" });
    expect(ok(await call(other, "GET", `${path}/workspace`)).workspace).toEqual(made.workspace);
    const archived = ok(await call(worker, "PATCH", `${path}/workspace`, { status: "archived", leaseToken }));
    expect(archived.workspace.status).toBe("archived");
    refused(
      await call(board.lead, "PATCH", `${path}/workspace`, { status: "active" }),
      409,
      "illegal_transition",
    );
    const kinds = (await events(board)).filter((event) => event.kind === "workspace_changed");
    expect(kinds).toHaveLength(2);
    expect(ok(await call(other, "GET", `${path}?include=workspace`)).workspace.status).toBe("archived");
  });

  it.each(["research", "review", "read-only"])("is refused to work of kind %s", async (kind) => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const { id } = await board.add({ title: "look", kind });
    const { lease } = await board.claim(id, worker);
    const body = { ...place, leaseToken: lease.token };
    refused(await call(worker, "POST", `${board.path}/tasks/${id}/workspace`, body), 422, "no_isolation");
  });

  it("is not moved by the token of an earlier epoch", async () => {
    const { board, worker, id, path, leaseToken } = await held();
    ok(await call(worker, "POST", `${path}/release`, { leaseToken }));
    await board.claim(id, worker);
    refused(await call(worker, "POST", `${path}/workspace`, { ...place, leaseToken }), 409, "lease_lost");
    expect(ok(await call(worker, "GET", `${path}/workspace`)).workspace).toBeNull();
  });
});
