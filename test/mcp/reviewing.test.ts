/** Reviews: a verdict on somebody else's attempt, and where the task goes from there. */
import { expect, it } from "vitest";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { does, refuses } from "./client.ts";

const GREEN = [{ name: "npm test", ok: true }];

/** A task in review that `agent` built and no longer holds. */
async function inReview(board: TestBoard): Promise<{ worker: string; judge: string }> {
  const [worker, judge] = [await board.mint("agent"), await board.mint("judge", "verifier")];
  await board.add({ title: "judge me" });
  const { lease_token } = await does(worker, "claim_task");
  await does(worker, "finish_task", { task_id: "n1", lease_token, outcome: "in_review", summary: "Built." });
  return { worker, judge };
}

it("pass moves it to done, and the verdict is there to read", async () => {
  const board = await newBoard();
  const { judge } = await inReview(board);
  const asked = { task_id: "n1", epoch: 1, verdict: "pass", checks: GREEN, notes: "Nicely done." };
  expect(await does(judge, "review_task", asked)).toMatchObject({ moved: true, task: { status: "done" } });
  const seen = await does(judge, "get_task", { task_id: "n1", include: ["verdict", "comments"] });
  expect(seen.verdict).toMatchObject([{ status: "pass", report: "passed: npm test\nok: npm test" }]);
  expect(seen.comments).toMatchObject([{ author: "judge", body: "Nicely done." }]);
  const { verification } = await board.get("n1");
  expect(verification?.attempts).toMatchObject([
    { attempt: 1, status: "pass", deterministic: { passed: true, exitCode: 0 }, critic: { ran: true } },
  ]);
});

it("debt needs green checks and says what is left; then it is done", async () => {
  const board = await newBoard();
  const { judge } = await inReview(board);
  const asked = { task_id: "n1", epoch: 1, verdict: "debt", notes: "The names could be better." };
  await refuses(judge, "review_task", asked, "invalid_request");
  await refuses(judge, "review_task", { ...asked, checks: [{ name: "lint", ok: false }] }, "invalid_request");
  await refuses(judge, "review_task", { ...asked, notes: undefined, checks: GREEN }, "invalid_request");
  expect((await does(judge, "review_task", { ...asked, checks: GREEN })).task.status).toBe("done");
  const seen = await does(judge, "get_task", { task_id: "n1", include: ["verdict"] });
  expect(seen.verdict[0]).toMatchObject({ status: "completed_with_debt" });
  expect(seen.verdict[0].report).toContain("debt: The names could be better.");
});

it("fail sends it back: whoever claims it next is handed the notes", async () => {
  const board = await newBoard();
  const { worker, judge } = await inReview(board);
  const asked = { task_id: "n1", epoch: 1, verdict: "fail", notes: "Line 3 leaks." };
  expect(await does(judge, "review_task", asked)).toMatchObject({ moved: true, task: { status: "todo" } });
  expect((await does(worker, "claim_task")).handoff).toBe("next: Line 3 leaks.");
  expect(await refuses(judge, "review_task", asked, "stale_epoch")).toContain("get_task");
});

it("where nothing was run, nothing is said to have passed", async () => {
  const board = await newBoard();
  const { judge } = await inReview(board);
  await does(judge, "review_task", { task_id: "n1", epoch: 1, verdict: "pass" });
  const gate = (await board.get("n1")).verification?.attempts[0]?.deterministic;
  expect(gate).toMatchObject({ command: "none", exitCode: null, passed: false });
});

it("nobody reviews his own work", async () => {
  const board = await newBoard();
  await board.add({ title: "own" });
  const judge = await board.mint("judge", "verifier");
  const { lease_token } = await does(judge, "claim_task");
  await does(judge, "finish_task", { task_id: "n1", lease_token, outcome: "in_review", summary: "Mine." });
  const asked = { task_id: "n1", epoch: 1, verdict: "pass" };
  expect(await refuses(judge, "review_task", asked, "self_review")).toContain("another agent");
  expect((await board.get("n1")).verification).toBeNull();
});

it("a task that is still held keeps its verdict and its place, and both are told", async () => {
  const board = await newBoard();
  const [worker, judge] = [await board.mint("agent"), await board.mint("judge", "verifier")];
  await board.add({ title: "held" });
  const { lease_token } = await does(worker, "claim_task");
  const asked = { task_id: "n1", epoch: 1, verdict: "pass", checks: GREEN };
  const early = await does(judge, "review_task", asked);
  expect(early).toMatchObject({ moved: false, task: { status: "in_progress", verdict: "pass" } });
  await does(worker, "update_task", { task_id: "n1", lease_token, status: "in_review" });
  const told = await refuses(judge, "review_task", asked, "lease_required");
  expect(told).toContain("Already done by this call: the verdict is recorded.");
  const attempts = (await board.get("n1")).verification?.attempts ?? [];
  expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
  // Its holder goes on with what a failed review says.
  await does(judge, "review_task", { task_id: "n1", epoch: 1, verdict: "fail", notes: "Not yet." });
  expect(await board.get("n1")).toMatchObject({ status: "in_progress", assigneeAgentId: "agent" });
  const done = { task_id: "n1", lease_token, outcome: "done", summary: "I say so." };
  expect(await refuses(worker, "finish_task", done, "verification_required")).toContain("in_review");
  ok(await call(worker, "GET", `${board.path}/tasks/n1`));
});
