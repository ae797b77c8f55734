import assert from "node:assert/strict";
import { test } from "node:test";
import { type Board, call, complete, type Json, newBoard, ok, refused, VERDICT } from "./board.ts";

/** A task that waits for a review, its builder gone. */
async function reviewed(settings: object = {}) {
  const board = await newBoard(settings);
  const [builder, judge] = [await board.mint("builder"), await board.mint("judge", "verifier")];
  const claim = await board.claim((await board.add({ title: "x" })).id, builder);
  ok(await complete(board, builder, claim, { status: "in_review" }));
  return { board, builder, judge, id: claim.task.id as string };
}

const judged = (board: Board, token: string, id: string, result: object, epoch = 1) =>
  call(token, "PUT", `${board.path}/tasks/${id}/verification`, { epoch, result: { ...VERDICT, ...result } });

const move = (board: Board, token: string, id: string, body: object) =>
  call(token, "PATCH", `${board.path}/tasks/${id}`, body);

test("a failing verdict keeps a task from done, until a lead overrides it, which is on record", async () => {
  const { board, judge, id } = await reviewed();
  ok(await judged(board, judge, id, { status: "fail" }));
  refused(await move(board, judge, id, { status: "done" }), "409 verification_required");
  const override = { status: "done", humanOverride: true, overrideReason: "it is late" };
  refused(await move(board, judge, id, override), "403 override_forbidden");
  ok(await move(board, board.lead, id, override));
  const { entries } = ok(await board.ask("GET", "/audit"));
  const said = entries.find(({ reason }: Json) => reason === "it is late");
  assert.deepEqual([said.taskId, said.priorStatus], [id, "in_review"]);
});

test("a key in what a command printed is masked, and the answer says where; a comment is kept as it is", async () => {
  const { board, judge, id } = await reviewed();
  const token = `ghp_${"a1B2".repeat(9)}`;
  const [attempt] = VERDICT.attempts;
  const attempts = [{ ...attempt, deterministic: { ...attempt?.deterministic, stdoutTail: `got ${token}` } }];
  const answer = ok(await judged(board, judge, id, { attempts }));
  assert.deepEqual(answer.masked, ["result.attempts.0.deterministic.stdoutTail"]);
  assert.match(
    answer.task.verification.attempts[0].deterministic.stdoutTail,
    /^got \[masked: github token\]$/,
  );
  const said = ok(await board.ask("POST", `/tasks/${id}/comments`, { body: token }), 201);
  assert.equal(said.comment.body, token);
});

test("debt passes over a green gate, and not over a red one", async () => {
  const { board, judge, id } = await reviewed();
  const [attempt] = VERDICT.attempts;
  const over = (passed: boolean) => ({
    status: "completed_with_debt",
    attempts: [
      { ...attempt, status: "completed_with_debt", deterministic: { ...attempt?.deterministic, passed } },
    ],
  });
  ok(await judged(board, judge, id, over(false)));
  refused(await move(board, judge, id, { status: "done" }), "409 verification_required");
  ok(await judged(board, judge, id, over(true)));
  ok(await move(board, judge, id, { status: "done" }));
});

test("a board may ask for a verdict on all work", async () => {
  const { board, judge, id } = await reviewed({ requireVerification: true });
  refused(await move(board, judge, id, { status: "done" }), "409 verification_required");
  ok(await judged(board, judge, id, {}));
  ok(await move(board, judge, id, { status: "done" }));
});

test("nobody judges or approves work of their own", async () => {
  const board = await newBoard();
  const both = await board.mint("both", "verifier");
  const claim = await board.claim((await board.add({ title: "x" })).id, both);
  ok(await complete(board, both, claim, { status: "in_review" }));
  const [attempt] = VERDICT.attempts;
  const seen = { attempts: [{ ...attempt, critic: { ran: true } }] };
  refused(await judged(board, both, claim.task.id, seen), "403 self_review");
  refused(await move(board, both, claim.task.id, { status: "done" }), "403 self_review");
});

test("a verdict on an earlier attempt is stale, and one that is no verdict is refused", async () => {
  const { board, builder, judge, id } = await reviewed();
  const changes = `${board.path}/tasks/${id}/request-changes`;
  const { task } = ok(await call(judge, "POST", changes, { notes: "once more" }));
  assert.equal(task.status, "todo");
  const again = await board.claim(id, builder);
  assert.match(JSON.stringify(again.handoff), /once more/);
  ok(await complete(board, builder, again, { status: "in_review" }));
  assert.equal(refused(await judged(board, judge, id, {}), "409 stale_epoch").epoch, 2);
  refused(await judged(board, judge, id, { attempts: [] }, 2), "400 invalid_request");
  ok(await judged(board, judge, id, {}, 2));
});
