/** When a database gets its tables, and when it has none. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import ddl from "../../migrations-free-schema/board.sql";
import directoryDdl from "../../migrations-free-schema/directory.sql";
import { install } from "../../src/board/store/schema.ts";
import { Sql } from "../../src/board/store/sql.ts";
import { call, newBoard, OPERATOR, ok, refused } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { schemaOf, scratch } from "./scratch.ts";

const tablesOf = (id: string) =>
  runInDurableObject(env.BOARDS.getByName(id), (_instance, { storage }) => schemaOf(new Sql(storage.sql)));

it.each([
  ["board", ddl],
  ["directory", directoryDdl],
])("installing the %s's schema twice is a no-op", (_what, text) =>
  scratch(({ sql, costs }) => {
    install(sql, text);
    const first = schemaOf(sql);
    costs.length = 0;
    install(sql, text);
    expect(schemaOf(sql)).toEqual(first);
    expect(costs.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)).toBe(0);
  }),
);

it("installing over a board that works leaves its rows alone", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "kept" });
  await inside(board, ({ sql, storage }) => storage.transactionSync(() => install(sql, ddl)));
  await evictDurableObject(board.stub());
  expect(await board.get(task.id)).toEqual(task);
});

it.each(["GET", "PATCH"])("a %s of a board that was never created leaves no table", async (method) => {
  const id = `typo-${crypto.randomUUID()}`;
  refused(
    await call(OPERATOR, method, `/boards/${id}`, method === "GET" ? undefined : { name: "x" }),
    404,
    "board_not_found",
  );
  expect(await tablesOf(id)).toEqual([]);
});

it("writes to a board that was never created leave no table and no alarm", async () => {
  const id = `typo-${crypto.randomUUID()}`;
  for (const [method, path, body] of [
    ["POST", "/tasks", { title: "x" }],
    ["POST", "/claims", {}],
    ["POST", "/tokens", { agentId: "x", role: "lead" }],
    ["POST", "/tasks/n1/claim", {}],
    ["GET", "/tasks", undefined],
    ["GET", "/events", undefined],
  ] as const)
    refused(await call(OPERATOR, method, `/boards/${id}${path}`, body), 404, "board_not_found");
  refused(await call(OPERATOR, "DELETE", `/boards/${id}?confirm=${id}`), 404, "board_not_found");
  expect(await tablesOf(id)).toEqual([]);
  await runInDurableObject(env.BOARDS.getByName(id), async (_instance, { storage }) => {
    expect(await storage.getAlarm()).toBeNull();
  });
});

it("deleting a board takes its tables and its alarm", async () => {
  const board = await newBoard();
  const worker = await board.mint("ada");
  const task = await board.add({ title: "one" });
  await board.claim(task.id, worker);
  ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
  expect(await tablesOf(board.id)).toEqual([]);
  await runInDurableObject(board.stub(), async (_instance, { storage }) => {
    expect(await storage.getAlarm()).toBeNull();
  });
});

it.each(["at once", "after a restart"])(
  "a deleted board can be created again %s: empty, with new tokens",
  async (when) => {
    const board = await newBoard();
    await board.add({ title: "one" });
    const worker = await board.mint("ada");
    ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
    refused(await call(OPERATOR, "GET", board.path), 404, "board_not_found");
    if (when === "after a restart") await evictDurableObject(board.stub());
    refused(await call(OPERATOR, "GET", `${board.path}/tasks`), 404, "board_not_found");
    const again = ok(await call(OPERATOR, "POST", "/boards", { id: board.id, name: "Again" }), 201);
    for (const old of [board.lead, worker]) refused(await call(old, "GET", board.path), 401, "token_revoked");
    const summary = ok(await call(again.token, "GET", board.path));
    expect(summary.board.name).toBe("Again");
    expect(Object.values(summary.counts).every((count) => count === 0)).toBe(true);
    const { task } = ok(await call(again.token, "POST", `${board.path}/tasks`, { title: "new" }), 201);
    expect(task.number).toBe(1);
  },
);
