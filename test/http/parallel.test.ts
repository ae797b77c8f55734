/** Many at once: nobody waits for a lock, nobody is told a lie, and nothing is done twice. */
import { expect, it } from "vitest";
import { call, events, newBoard, OPERATOR, ok, type Reply, refused, type TestBoard } from "../support/api.ts";

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const statuses = (replies: Reply[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(replies, ({ status }) => status)).map(([status, all]) => [
      status,
      all?.length,
    ]),
  );

function claim(board: TestBoard, id: string, token: string): Promise<Reply> {
  return call(token, "POST", `${board.path}/tasks/${id}/claim`, {});
}

it("of fifty agents who claim one task one gets it, and the others learn who has it", async () => {
  const board = await newBoard();
  const agents = await Promise.all(times(50, (n) => board.mint(`agent-${n}`)));
  for (let round = 0; round < 2; round++) {
    const task = await board.add({ title: `round ${round}` });
    const replies = await Promise.all(agents.map((token) => claim(board, task.id, token)));
    expect(statuses(replies)).toEqual({ 200: 1, 409: 49 });
    const won = replies.find(({ status }) => status === 200) as Reply;
    const winner: string = won.json.task.assigneeAgentId;
    for (const reply of replies.filter((one) => one !== won)) {
      const { holder, retryable, hint } = refused(reply, 409, "conflict");
      expect(holder).toMatchObject({
        agentId: winner,
        epoch: 1,
        state: "live",
        heartbeatAt: won.json.task.heartbeatAt,
      });
      expect([retryable, typeof hint, holder.expiresAt]).toEqual([false, "string", won.json.lease.expiresAt]);
      expect(reply.text).not.toContain(won.json.lease.token);
    }
    const runs = ok(await call(board.lead, "GET", `${board.path}/tasks/${task.id}/executions`)).executions;
    expect(runs).toMatchObject([{ agentId: winner, status: "running", epoch: 1 }]);
    expect(await events(board, `&kind=task_claimed&taskId=${task.id}`)).toHaveLength(1);
  }
});

it("agents who ask for the next task at once each get another one", async () => {
  const board = await newBoard();
  const agents = await Promise.all(times(20, (n) => board.mint(`agent-${n}`)));
  await Promise.all(times(30, (n) => board.add({ title: `t${n}` })));
  const replies = await Promise.all(
    agents.map((token) => call(token, "POST", `${board.path}/claims`, { limit: 2 })),
  );
  const taken = replies.flatMap((reply) =>
    ok(reply).claims.map(({ task }: { task: { id: string } }) => task.id),
  );
  expect([taken.length, new Set(taken).size]).toEqual([30, 30]);
  expect(ok(await call(board.lead, "GET", board.path)).counts).toMatchObject({ todo: 0, in_progress: 30 });
});

it("three sessions of one agent do not own a task three times", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one" });
  const sessions = await Promise.all(times(3, () => board.mint("same name")));
  expect(statuses(await Promise.all(sessions.map((token) => claim(board, task.id, token))))).toEqual({
    200: 1,
    409: 2,
  });
});

it("two hundred parallel creates make two hundred tasks, numbered without a gap", async () => {
  const board = await newBoard();
  const replies = await Promise.all(
    times(200, (n) => call(board.lead, "POST", `${board.path}/tasks`, { title: `t${n}` })),
  );
  const tasks = replies.map((reply) => ok(reply, 201).task);
  expect(tasks.map(({ number }) => number).sort((a, b) => a - b)).toEqual(times(200, (n) => n + 1));
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(200);
  expect(new Set(tasks.map(({ title }) => title)).size).toBe(200);
  const last = tasks.find(({ number }) => number === 200);
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${last.id}`));
  expect((await board.add({ title: "next" })).number).toBe(201);
});

it("one trigger that fires ten times makes one task, and tells the others which", async () => {
  const board = await newBoard();
  const body = { title: "from a trigger", externalRef: "TRIGGER-1" };
  const replies = await Promise.all(times(10, () => call(board.lead, "POST", `${board.path}/tasks`, body)));
  expect(statuses(replies)).toEqual({ 201: 1, 409: 9 });
  const { id } = replies.find(({ status }) => status === 201)?.json.task ?? {};
  for (const reply of replies.filter(({ status }) => status === 409))
    expect(refused(reply, 409, "duplicate").taskId).toBe(id);
});

it("a run that is started twice at once runs once", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one" });
  const path = `${board.path}/tasks/${task.id}`;
  refused(await call(board.lead, "POST", `${path}/executions`, {}), 409, "lease_required");
  refused(
    await call(board.lead, "POST", `${board.path}/tasks`, { title: "x", status: "in_progress" }),
    400,
    "invalid_request",
  );
  ok(await call(board.lead, "PATCH", path, { status: "in_progress" }));
  const replies = await Promise.all(times(8, () => call(board.lead, "POST", `${path}/executions`, {})));
  expect(statuses(replies)).toEqual({ 201: 1, 409: 7 });
  for (const reply of replies.filter(({ status }) => status === 409)) refused(reply, 409, "already_running");
});

it("what is claimed is offered to nobody until it is given back", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const task = await board.add({ title: "one" });
  const ready = async () => ok(await call(worker, "GET", `${board.path}/tasks?ready=true`)).tasks.length;
  expect(await ready()).toBe(1);
  const { lease } = await board.claim(task.id, worker);
  expect([await ready(), ok(await call(board.lead, "POST", `${board.path}/claims`)).claims]).toEqual([0, []]);
  ok(await call(worker, "POST", `${board.path}/tasks/${task.id}/release`, { leaseToken: lease.token }));
  expect(await ready()).toBe(1);
});

it("beats that meet the completion of their task never spoil it, and never outlive it", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const task = await board.add({ title: "one" });
  const path = `${board.path}/tasks/${task.id}`;
  const { lease } = await board.claim(task.id, worker);
  const leaseToken = lease.token;
  const beat = () => call(worker, "POST", `${path}/heartbeat`, { leaseToken });
  const finish = () =>
    call(worker, "POST", `${path}/complete`, { leaseToken, outcome: "succeeded", status: "done" });
  const replies = await Promise.all(times(101, (n) => (n === 50 ? finish() : beat())));
  expect(ok(replies[50] as Reply).task.status).toBe("done");
  for (const reply of replies)
    if (reply.status !== 200) expect(refused(reply, 409, "lease_lost").reason).toBe("completed");
  expect(refused(await beat(), 409, "lease_lost").reason).toBe("completed");
  expect(await events(board, "&kind=execution_completed")).toHaveLength(1);
});

it("thirty comments said at once while a task is claimed are all kept, in order, and all new to its holder", async () => {
  const board = await newBoard();
  const [worker, reader] = [await board.mint("agent"), await board.mint("reader")];
  const task = await board.add({ title: "one" });
  const path = `${board.path}/tasks/${task.id}`;
  const say = (n: number) => call(reader, "POST", `${path}/comments`, { body: `said ${n}` });
  const [granted, ...said] = await Promise.all([claim(board, task.id, worker), ...times(30, say)]);
  for (const reply of said) ok(reply, 201);
  const comments = ok(await call(board.lead, "GET", `${path}/comments`)).comments;
  const logged = (await events(board, "&kind=comment_added")).map(({ data }) => data.comment);
  expect(comments).toEqual(logged);
  expect(new Set(comments.map(({ body }: { body: string }) => body)).size).toBe(30);
  const leaseToken = ok(granted as Reply).lease.token;
  expect(ok(await call(worker, "POST", `${path}/heartbeat`, { leaseToken })).newComments).toBe(30);
  ok(await call(worker, "GET", `${path}/comments`));
  expect(ok(await call(worker, "POST", `${path}/heartbeat`, { leaseToken })).newComments).toBe(0);
});

it("twenty who make a board of one id make one board, and the refusals tell nothing of it", async () => {
  const id = `wanted-${crypto.randomUUID()}`;
  const replies = await Promise.all(
    times(20, () => call(OPERATOR, "POST", "/boards", { id, name: "Wanted" })),
  );
  expect(statuses(replies)).toEqual({ 201: 1, 409: 19 });
  for (const reply of replies.filter(({ status }) => status === 409)) {
    refused(reply, 409, "board_exists");
    expect(reply.text).not.toMatch(/constraint|sqlite|insert|unique/i);
  }
});

it("creates of agents at once keep within their caps", async () => {
  const board = await newBoard({ caps: { maxChildren: 5, maxRootCreates: 7 } });
  const agents = await Promise.all(times(4, (n) => board.mint(`agent-${n}`)));
  const create = (n: number, body: object) =>
    call(agents[n % 4] as string, "POST", `${board.path}/tasks`, body);
  const parent = await board.add({ title: "parent" });
  const children = await Promise.all(
    times(20, (n) => create(n, { title: `c${n}`, parentTaskId: parent.id })),
  );
  expect(statuses(children)).toEqual({ 201: 5, 422: 15 });
  const roots = await Promise.all(times(20, (n) => create(n, { title: `r${n}` })));
  expect(statuses(roots)).toEqual({ 201: 7, 422: 13 });
  for (const reply of roots.filter(({ status }) => status === 422)) refused(reply, 422, "root_rate_cap");
});

it("anyone may comment on anyone's task, and nobody edits what is another's", async () => {
  const board = await newBoard();
  const [ann, ben, viewer] = [
    await board.mint("ann"),
    await board.mint("ben"),
    await board.mint("eve", "viewer"),
  ];
  const task = await board.add({ title: "ann's" }, ann);
  const path = `${board.path}/tasks/${task.id}`;
  ok(await call(ben, "POST", `${path}/comments`, { body: "nice" }), 201);
  refused(await call(ben, "PATCH", path, { title: "ben's" }), 403, "forbidden");
  refused(await call(viewer, "POST", `${path}/comments`, { body: "nice" }), 403, "forbidden");
  ok(await call(ann, "PATCH", path, { title: "still ann's" }));
});
