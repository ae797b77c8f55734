/** Whatever takes a privilege is on record, with who, what and why; and nothing else is. */
import { expect, it } from "vitest";
import { call, newBoard, OPERATOR, ok, refused, type TestBoard } from "../support/api.ts";
import { exportOf } from "../support/export-lines.ts";
import { exported, sendImport } from "../support/exports.ts";
import { inside } from "../support/inside.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into entries of every kind
async function entries(board: TestBoard): Promise<any[]> {
  return ok(await call(board.lead, "GET", `${board.path}/audit?limit=200`)).entries;
}

/** What is put on record by this, oldest first. */
async function recorded(board: TestBoard, act: () => Promise<unknown>) {
  const before = (await entries(board)).length;
  await act();
  return (await entries(board)).reverse().slice(before);
}

it("a board begins with who made it and its first token", async () => {
  const board = await newBoard();
  expect((await entries(board)).map(({ kind, data }) => [kind, data.name ?? data.agentId])).toEqual([
    ["token_minted", "lead"],
    ["board_created", "Test"],
  ]);
});

it("each use of a privilege has a row of its own kind", async () => {
  const board = await newBoard();
  const { lead, path } = board;
  const worker = await board.mint("worker");
  const write = async (method: string, below: string, body?: object, status = 200) =>
    ok(await call(lead, method, path + below, body), status);
  const task = async (body: object = {}) => (await board.add({ title: "x", ...body })).id;
  const held = async () => {
    const id = await task();
    await board.claim(id, worker);
    return id;
  };
  const blocker = await task();
  const [stopped, displaced, cancelled, dropped] = [await held(), await held(), await held(), await held()];
  const [plain, upstream, waiting, deep, forBen] = [
    await task(),
    await task(),
    await task({ dependsOn: [blocker] }),
    await task(),
    await task(),
  ];
  const overridden = await task({ dependsOn: [blocker] });
  await task({ dependsOn: [upstream] });
  const hook = await write("POST", "/webhooks", { url: "https://hooks.example/x" }, 201);
  const minted = await write("POST", "/tokens", { agentId: "gone", role: "worker" }, 201);
  const acts: [string, () => Promise<unknown>][] = [
    [
      "human_override",
      () => write("PATCH", `/tasks/${overridden}`, { status: "in_progress", humanOverride: true }),
    ],
    ["stop", () => write("POST", `/tasks/${stopped}/stop`, { mode: "cancel", reason: "why" })],
    ["displace", () => write("PATCH", `/tasks/${displaced}`, { status: "todo", displace: true })],
    ["cancel_held", () => write("PATCH", `/tasks/${cancelled}`, { status: "cancelled" })],
    ["drop_held", () => write("DELETE", `/tasks/${dropped}`)],
    ["task_dropped", () => write("DELETE", `/tasks/${plain}`)],
    ["task_restored", () => write("POST", `/tasks/${plain}/restore`, {})],
    ["cancel_dependents", () => write("POST", `/tasks/${upstream}/cancel-dependents`, {})],
    ["claim_for", () => write("POST", `/tasks/${forBen}/claim`, { assigneeAgentId: "ben" })],
    ["ignore_dependencies", () => write("POST", `/tasks/${waiting}/claim`, { ignoreDependencies: true })],
    ["ignore_depth", () => write("POST", `/tasks/${deep}/claim`, { ignoreDepth: true })],
    ["board_changed", () => write("PATCH", "", { paused: true })],
    ["board_changed", () => write("PATCH", "", { paused: false, settings: { maxAttempts: 7 } })],
    ["token_minted", () => board.mint("another")],
    ["token_revoked", () => write("DELETE", `/tokens/${minted.info.id}`, undefined, 204)],
    ["webhook_changed", () => write("PATCH", `/webhooks/${hook.webhook.id}`, { disabled: true })],
    ["webhook_deleted", () => write("DELETE", `/webhooks/${hook.webhook.id}`, undefined, 204)],
    ["import", () => sendImport(board, exportOf())],
    ["export", () => exported(board)],
    ["sign_in_link", async () => ok(await call(lead, "POST", "/session/link", {}), 201)],
  ];
  for (const [kind, act] of acts) {
    const told = await recorded(board, act);
    expect(told.map((entry) => [entry.kind, entry.actorId])).toEqual([[kind, "lead"]]);
  }
});

it("reading, working and talking leave no row, nor does what was refused or changed nothing", async () => {
  const board = await newBoard();
  const worker = await board.mint("worker");
  const told = await recorded(board, async () => {
    const { id } = await board.add({ title: "x" }, worker);
    const path = `${board.path}/tasks/${id}`;
    const { lease } = await board.claim(id, worker);
    ok(await call(worker, "POST", `${path}/comments`, { body: "hello" }), 201);
    refused(await call(worker, "GET", `${board.path}/export`), 403, "forbidden");
    refused(await call(worker, "POST", `${path}/stop`, { mode: "drain", reason: "no" }), 403, "forbidden");
    ok(await call(board.lead, "PATCH", board.path, { paused: false }));
    ok(await call(board.lead, "POST", `${path}/restore`, {}));
    ok(
      await call(worker, "POST", `${path}/complete`, {
        leaseToken: lease.token,
        outcome: "succeeded",
        status: "done",
      }),
    );
  });
  expect(told).toEqual([]);
});

it("all of it comes out as lines, oldest first, with an end that counts them, on an archived board too", async () => {
  const board = await newBoard();
  const count = 1_203;
  await inside(board, ({ sql }) => {
    for (let n = 0; n < count - 3; n++)
      sql.run("insert into audit (at, actor_id, kind) values (?, 'lead', 'stop')", n);
  });
  ok(await call(board.lead, "PATCH", board.path, { archived: true }));
  const viewer = board.lead;
  const reply = await call(viewer, "GET", `${board.path}/audit/export`);
  expect(reply.headers.get("content-type")).toBe("application/x-ndjson");
  expect(reply.headers.get("content-disposition")).toBe(`attachment; filename="${board.id}-audit.ndjson"`);
  const lines = reply.text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toEqual({ type: "end", entries: count });
  expect(lines.slice(0, -1).map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, n) => n + 1));
  const [newest] = await entries(board);
  expect(lines.at(-2)).toEqual({ type: "audit", ...newest });
});

it("the operator reads which boards were made and deleted, once each, when they are long gone", async () => {
  const board = await newBoard();
  ok(await call(board.lead, "POST", "/session/link", {}), 201);
  ok(await call(OPERATOR, "POST", "/session/link", {}), 201);
  ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
  refused(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 404, "board_not_found");
  const found = [];
  let cursor = "";
  do {
    const page = ok(await call(OPERATOR, "GET", `/audit?limit=50${cursor}`));
    found.push(...page.entries);
    cursor = page.hasMore ? `&cursor=${page.nextCursor}` : "";
  } while (cursor !== "");
  expect(found.map(({ id }) => id)).toEqual(found.map((_, n) => found.length - n));
  const about = found.filter(({ board: id }) => id === board.id);
  expect(about.map(({ kind, actorId }) => [kind, actorId])).toEqual([
    ["board_deleted", "operator"],
    ["sign_in_link", "lead"],
    ["board_created", "operator"],
  ]);
  expect(found).toContainEqual(
    expect.objectContaining({ kind: "sign_in_link", actorId: "operator", board: null }),
  );
  refused(await call(board.lead, "GET", "/audit"), 403, "forbidden");
});
