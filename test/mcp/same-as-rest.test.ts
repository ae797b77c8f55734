/** A tool is another way to the same operation: it leaves the log that the call it stands for leaves. */
import { expect, it } from "vitest";
import { call, events, newBoard, ok, type TestBoard } from "../support/api.ts";
import { does } from "./client.ts";

interface People {
  board: TestBoard;
  worker: string;
  judge: string;
}

async function people(): Promise<People> {
  const board = await newBoard({ readyOrder: "fifo" });
  return { board, worker: await board.mint("agent"), judge: await board.mint("judge", "verifier") };
}

/** The log, without what differs between any two boards: ids and times. */
async function logOf({ board }: People): Promise<object[]> {
  const log = (await events(board)).map(({ kind, actor, epoch, data }) => ({ kind, actor, epoch, data }));
  const text = JSON.stringify(log.filter(({ kind }) => !/board|token/.test(kind)));
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return JSON.parse(text.replace(uuid, "id").replace(/\b1\d{12}\b/g, "0"));
}

it("plan, work, review and the way back leave the same log by tools and by REST", async () => {
  const tools = await people();
  const { worker, judge } = tools;
  await does(worker, "create_task", { title: "one", description: "Text.", priority: 4, labels: ["a"] });
  await does(worker, "create_task", { title: "two", parent_id: "n1" });
  await does(worker, "update_task", { task_id: "n2", add_depends_on: ["n1"], title: "second" });
  await does(worker, "add_comment", { task_id: "n1", body: "Hello." });
  const first = await does(worker, "claim_task");
  const held = { task_id: "n1", lease_token: first.lease_token };
  await does(worker, "finish_task", { ...held, outcome: "release", summary: "Not now.", next: "Go on." });
  const again = { task_id: "n1", lease_token: (await does(worker, "claim_task")).lease_token };
  await does(worker, "heartbeat", { ...again, note: "at it", cost_usd: 0.5 });
  await does(worker, "finish_task", { ...again, outcome: "in_review", summary: "Built.", commit: "abc" });
  await does(judge, "review_task", { task_id: "n1", epoch: 2, verdict: "fail", notes: "No." });
  const third = { task_id: "n1", lease_token: (await does(worker, "claim_task")).lease_token };
  await does(worker, "finish_task", { ...third, outcome: "in_review", summary: "Now." });
  const checks = [{ name: "npm test", ok: true }];
  await does(judge, "review_task", { task_id: "n1", epoch: 3, verdict: "pass", checks });
  await does(tools.board.lead, "update_task", { task_id: "n2", status: "blocked", blocked_reason: "Wait." });
  const byTools = await logOf(tools);

  const rest = await people();
  const verdicts = (await events(tools.board)).filter(({ kind }) => kind === "verification_recorded");
  const as =
    (token: string) =>
    async (method: string, path: string, body: object, status = 200) =>
      ok(await call(token, method, rest.board.path + path, body), status);
  const [work, review, lead] = [as(rest.worker), as(rest.judge), as(rest.board.lead)];
  const claim = async () => (await work("POST", "/claims", {})).claims[0].lease.token as string;
  await work("POST", "/tasks", { title: "one", description: "Text.", priority: 4, labels: ["a"] }, 201);
  await work("POST", "/tasks", { title: "two", parentTaskId: "n1" }, 201);
  await work("POST", "/tasks/n2/dependencies", { dependsOnTaskId: "n1" }, 201);
  await work("PATCH", "/tasks/n2", { title: "second" });
  await work("POST", "/tasks/n1/comments", { body: "Hello." }, 201);
  const handoff = { next: "Go on." };
  await work("POST", "/tasks/n1/release", { leaseToken: await claim(), reason: "Not now.", handoff });
  const leaseToken = await claim();
  await work("POST", "/tasks/n1/heartbeat", { leaseToken, progress: "at it", usage: { costUsd: 0.5 } });
  const toReview = { outcome: "succeeded", status: "in_review" };
  await work("POST", "/tasks/n1/complete", {
    leaseToken,
    ...toReview,
    summary: "Built.",
    afterCommit: "abc",
  });
  await review("PUT", "/tasks/n1/verification", { epoch: 2, result: verdicts[0].data.verification });
  await review("POST", "/tasks/n1/request-changes", { notes: "No." });
  await work("POST", "/tasks/n1/complete", { leaseToken: await claim(), ...toReview, summary: "Now." });
  await review("PUT", "/tasks/n1/verification", { epoch: 3, result: verdicts[1].data.verification });
  await review("PATCH", "/tasks/n1", { status: "done" });
  await lead("PATCH", "/tasks/n2", { status: "blocked", blockedReason: "Wait." });
  expect(byTools.length).toBeGreaterThan(14);
  expect(byTools).toEqual(await logOf(rest));
});

it("what is ready is listed in the order it is handed out, as REST lists it", async () => {
  const { board, worker } = await people();
  for (const [title, priority] of [
    ["a", 1],
    ["b", 5],
    ["c", 5],
    ["d", 0],
  ] as const)
    await board.add({ title, priority });
  await board.add({ title: "waits", priority: 9, dependsOn: ["n1"] });
  const listed = (await does(worker, "list_tasks", { ready: true })).tasks.map(
    ({ id }: { id: string }) => id,
  );
  const { tasks } = ok(await call(worker, "GET", `${board.path}/tasks?ready=true`));
  expect(listed).toEqual(tasks.map(({ number }: { number: number }) => `n${number}`));
  const claimed: string[] = [];
  for (const _ of listed) claimed.push((await does(worker, "claim_task")).task.id);
  expect(claimed).toEqual(listed);
});
