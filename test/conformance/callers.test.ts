import assert from "node:assert/strict";
import { test } from "node:test";
import { call, complete, newBoard, OPERATOR, ok, refused, until } from "./board.ts";

test("without a token, with a made-up one or with one of another board nobody gets in", async () => {
  const [board, other] = [await newBoard(), await newBoard()];
  refused(await call(null, "GET", board.path), "401 unauthenticated");
  refused(await call("made-up", "GET", board.path), "401 unauthenticated");
  refused(await call(`${board.lead.slice(0, -2)}xx`, "GET", board.path), "401 unauthenticated");
  refused(await call(other.lead, "GET", board.path), "404 board_not_found");
  refused(await call(OPERATOR, "GET", `/boards/never-made-${board.id.slice(-12)}`), "404 board_not_found");
});

test("each role may what it is for, and is forbidden what is for the next", async () => {
  const board = await newBoard();
  const [viewer, worker, verifier] = [
    await board.mint("reader", "viewer"),
    await board.mint("builder"),
    await board.mint("judge", "verifier"),
  ];
  ok(await call(viewer, "GET", `${board.path}/tasks`));
  refused(await call(viewer, "POST", `${board.path}/tasks`, { title: "x" }), "403 forbidden");
  const { id } = await board.add({ title: "x" }, worker);
  const changes = `${board.path}/tasks/${id}/request-changes`;
  refused(await call(worker, "POST", changes, { notes: "x" }), "403 forbidden");
  refused(await call(verifier, "POST", changes, { notes: "x" }), "409 illegal_transition");
  refused(await call(verifier, "PATCH", board.path, { name: "x" }), "403 forbidden");
  ok(await call(board.lead, "PATCH", board.path, { name: "x" }));
  refused(await call(board.lead, "GET", "/boards"), "403 forbidden");
  ok(await call(OPERATOR, "GET", "/boards?limit=1"));
});

test("a token says who it is, and a body that says otherwise is refused, unless a lead claims for an agent", async () => {
  const board = await newBoard();
  const worker = await board.mint("builder", "worker", { runtime: "node", capabilities: ["gpu"] });
  const me = ok(await call(worker, "GET", "/me"));
  assert.deepEqual(
    [me.agentId, me.role, me.board, me.runtime, me.capabilities],
    ["builder", "worker", board.id, "node", ["gpu"]],
  );
  const { id } = await board.add({ title: "x" });
  const claim = `${board.path}/tasks/${id}/claim`;
  refused(await call(worker, "POST", claim, { assigneeAgentId: "else" }), "403 identity_mismatch");
  const claimed = ok(await call(board.lead, "POST", claim, { assigneeAgentId: "builder" }));
  assert.equal(claimed.task.assigneeAgentId, "builder");
  ok(await complete(board, worker, claimed));
});

test("a token that is revoked is dead at once, and so is the lease claimed with it", async () => {
  const board = await newBoard();
  const minted = ok(await board.ask("POST", "/tokens", { agentId: "builder", role: "worker" }), 201);
  const { task, lease } = await board.claim((await board.add({ title: "x" })).id, minted.token);
  ok(await board.ask("DELETE", `/tokens/${minted.info.id}`), 204);
  refused(await call(minted.token, "GET", board.path), "401 token_revoked");
  const again = await board.mint("builder");
  const beat = await call(again, "POST", `${board.path}/tasks/${task.id}/heartbeat`, {
    leaseToken: lease.token,
  });
  assert.equal(refused(beat, "409 lease_lost").reason, "revoked");
  assert.equal((await board.get(task.id)).task.status, "todo");
});

test("a token ends when it was said to", async () => {
  const board = await newBoard();
  const brief = await board.mint("guest", "viewer", { expiresInS: 1 });
  const last = await until(
    () => call(brief, "GET", "/me"),
    ({ status }) => status === 401,
  );
  refused(last, "401 token_expired");
});

test("a browser is held by a cookie that writes from our own pages only, and a link signs in once", async () => {
  const board = await newBoard();
  const link = ok(await call(board.lead, "POST", "/session/link", {}), 201);
  const signed = await call(null, "POST", "/session", { code: link.code });
  assert.equal(ok(signed).role, "lead");
  refused(await call(null, "POST", "/session", { code: link.code }), "401 unauthenticated");
  const set = signed.headers.get("set-cookie") ?? "";
  for (const attribute of ["HttpOnly", "SameSite=Strict"]) assert.ok(set.includes(attribute), set);
  const cookie = set.split(";")[0] as string;
  ok(await call(null, "GET", board.path, undefined, { cookie }));
  const elsewhere: Record<string, string>[] = [{}, { origin: "https://evil.example" }, { origin: "null" }];
  for (const from of elsewhere)
    refused(
      await call(null, "POST", `${board.path}/tasks`, { title: "x" }, { cookie, ...from }),
      "403 forbidden",
    );
});
