import { env } from "cloudflare:workers";
import { decodeJwt, SignJWT } from "jose";
import { expect, it } from "vitest";
import { ROLES } from "../../src/contract/roles.ts";
import { BASE } from "../../src/contract/route.ts";
import { app } from "../../src/http/app.ts";
import { call, events, fingerprintOf, newBoard, OPERATOR, ok, type Reply, refused } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { ALL, base64url, forge, pathOf, readReply, send } from "./support.ts";

function challenged(reply: Reply, code: string): void {
  refused(reply, 401, code);
  expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer/);
}

/** The same Worker, deployed with other secrets. */
async function deployedWith(secrets: object, token: string, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const request = new Request(`https://edgeboard.test${BASE}${path}`, init);
  return readReply(await app.fetch(request, { ...env, ...secrets }));
}

it("every route but signing in and out asks for a token, and says how to send one", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one" });
  const before = await fingerprintOf(board, task.id);
  expect(ALL.filter(({ role }) => role === null).map(({ id }) => id)).toEqual([
    "openSession",
    "closeSession",
  ]);
  for (const route of ALL.filter(({ role }) => role !== null)) {
    const path = pathOf(route, { board: board.id, id: task.id, dependsOnTaskId: task.id });
    const body = route.body === undefined ? undefined : {};
    challenged(await call(null, route.method, path, body), "unauthenticated");
  }
  expect(await fingerprintOf(board, task.id)).toBe(before);
});

it("a token that was not signed here, or not as a board token, is refused", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const { lease } = await board.claim((await board.add({ title: "one" })).id, worker);
  const [header, claims, signature] = worker.split(".") as [string, string, string];
  const asLead = base64url(JSON.stringify({ ...decodeJwt(worker), role: "lead" }));
  const strange = {
    garbage: "garbage",
    "three dots": "a.b.c",
    "another key": await forge(worker, {}, { key: "another-signing-key-0123456789abcdef" }),
    "alg none": `${base64url('{"alg":"none","typ":"edgeboard+jwt"}')}.${claims}.`,
    "another algorithm": await forge(worker, {}, { alg: "HS384" }),
    "no type": await forge(worker, {}, { typ: null }),
    "another type": await forge(worker, {}, { typ: "JWT" }),
    "swapped claims": `${header}.${asLead}.${signature}`,
    "signature cut off": `${header}.${claims}.`,
    "one letter changed": `${header}.${claims}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
    "a lease token": lease.token,
    "a role that is never signed": await forge(worker, { role: "operator" }),
    "no agent": await forge(worker, { sub: undefined }),
    "no row": await forge(worker, { jti: undefined }),
  };
  for (const [kind, token] of Object.entries(strange)) {
    const reply = await call(token, "GET", board.path);
    expect([kind, reply.status, reply.json.code]).toEqual([kind, 401, "unauthenticated"]);
    challenged(reply, "unauthenticated");
  }
  ok(await call(await forge(worker), "GET", board.path));
});

it("only a bearer token counts, in whatever case the scheme is written", async () => {
  const { path, lead } = await newBoard();
  for (const authorization of [lead, `Basic ${lead}`, `Bearer`, `Bearer ${lead} ${lead}`, `Token ${lead}`])
    challenged(await send(path, { headers: { authorization } }), "unauthenticated");
  ok(await send(path, { headers: { authorization: `bearer ${lead}` } }));
  challenged(await send(`${path}?token=${lead}`, {}), "unauthenticated");
});

it("a token past its time is told apart from a bad one", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent", "worker", { expiresInS: 3600 });
  ok(await call(worker, "GET", board.path));
  const now = Math.floor(Date.now() / 1000);
  challenged(await call(await forge(worker, { exp: now - 1 }), "GET", board.path), "token_expired");
  ok(await call(await forge(worker, { exp: now + 60 }), "GET", board.path));
});

it("a board token proves no lease", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const task = await board.add({ title: "one" });
  await board.claim(task.id, worker);
  const beat = await call(worker, "POST", `${board.path}/tasks/${task.id}/heartbeat`, { leaseToken: worker });
  expect(refused(beat, 409, "lease_lost").reason).toBe("unknown");
});

it("with a token of another board there is no such board, whatever the role", async () => {
  const [mine, other] = [await newBoard(), await newBoard()];
  const task = await other.add({ title: "secret" });
  for (const route of ALL.filter(({ path }) => path.includes(":board"))) {
    const path = pathOf(route, { board: other.id, id: task.id, dependsOnTaskId: task.id });
    const reply = await call(mine.lead, route.method, path, route.body === undefined ? undefined : {});
    refused(reply, 404, "board_not_found");
    expect(reply.text).not.toContain("secret");
  }
});

it("each route refuses the role below its own and changes nothing", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one" });
  const tokens = new Map<string, string>([["lead", board.lead]]);
  for (const role of ["viewer", "worker", "verifier"]) tokens.set(role, await board.mint(role, role));
  const before = await fingerprintOf(board, task.id);
  const bounded = ALL.filter(({ role }) => role !== null && role !== "viewer");
  expect(bounded.length).toBeGreaterThan(20);
  for (const route of bounded) {
    const below = ROLES[ROLES.indexOf(route.role ?? "viewer") - 1] as string;
    const path = pathOf(route, { board: board.id, id: task.id, dependsOnTaskId: task.id });
    const body = route.body === undefined ? undefined : {};
    const reply = await call(tokens.get(below) as string, route.method, path, body);
    expect([route.id, reply.status, reply.json?.code]).toEqual([route.id, 403, "forbidden"]);
  }
  expect(await fingerprintOf(board, task.id)).toBe(before);
});

it("a revoked token stops at once, and what it held goes back to the queue", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const spare = await board.mint("agent");
  const [held, kept] = [await board.add({ title: "held" }), await board.add({ title: "kept" })];
  const { lease } = await board.claim(held.id, worker);
  await board.claim(kept.id, spare);
  const { jti } = decodeJwt(worker);
  expect((await call(board.lead, "DELETE", `${board.path}/tokens/${jti}`)).status).toBe(204);
  challenged(await call(worker, "GET", board.path), "token_revoked");
  challenged(await call(worker, "GET", "/me"), "token_revoked");
  const beatPath = `${board.path}/tasks/${held.id}/heartbeat`;
  challenged(await call(worker, "POST", beatPath, { leaseToken: lease.token }), "token_revoked");
  const beat = await call(spare, "POST", beatPath, { leaseToken: lease.token });
  expect(refused(beat, 409, "lease_lost").reason).toBe("revoked");
  expect(await board.get(held.id)).toMatchObject({ status: "todo", assigneeAgentId: null, lease: null });
  expect(await board.get(kept.id)).toMatchObject({ status: "in_progress", assigneeAgentId: "agent" });
  const [released, ...rest] = await events(board, "&kind=task_released");
  expect(rest).toEqual([]);
  expect(released).toMatchObject({
    taskId: held.id,
    epoch: 1,
    data: { via: "revoke", from: "in_progress", to: "todo", execution: { status: "cancelled" } },
  });
  expect((await events(board)).map(({ kind }) => kind).slice(-2)).toEqual(["token_revoked", "task_released"]);
  expect((await call(board.lead, "DELETE", `${board.path}/tokens/${jti}`)).status).toBe(204);
  expect(await events(board, "&kind=token_revoked")).toHaveLength(1);
});

it("a well signed token without a row on its board is as good as revoked", async () => {
  const board = await newBoard();
  const token = await forge(board.lead, { jti: crypto.randomUUID() });
  challenged(await call(token, "GET", board.path), "token_revoked");
});

it("a token of a deleted board does not work on a new board of the same id", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  expect((await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`)).status).toBe(204);
  for (const token of [board.lead, worker, OPERATOR])
    refused(await call(token, "GET", board.path), 404, "board_not_found");
  const made = ok(await call(OPERATOR, "POST", "/boards", { id: board.id, name: "Again" }), 201);
  for (const token of [board.lead, worker]) challenged(await call(token, "GET", board.path), "token_revoked");
  challenged(await call(worker, "POST", `${board.path}/tasks`, { title: "late" }), "token_revoked");
  expect(ok(await call(made.token, "GET", board.path)).counts.todo).toBe(0);
  // Not even when a row of the new board has the id of the old token.
  const { jti } = decodeJwt(board.lead);
  await inside(board, ({ sql }) => sql.run("update tokens set jti = ?", jti as string));
  challenged(await call(board.lead, "GET", board.path), "token_revoked");
});

it("the operator reaches every board, and nothing short of its exact token does", async () => {
  for (const board of [await newBoard(), await newBoard()]) {
    expect(ok(await call(OPERATOR, "GET", board.path)).board.id).toBe(board.id);
    expect(ok(await call(OPERATOR, "POST", `${board.path}/tasks`, { title: "x" }), 201).task.number).toBe(1);
    expect((await events(board)).at(-1)?.actor).toEqual({ type: "operator", id: "operator" });
  }
  for (const near of [OPERATOR.slice(0, -1), `${OPERATOR}x`, OPERATOR.toUpperCase()])
    challenged(await call(near, "GET", "/boards"), "unauthenticated");
});

it("an operator token shorter than 32 characters opens nothing", async () => {
  for (const secret of ["", "a".repeat(31)]) {
    const reply = await deployedWith({ EDGEBOARD_OPERATOR_TOKEN: secret }, secret, "GET", "/boards");
    challenged(reply, "unauthenticated");
  }
  const secret = "a".repeat(32);
  ok(await deployedWith({ EDGEBOARD_OPERATOR_TOKEN: secret }, secret, "GET", "/boards"));
});

it("tokens and leases of the key before stay good while it is set, and not after", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const task = await board.add({ title: "one" });
  const { lease } = await board.claim(task.id, worker);
  const next = { EDGEBOARD_SIGNING_KEY: "the-key-after-it-0123456789abcdefghij" };
  const turning = { ...next, EDGEBOARD_SIGNING_KEY_PREVIOUS: env.EDGEBOARD_SIGNING_KEY };
  const path = `${board.path}/tasks/${task.id}/heartbeat`;
  ok(await deployedWith(turning, worker, "POST", path, { leaseToken: lease.token }));
  const minted = await deployedWith(turning, worker, "GET", "/me");
  expect(ok(minted).agentId).toBe("agent");
  challenged(await deployedWith(next, worker, "GET", board.path), "unauthenticated");
  const lost = await deployedWith(next, OPERATOR, "POST", path, { leaseToken: lease.token });
  expect(refused(lost, 409, "lease_lost").reason).toBe("unknown");
  for (const none of ["", null]) {
    const emptied = { ...next, EDGEBOARD_SIGNING_KEY_PREVIOUS: none };
    challenged(await deployedWith(emptied, worker, "GET", board.path), "unauthenticated");
  }
});

it("what is signed while the key is changed is signed with the new one, and outlives the old", async () => {
  const board = await newBoard();
  const next = { EDGEBOARD_SIGNING_KEY: "the-key-after-it-0123456789abcdefghij" };
  const turning = { ...next, EDGEBOARD_SIGNING_KEY_PREVIOUS: env.EDGEBOARD_SIGNING_KEY };
  const agent = { agentId: "agent", role: "worker" };
  const { token } = ok(await deployedWith(turning, board.lead, "POST", `${board.path}/tokens`, agent), 201);
  const task = await board.add({ title: "one" });
  const path = `${board.path}/tasks/${task.id}`;
  const { lease } = ok(await deployedWith(turning, token, "POST", `${path}/claim`, {}));
  ok(await deployedWith(next, token, "POST", `${path}/heartbeat`, { leaseToken: lease.token }));
  challenged(await call(token, "GET", board.path), "unauthenticated");
});

it("a key that is not set is none, however the runtime says so", async () => {
  const claims = { sub: "operator", board: null, inc: null, role: "operator", exp: 9_999_999_999 };
  const forged = await new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ: "session+jwt" })
    .sign(new TextEncoder().encode("null"));
  const request = new Request("https://edgeboard.test/api/v1/boards", {
    headers: { cookie: `__Host-edgeboard=${forged}` },
  });
  const answer = await app.fetch(request, { ...env, EDGEBOARD_SIGNING_KEY_PREVIOUS: null });
  expect(answer.status).toBe(401);
});

it("no answer repeats a token once it was told", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const task = await board.add({ title: "one" });
  const { lease } = await board.claim(task.id, worker);
  const lists = ["", "/tokens", "/events", "/audit", "/tasks", `/tasks/${task.id}?include=executions`];
  const taken = await call(board.lead, "POST", `${board.path}/tasks/${task.id}/claim`, {});
  const seen = await Promise.all(lists.map((list) => call(board.lead, "GET", board.path + list)));
  for (const reply of [...seen, taken])
    for (const secret of [board.lead, worker, lease.token, OPERATOR, env.EDGEBOARD_SIGNING_KEY])
      expect(reply.text).not.toContain(secret.split(".").at(-1));
});
