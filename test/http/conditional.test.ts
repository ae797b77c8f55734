import { expect, it } from "vitest";
import { call, fingerprintOf, newBoard, ok, type Reply, refused, type TestBoard } from "../support/api.ts";

const etagOf = (reply: Reply) => reply.headers.get("etag");

function patch(
  board: TestBoard,
  id: string,
  body: object,
  headers: Record<string, string>,
  token = board.lead,
) {
  return call(token, "PATCH", `${board.path}/tasks/${id}`, body, headers);
}

const ifMatch = (version: number | string) => ({
  "if-match": typeof version === "number" ? `"${version}"` : version,
});
const ifSeq = (seq: number) => ({ "if-match-seq": String(seq) });

it("a task's ETag is its version, wherever the task is told alone", async () => {
  const board = await newBoard();
  const made = await call(board.lead, "POST", `${board.path}/tasks`, { title: "one" });
  expect([ok(made, 201).task.version, etagOf(made)]).toEqual([1, '"1"']);
  const { id } = made.json.task;
  expect(etagOf(await call(board.lead, "GET", `${board.path}/tasks/${id}`))).toBe('"1"');
  const edited = await patch(board, id, { title: "two" }, {});
  expect([ok(edited).task.version, etagOf(edited)]).toEqual([2, '"2"']);
  expect(etagOf(await call(board.lead, "GET", `${board.path}/tasks/n1?include=comments`))).toBe('"2"');
});

it("only content edits count in the version; everything that happens counts in changeSeq", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const task = await board.add({ title: "one" });
  const other = await board.add({ title: "other" });
  const seen: [string, number][] = [];
  let seq = task.changeSeq;
  const look = async (what: string) => {
    const now = await board.get(task.id);
    expect([what, now.changeSeq > seq]).toEqual([what, true]);
    seq = now.changeSeq;
    seen.push([what, now.version]);
  };
  const post = (path: string, body: object, token = board.lead) =>
    call(token, "POST", `${board.path}/tasks/${task.id}/${path}`, body);
  ok(await post("comments", { body: "hello" }), 201);
  await look("comment");
  ok(await post("dependencies", { dependsOnTaskId: other.id }), 201);
  await look("link");
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${task.id}/dependencies/${other.id}`));
  await look("unlink");
  ok(await patch(board, task.id, { status: "blocked" }, {}));
  await look("move");
  ok(await patch(board, task.id, { status: "todo" }, {}));
  await look("move back");
  const { lease } = ok(await post("claim", {}, worker));
  await look("claim");
  ok(await post("release", { leaseToken: lease.token }, worker));
  await look("release");
  expect(seen.every(([, version]) => version === 1)).toBe(true);
  ok(await patch(board, task.id, { labels: ["a"] }, {}));
  await look("edit");
  ok(await patch(board, task.id, { priority: 3, status: "blocked" }, {}));
  await look("edit and move");
  expect(seen.slice(-2)).toEqual([
    ["edit", 2],
    ["edit and move", 3],
  ]);
});

it("an edit of what has changed meanwhile is refused with the task as it is, and changes nothing", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one" });
  ok(await patch(board, task.id, { title: "two" }, ifMatch(1)));
  const before = await fingerprintOf(board, task.id);
  for (const version of [1, 3, 0, 999]) {
    const late = refused(
      await patch(board, task.id, { title: "three" }, ifMatch(version)),
      412,
      "version_mismatch",
    );
    expect(late.task).toEqual(await board.get(task.id));
    expect(late.task).toMatchObject({ title: "two", version: 2 });
  }
  const both = await patch(board, task.id, { title: "three", status: "blocked" }, ifMatch(1));
  refused(both, 412, "version_mismatch");
  expect(await fingerprintOf(board, task.id)).toBe(before);
  expect(ok(await patch(board, task.id, { title: "three" }, ifMatch(2))).task).toMatchObject({
    title: "three",
    version: 3,
  });
});

it("a weak ETag and a star are taken too", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one" });
  ok(await patch(board, task.id, { title: "two" }, ifMatch('W/"1"')));
  refused(await patch(board, task.id, { title: "x" }, ifMatch('W/"1"')), 412, "version_mismatch");
  ok(await patch(board, task.id, { title: "three" }, ifMatch("*")));
  refused(await patch(board, "n9", { title: "x" }, ifMatch("*")), 404, "task_not_found");
});

it("of two edits made on one version, one is kept and the other is told", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one" });
  for (let round = 1; round <= 10; round++) {
    const titles = [`${round} a`, `${round} b`];
    const replies = await Promise.all(
      titles.map((title) => patch(board, task.id, { title }, ifMatch(round))),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
    const winner = titles[replies.findIndex(({ status }) => status === 200)];
    expect(await board.get(task.id)).toMatchObject({ title: winner, version: round + 1 });
  }
});

it("parallel edits of different fields are all kept", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one" });
  const edits = {
    title: "edited",
    description: "text",
    priority: 7,
    labels: ["a"],
    kind: "bug",
    teamId: "team",
    requiredCapabilities: ["gpu"],
    externalRef: "X-1",
    budgetUsd: 5,
    notBefore: 1,
  };
  const replies = await Promise.all(
    Object.entries(edits).map(([field, value]) => patch(board, task.id, { [field]: value }, {})),
  );
  for (const reply of replies) ok(reply);
  expect(await board.get(task.id)).toMatchObject({ ...edits, version: 1 + replies.length });
  expect(new Set(replies.map(({ json }) => json.task.version)).size).toBe(replies.length);
});

it("a move on what one has seen is refused once anything happened to the task", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one" });
  ok(await call(board.lead, "POST", `${board.path}/tasks/${task.id}/comments`, { body: "wait" }), 201);
  const before = await fingerprintOf(board, task.id);
  const late = await patch(board, task.id, { status: "blocked" }, ifSeq(task.changeSeq));
  const shown = refused(late, 412, "version_mismatch").task;
  expect(shown).toMatchObject({ status: "todo", changeSeq: task.changeSeq + 1 });
  expect(await fingerprintOf(board, task.id)).toBe(before);
  // The version has not moved, so that an edit made on it is still good.
  ok(await patch(board, task.id, { title: "two" }, ifMatch(1)));
  const now = await board.get(task.id);
  expect(ok(await patch(board, task.id, { status: "blocked" }, ifSeq(now.changeSeq))).task.status).toBe(
    "blocked",
  );
});

it("of two moves made on one state, one is made and the other is told", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one" });
  const moves = ["blocked", "backlog"].map((status) =>
    patch(board, task.id, { status }, ifSeq(task.changeSeq)),
  );
  const replies = await Promise.all(moves);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
  const made = replies.find(({ status }) => status === 200) as Reply;
  expect((await board.get(task.id)).status).toBe(made.json.task.status);
});

it("with both conditions both have to hold", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one" });
  const both = (version: number, seq: number) => ({ ...ifMatch(version), ...ifSeq(seq) });
  const { changeSeq } = task;
  for (const headers of [both(1, changeSeq - 1), both(2, changeSeq), both(2, changeSeq + 1)])
    refused(await patch(board, task.id, { title: "x" }, headers), 412, "version_mismatch");
  ok(await patch(board, task.id, { title: "two" }, both(1, changeSeq)));
});

it("a condition is looked at after who asks, and before what is asked", async () => {
  const board = await newBoard();
  const [holder, stranger] = [await board.mint("holder"), await board.mint("stranger")];
  const task = await board.add({ title: "one" });
  const stale = ifMatch(99);
  const refusal = async (body: object, token: string, status: number, code: string) =>
    refused(await patch(board, task.id, body, stale, token), status, code);
  await refusal({ title: "x" }, stranger, 403, "forbidden");
  await refusal({ status: "in_progress" }, stranger, 409, "claim_required");
  await refusal({ status: "done", humanOverride: true }, stranger, 403, "override_forbidden");
  await refusal({ status: "in_review" }, board.lead, 412, "version_mismatch");
  const { lease } = await board.claim(task.id, holder);
  await refusal({ title: "x" }, holder, 409, "lease_required");
  await refusal({ title: "x", leaseToken: "old" }, holder, 409, "lease_lost");
  await refusal({ status: "todo" }, board.lead, 409, "lease_required");
  await refusal({ title: "x", leaseToken: lease.token }, holder, 412, "version_mismatch");
  await refusal({ status: "backlog", leaseToken: lease.token }, holder, 412, "version_mismatch");
  const fresh = await patch(
    board,
    task.id,
    { status: "backlog", leaseToken: lease.token },
    ifMatch(1),
    holder,
  );
  refused(fresh, 409, "illegal_transition");
});

it("asking for the status a task has is fine whatever the condition says, and changes nothing", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one" });
  const before = await fingerprintOf(board, task.id);
  const same = await patch(board, task.id, { status: "todo" }, { ...ifMatch(99), ...ifSeq(0) });
  expect(ok(same).task).toEqual(task);
  expect(etagOf(same)).toBe('"1"');
  expect(await fingerprintOf(board, task.id)).toBe(before);
});
