/** Done means verified, and nobody judges his own work. */
import { describe, expect, it } from "vitest";
import { call, events, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";

/** Attempts oldest first; each says whether its gate passed. */
function verdict(status: string, passed: boolean[], criticRan = false) {
  return {
    status,
    attempts: passed.map((each, index) => ({
      attempt: index + 1,
      at: 1,
      deterministic: { command: "npm test", exitCode: each ? 0 : 1, passed: each, durationMs: 5 },
      critic: { ran: criticRan },
      status,
    })),
    updatedAt: 1,
  };
}

async function inReview(board: TestBoard, builder: string) {
  const { id } = await board.add({ title: "t" });
  const { lease } = await board.claim(id, builder);
  const word = { leaseToken: lease.token, outcome: "succeeded", status: "in_review" };
  ok(await call(builder, "POST", `${board.path}/tasks/${id}/complete`, word));
  return { id, path: `${board.path}/tasks/${id}` };
}

describe("the gate", () => {
  it.each([
    ["pass", [true], true],
    ["fail", [true], false],
    ["completed_with_debt", [false, true], true],
    ["completed_with_debt", [true, false], false],
  ] as const)("with %s over gates %j lets through: %s", async (status, passed, allowed) => {
    const board = await newBoard();
    const judge = await board.mint("judge", "verifier");
    const { path } = await inReview(board, await board.mint("builder"));
    ok(await call(judge, "PUT", `${path}/verification`, { epoch: 1, result: verdict(status, [...passed]) }));
    const done = await call(board.lead, "PATCH", path, { status: "done" });
    if (allowed) expect(ok(done).task.completedAt).toBeGreaterThan(0);
    else refused(done, 409, "verification_required");
  });

  it("lets an empty or unreadable cell through, unless the board wants a verdict", async () => {
    const board = await newBoard();
    const builder = await board.mint("builder");
    const [empty, broken] = [await inReview(board, builder), await inReview(board, builder)];
    await inside(board, ({ sql }) => sql.run("update tasks set verification = '{' where id = ?", broken.id));
    ok(await call(board.lead, "PATCH", empty.path, { status: "done" }));
    ok(await call(board.lead, "PATCH", broken.path, { status: "done" }));
    ok(await call(board.lead, "PATCH", board.path, { settings: { requireVerification: true } }));
    const third = await inReview(board, builder);
    refused(await call(board.lead, "PATCH", third.path, { status: "done" }), 409, "verification_required");
  });

  it("is passed by a lead's override alone, with an audit row for each", async () => {
    const board = await newBoard();
    const judge = await board.mint("judge", "verifier");
    const { id, path } = await inReview(board, await board.mint("builder"));
    ok(await call(judge, "PUT", `${path}/verification`, { epoch: 1, result: verdict("fail", [false]) }));
    refused(
      await call(judge, "PATCH", path, { status: "done", humanOverride: true }),
      403,
      "override_forbidden",
    );
    const override = { status: "done", humanOverride: true, overrideReason: "the gate is broken" };
    ok(await call(board.lead, "PATCH", path, override));
    const { entries } = ok(await call(board.lead, "GET", `${board.path}/audit?kind=human_override`));
    expect(entries).toMatchObject([
      { taskId: id, actorId: "lead", priorStatus: "in_review", reason: "the gate is broken" },
    ]);
    expect((await events(board)).at(-1)).toMatchObject({ kind: "status_changed", data: { override: true } });
  });
});

describe("a verdict", () => {
  it("is cleared by a release: a past run's failure does not gate the next one", async () => {
    const board = await newBoard();
    const builder = await board.mint("builder");
    const judge = await board.mint("judge", "verifier");
    const { id } = await board.add({ title: "t" });
    const { lease } = await board.claim(id, builder);
    const path = `${board.path}/tasks/${id}`;
    ok(await call(judge, "PUT", `${path}/verification`, { epoch: 1, result: verdict("fail", [false]) }));
    const { task } = ok(await call(builder, "POST", `${path}/release`, { leaseToken: lease.token }));
    expect(task.verification).toBeNull();
  });

  it("binds to the epoch it judged", async () => {
    const board = await newBoard();
    const builder = await board.mint("builder");
    const judge = await board.mint("judge", "verifier");
    const { id } = await board.add({ title: "t" });
    const path = `${board.path}/tasks/${id}`;
    const put = (epoch: number) =>
      call(judge, "PUT", `${path}/verification`, { epoch, result: verdict("pass", [true]) });
    const first = await board.claim(id, builder);
    ok(await call(builder, "POST", `${path}/release`, { leaseToken: first.lease.token }));
    refused(await put(1), 409, "stale_epoch");
    await board.claim(id, builder);
    refused(await put(1), 409, "stale_epoch");
    refused(await put(3), 409, "stale_epoch");
    ok(await put(2));
  });

  it("with a critic's word is never the builder's own; an exit code may be, with his token", async () => {
    const board = await newBoard();
    const builder = await board.mint("builder", "verifier");
    const { id } = await board.add({ title: "t" });
    const { lease } = await board.claim(id, builder);
    const path = `${board.path}/tasks/${id}`;
    const put = (result: object, more = {}) =>
      call(builder, "PUT", `${path}/verification`, { epoch: 1, result, ...more });
    refused(await put(verdict("pass", [true])), 409, "lease_required");
    refused(await put(verdict("pass", [true], true), { leaseToken: lease.token }), 403, "self_review");
    ok(await put(verdict("pass", [true]), { leaseToken: lease.token }));
    ok(
      await call(builder, "POST", `${path}/complete`, {
        leaseToken: lease.token,
        outcome: "succeeded",
        status: "in_review",
      }),
    );
    refused(await put(verdict("pass", [true], true)), 403, "self_review");
    refused(await call(builder, "PATCH", path, { status: "done" }), 403, "self_review");
  });

  it("is kept whole, with what was not said filled in", async () => {
    const board = await newBoard();
    const judge = await board.mint("judge", "verifier");
    const { path } = await inReview(board, await board.mint("builder"));
    const result = { ...verdict("pass", [true]), debtNotes: ["rename it"] };
    ok(await call(judge, "PUT", `${path}/verification`, { epoch: 1, result }));
    const { verification, epoch } = ok(await call(judge, "GET", `${path}/verification`));
    expect(epoch).toBe(1);
    expect(verification).toMatchObject({
      debtNotes: ["rename it"],
      structuredError: null,
      attempts: [{ critic: { findings: [] } }],
    });
  });
});
