/** A board on which everything has happened that an export has to carry. */
import { expect } from "vitest";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";

export interface FullBoard {
  board: TestBoard;
  worker: string;
  /** Tasks by what they are there for. */
  ids: Record<"done" | "held" | "waiting" | "review" | "dropped" | "old" | "child" | "cancelled", string>;
  /** The lease of `held`. */
  leaseToken: string;
}

const VERDICT = {
  status: "completed_with_debt",
  attempts: [
    {
      attempt: 1,
      at: 5,
      deterministic: { command: "make test", exitCode: 0, passed: true, durationMs: 7 },
      critic: { ran: true, findings: [{ severity: "style", title: "long", body: "very", startLine: 3 }] },
      status: "completed_with_debt",
    },
  ],
  updatedAt: 6,
  debtNotes: ["later"],
};

export async function fullBoard(): Promise<FullBoard> {
  const board = await newBoard({ leaseTtlMs: 600_000, caps: { maxDepth: 5 } });
  const [worker, verifier] = [
    await board.mint("worker", "worker", { runtime: "rt" }),
    await board.mint("verifier", "verifier"),
  ];
  const at = (id: string, rest = "") => `${board.path}/tasks/${id}${rest}`;
  const post = async (token: string, path: string, body: object, status = 200) =>
    ok(await call(token, "POST", path, body), status);
  const done = await board.add({
    title: "done ✓ 𝒳",
    description: 'two\n"lines"',
    priority: 7,
    externalRef: "X-1",
  });
  const held = await board.add({ title: "held", labels: ["a", "b"], requiredCapabilities: [], kind: "bug" });
  const waiting = await board.add({ title: "waiting", dependsOn: [done.id, held.id], budgetUsd: 3.5 });
  const review = await board.add({
    title: "review",
    teamId: "team",
    sourceDelegationId: "d",
    scheduledBy: "cron",
  });
  const dropped = await board.add({ title: "dropped", externalRef: "X-2" });
  const child = await board.add({
    title: "child",
    parentTaskId: held.id,
    notBefore: Date.now() + 86_400_000,
  });
  const cancelled = await board.add({ title: "cancelled", externalRef: "X-3" });
  const old = await board.add({ title: "old", status: "backlog" });
  const late = await board.add({ title: "a parent younger than its child" });
  ok(await call(board.lead, "PATCH", at(old.id), { parentTaskId: late.id, assigneeRuntime: undefined }));
  await post(
    board.lead,
    at(child.id, "/dependencies"),
    { dependsOnTaskId: cancelled.id, onCancel: "satisfy" },
    201,
  );
  await post(
    board.lead,
    at(old.id, "/dependencies"),
    { dependsOnTaskId: review.id, onCancel: "cascade" },
    201,
  );
  for (const body of ["first", "second\nwith a line", "✓"])
    await post(worker, at(done.id, "/comments"), { body }, 201);
  await post(board.lead, at(held.id, "/comments"), { body: "look out" }, 201);

  const failed = (await board.claim(done.id, worker, { runtime: "rt", runReason: "try" })).lease.token;
  await post(worker, at(done.id, "/heartbeat"), {
    leaseToken: failed,
    progress: "half",
    usage: { inputTokens: 5, costUsd: 0.25 },
  });
  await post(worker, at(done.id, "/release"), {
    leaseToken: failed,
    reason: "lunch",
    handoff: { next: "go on" },
  });
  const again = (await board.claim(done.id, worker, { beforeCommit: "abc" })).lease.token;
  await post(worker, at(done.id, "/complete"), {
    leaseToken: again,
    outcome: "succeeded",
    status: "done",
    summary: "It is done",
    afterCommit: "def",
    inputTokens: 10,
    costUsd: 0.5,
    handoff: { done: ["all"], commands: { init: "i", verify: "v", start: "s" } },
  });
  const handed = (await board.claim(review.id, worker)).lease.token;
  await post(
    worker,
    at(review.id, "/workspace"),
    { leaseToken: handed, repoPath: "/r", branch: "b", worktreePath: "/t" },
    201,
  );
  await post(worker, at(review.id, "/complete"), {
    leaseToken: handed,
    outcome: "succeeded",
    status: "in_review",
  });
  ok(await call(verifier, "PUT", at(review.id, "/verification"), { epoch: 1, result: VERDICT }));
  ok(await call(board.lead, "PATCH", at(cancelled.id), { status: "cancelled" }));
  ok(await call(board.lead, "DELETE", at(dropped.id)));
  const { lease } = await board.claim(held.id, worker);
  expect(lease.epoch).toBe(1);
  return {
    board,
    worker,
    leaseToken: lease.token,
    ids: {
      done: done.id,
      held: held.id,
      waiting: waiting.id,
      review: review.id,
      dropped: dropped.id,
      old: old.id,
      child: child.id,
      cancelled: cancelled.id,
    },
  };
}

/** Lets go of the one task that is held: what is left travels unchanged. */
export async function letGo({ board, worker, ids, leaseToken }: FullBoard): Promise<void> {
  ok(await call(worker, "POST", `${board.path}/tasks/${ids.held}/release`, { leaseToken }));
}
