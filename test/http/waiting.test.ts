/** Claims that wait: answered by the change itself, by nothing else, and at their deadline at the latest. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { decodeJwt } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BASE } from "../../src/contract/route.ts";
import { app } from "../../src/http/app.ts";
import { call, newBoard, OPERATOR, ok, type Reply, refused, type TestBoard } from "../support/api.ts";
import { backdate, inside } from "../support/inside.ts";
import { readReply } from "./support.ts";
import { LONG, waiting, waits } from "./waiting.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

async function waitForWork(
  board: TestBoard,
  token: string,
  body: object = {},
): Promise<{ answer: Promise<Reply> }> {
  const [answer] = await waiting(() => [
    call(token, "POST", `${board.path}/claims`, { waitMs: LONG, ...body }),
  ]);
  return { answer: answer as Promise<Reply> };
}

interface Scene {
  board: TestBoard;
  id: string;
}

const patch = ({ board, id }: Scene, body: object) =>
  call(board.lead, "PATCH", `${board.path}/tasks/${id}`, body);

/** A board with nothing ready, and the act that makes one task so. */
const WAKES: Record<
  string,
  [prepare: (board: TestBoard) => Promise<string>, act: (scene: Scene) => Promise<Reply | unknown>]
> = {
  "a task is created": [
    async () => "",
    ({ board }) => call(board.lead, "POST", `${board.path}/tasks`, { title: "new" }),
  ],
  "a plan is made": [
    async () => "",
    ({ board }) => call(board.lead, "POST", `${board.path}/plans`, { tasks: [{ ref: "a", title: "a" }] }),
  ],
  "a task is released": [
    async (board) => (await board.add({ title: "held" })).id,
    async (scene) => patch(scene, { status: "todo", displace: true }),
  ],
  "a task is moved out of the backlog": [
    async (board) => (await board.add({ title: "backlog", status: "backlog" })).id,
    (scene) => patch(scene, { status: "todo" }),
  ],
  "its last blocker is cancelled away": [
    async (board) => {
      const blocker = await board.add({ title: "blocker", status: "backlog" });
      const task = await board.add({ title: "waits", status: "backlog" });
      const path = `${board.path}/tasks/${task.id}/dependencies`;
      ok(await call(board.lead, "POST", path, { dependsOnTaskId: blocker.id, onCancel: "satisfy" }), 201);
      ok(await call(board.lead, "PATCH", `${board.path}/tasks/${task.id}`, { status: "todo" }));
      return blocker.id;
    },
    (scene) => patch(scene, { status: "cancelled" }),
  ],
  "its dependency is taken away": [
    async (board) => {
      const blocker = await board.add({ title: "blocker", status: "backlog" });
      return (await board.add({ title: "waits", dependsOn: [blocker.id] })).id;
    },
    ({ board, id }) => call(board.lead, "DELETE", `${board.path}/tasks/${id}/dependencies/n1`),
  ],
  "a dropped task is restored": [
    async (board) => {
      const { id } = await board.add({ title: "dropped" });
      ok(await call(board.lead, "DELETE", `${board.path}/tasks/${id}`));
      return id;
    },
    ({ board, id }) => call(board.lead, "POST", `${board.path}/tasks/${id}/restore`, {}),
  ],
  "a deferral is taken back": [
    async (board) => (await board.add({ title: "later", notBefore: Date.now() + 3_600_000 })).id,
    (scene) => patch(scene, { notBefore: null }),
  ],
  "the board goes on after a pause": [
    async (board) => {
      const { id } = await board.add({ title: "paused" });
      ok(await call(board.lead, "PATCH", board.path, { paused: true }));
      return id;
    },
    ({ board }) => call(board.lead, "PATCH", board.path, { paused: false }),
  ],
};

describe("a claim that waits is answered as soon as", () => {
  it.each(Object.keys(WAKES))("%s", async (what) => {
    const [prepare, act] = WAKES[what] as (typeof WAKES)[string];
    const board = await newBoard();
    const [worker, holder] = [await board.mint("agent"), await board.mint("holder")];
    const id = await prepare(board);
    if (what === "a task is released") await board.claim(id, holder);
    const { answer } = await waitForWork(board, worker);
    const acted = (await act({ board, id })) as Reply;
    expect(acted.status, acted.text).toBeLessThan(300);
    const { claims } = ok(await answer);
    expect(claims).toHaveLength(1);
    expect(claims[0].task).toMatchObject({ status: "in_progress", assigneeAgentId: "agent" });
    ok(
      await call(worker, "POST", `${board.path}/tasks/${claims[0].task.id}/heartbeat`, {
        leaseToken: claims[0].lease.token,
      }),
    );
  });

  it("a completion unblocks one", async () => {
    const board = await newBoard();
    const [worker, builder] = [await board.mint("agent"), await board.mint("builder")];
    const first = await board.add({ title: "first" });
    const then = await board.add({ title: "then", dependsOn: [first.id] });
    const { lease } = await board.claim(first.id, builder);
    const { answer } = await waitForWork(board, worker);
    const done = { leaseToken: lease.token, outcome: "succeeded", status: "done" };
    ok(await call(builder, "POST", `${board.path}/tasks/${first.id}/complete`, done));
    expect(ok(await answer).claims[0].task.id).toBe(then.id);
  });

  it("the alarm finds that a task's time has come, or that a lease has run out", async () => {
    const board = await newBoard({ backoff: { firstMs: 0 } });
    const [worker, holder] = [await board.mint("agent"), await board.mint("holder")];
    const later = await board.add({ title: "later", notBefore: Date.now() + 3_600_000 });
    let pending = await waitForWork(board, worker);
    await inside(board, ({ sql }) => sql.run("update tasks set not_before = 1 where deferred = 1"));
    expect(await runDurableObjectAlarm(board.stub())).toBe(true);
    expect(ok(await pending.answer).claims[0].task.id).toBe(later.id);
    const held = await board.add({ title: "held" });
    await board.claim(held.id, holder);
    pending = await waitForWork(board, worker);
    await backdate(board, held.id, 600_000);
    expect(await runDurableObjectAlarm(board.stub())).toBe(true);
    expect(ok(await pending.answer).claims[0].task.id).toBe(held.id);
  });
});

it("of ten who wait for work on one task one gets it, and the others go on waiting", async () => {
  const board = await newBoard();
  const workers = await Promise.all(Array.from({ length: 10 }, (_, n) => board.mint(`agent-${n}`)));
  const answered: Reply[] = [];
  const pending = await waiting(() =>
    workers.map(async (token) => {
      const reply = await call(token, "POST", `${board.path}/claims`, { waitMs: LONG });
      answered.push(reply);
      return reply;
    }),
  );
  const task = await board.add({ title: "one" });
  await vi.waitFor(() => expect([waits(), answered.length]).toEqual([10 + 9, 1]), { timeout: 20_000 });
  const { claims } = ok(answered[0] as Reply);
  expect(claims).toMatchObject([{ task: { id: task.id }, lease: { epoch: 1 } }]);
  const runs = ok(await call(board.lead, "GET", `${board.path}/tasks/${task.id}/executions`)).executions;
  expect(runs).toMatchObject([{ status: "running", agentId: claims[0].task.assigneeAgentId }]);
  expect((await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`)).status).toBe(204);
  for (const reply of await Promise.all(pending))
    if (reply !== answered[0]) refused(reply, 404, "board_not_found");
});

it("when as many wait as may, one more is answered at once and told when to ask again", async () => {
  const board = await newBoard();
  const ask = () => call(OPERATOR, "POST", `${board.path}/claims`, { waitMs: LONG });
  const pending = await waiting(() => Array.from({ length: 200 }, ask));
  const reply = await ask();
  expect(ok(reply)).toEqual({ claims: [], retryAfterMs: expect.any(Number) });
  expect(waits()).toBe(201);
  const task = await board.add({ title: "for one of those who wait" });
  const first = await Promise.race(pending);
  expect(ok(first).claims).toMatchObject([{ task: { id: task.id } }]);
  expect((await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`)).status).toBe(204);
  expect((await Promise.all(pending)).filter(({ status }) => status === 200)).toHaveLength(1);
});

it("one token fills half of the places at most, and others go on waiting", async () => {
  const board = await newBoard();
  const [crew, other] = [await board.mint("crew"), await board.mint("other")];
  const ask = (token: string) => call(token, "POST", `${board.path}/claims`, { waitMs: LONG });
  const pending = await waiting(() => Array.from({ length: 100 }, () => ask(crew)));
  expect(ok(await ask(crew))).toEqual({ claims: [], retryAfterMs: expect.any(Number) });
  const [patient] = await waiting(() => [ask(other)]);
  await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`);
  expect((await Promise.all([...pending, patient])).map((reply) => reply?.status)).not.toContain(200);
});

it("a claim for which nothing comes ends at its deadline and says when to ask again", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const started = Date.now();
  const reply = await call(worker, "POST", `${board.path}/claims`, { waitMs: 200 });
  const took = Date.now() - started;
  expect(ok(reply)).toEqual({ claims: [], retryAfterMs: expect.any(Number) });
  expect(reply.json.retryAfterMs).toBeGreaterThanOrEqual(1_000);
  expect(reply.json.retryAfterMs).toBeLessThan(2_000);
  expect(reply.headers.get("retry-after")).toBeNull();
  expect(took).toBeGreaterThanOrEqual(199);
});

it("work that is there already is handed out without waiting", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await board.add({ title: "one" });
  expect(waits()).toBe(0);
  expect(ok(await call(worker, "POST", `${board.path}/claims`, { waitMs: LONG })).claims).toHaveLength(1);
  expect(ok(await call(worker, "POST", `${board.path}/claims`, { waitMs: 0 })).claims).toEqual([]);
  expect(ok(await call(worker, "POST", `${board.path}/claims`)).claims).toEqual([]);
  expect(waits()).toBe(0);
});

it("a paused board hands out nothing and says so", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const task = await board.add({ title: "one" });
  ok(await call(board.lead, "PATCH", board.path, { paused: true }));
  for (const waitMs of [0, 200]) {
    const answer = ok(await call(worker, "POST", `${board.path}/claims`, { waitMs }));
    expect(answer).toEqual({ claims: [], paused: true, retryAfterMs: expect.any(Number) });
  }
  refused(await call(worker, "POST", `${board.path}/tasks/${task.id}/claim`, {}), 409, "board_paused");
});

it("who waits on a board that is deleted is told so at once", async () => {
  const board = await newBoard();
  const { answer } = await waitForWork(board, await board.mint("agent"));
  expect((await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`)).status).toBe(204);
  refused(await answer, 404, "board_not_found");
});

it("a token that is revoked while its claim waits gets no work any more", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const { answer } = await waitForWork(board, worker);
  await call(board.lead, "DELETE", `${board.path}/tokens/${decodeJwt(worker).jti}`);
  const task = await board.add({ title: "one" });
  refused(await answer, 401, "token_revoked");
  expect(await board.get(task.id)).toMatchObject({ status: "todo", epoch: 0 });
});

it("a token that ends while its claim waits gets no work any more", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent", "worker", { expiresInS: 60 });
  const { answer } = await waitForWork(board, worker);
  await inside(board, ({ sql }) => {
    sql.run("update tokens set expires_at = ? where jti = ?", Date.now(), String(decodeJwt(worker).jti));
  });
  const task = await board.add({ title: "one" });
  refused(await answer, 401, "token_expired");
  expect(await board.get(task.id)).toMatchObject({ status: "todo", epoch: 0 });
});

it("who waits for events is told at once that the token was revoked, and reads nothing of it", async () => {
  const board = await newBoard();
  const viewer = await board.mint("agent", "viewer");
  const { seq } = ok(await call(board.lead, "GET", board.path));
  const [answer] = await waiting(() => [
    call(viewer, "GET", `${board.path}/events?after=${seq}&waitMs=${LONG}`),
  ]);
  ok(await call(board.lead, "DELETE", `${board.path}/tokens/${decodeJwt(viewer).jti}`), 204);
  refused((await answer) as Reply, 401, "token_revoked");
});

it("a claim whose client has gone takes nothing", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const gone = new AbortController();
  const request = new Request(`https://edgeboard.test${BASE}${board.path}/claims`, {
    method: "POST",
    headers: { authorization: `Bearer ${worker}`, "content-type": "application/json" },
    body: JSON.stringify({ waitMs: LONG }),
    signal: gone.signal,
  });
  const [answer] = await waiting(() => [Promise.resolve(app.fetch(request, env)).then(readReply)]);
  gone.abort();
  const task = await board.add({ title: "one" });
  const left = await answer?.catch(() => null);
  expect(left?.json?.claims ?? []).toEqual([]);
  expect(await board.get(task.id)).toMatchObject({ status: "todo", assigneeAgentId: null });
});

it("workers who wait beside work they may not claim ask again only when something changed", async () => {
  const board = await newBoard();
  const workers = await Promise.all(["ann", "ben", "cem"].map((name) => board.mint(name)));
  await board.add({ title: "not theirs", requiredCapabilities: ["gpu"] });
  const ask = (token: string) => call(token, "POST", `${board.path}/claims`, { waitMs: 400 });
  const pending = await waiting(() => workers.map(ask));
  for (let reads = 0; reads < 5; reads++) ok(await call(board.lead, "GET", `${board.path}/tasks`));
  expect(ok(await call(board.lead, "POST", `${board.path}/claims`)).claims).toEqual([]);
  for (const reply of await Promise.all(pending)) expect(ok(reply).claims).toEqual([]);
  expect(waits()).toBe(3);
});
