/** Readers of the log who wait for what comes next. */
import { decodeJwt } from "jose";
import { afterEach, expect, it, vi } from "vitest";
import { call, newBoard, OPERATOR, ok, type Reply, refused } from "../support/api.ts";
import { LONG, waiting, waits } from "./waiting.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("a reader of the log waits for the next event and gets just that", async () => {
  const board = await newBoard();
  const { seq } = ok(await call(board.lead, "GET", board.path));
  const path = (query: string) => `${board.path}/events?after=${seq}&waitMs=${LONG}${query}`;
  const [any, claimed] = await waiting(() =>
    ["", "&kind=task_claimed"].map((query) => call(board.lead, "GET", path(query))),
  );
  const task = await board.add({ title: "one" });
  expect(ok((await any) as Reply)).toMatchObject({
    events: [{ seq: seq + 1, kind: "task_created" }],
    seq: seq + 1,
  });
  await board.claim(task.id, board.lead);
  expect(ok((await claimed) as Reply).events).toMatchObject([{ seq: seq + 2, kind: "task_claimed" }]);
  const known = await call(board.lead, "GET", path(""));
  expect(ok(known).events).toHaveLength(2);
});

it("a reader for whom nothing happens is answered at its deadline", async () => {
  const board = await newBoard();
  const { seq } = ok(await call(board.lead, "GET", board.path));
  const started = Date.now();
  const page = ok(await call(board.lead, "GET", `${board.path}/events?after=${seq}&waitMs=200`));
  expect(page).toEqual({ events: [], hasMore: false, nextCursor: null, seq });
  expect(Date.now() - started).toBeGreaterThanOrEqual(199);
});

it("readers who wait do not keep waking each other, nor does anybody else's reading", async () => {
  const board = await newBoard();
  const { seq } = ok(await call(board.lead, "GET", board.path));
  const path = `${board.path}/events?after=${seq}&waitMs=400`;
  const pending = await waiting(() => [1, 2, 3].map(() => call(board.lead, "GET", path)));
  for (const list of ["", "/tasks", "/events", "/tokens"])
    ok(await call(board.lead, "GET", board.path + list));
  for (const reply of await Promise.all(pending)) expect(ok(reply).events).toEqual([]);
  expect(waits()).toBe(3);
});

it("two readers who wait do not hold up the board", async () => {
  const board = await newBoard();
  const { seq } = ok(await call(board.lead, "GET", board.path));
  const path = `${board.path}/events?after=${seq}&waitMs=${LONG}`;
  const pending = await waiting(() => [1, 2].map(() => call(board.lead, "GET", path)));
  await board.add({ title: "one" });
  for (const reply of await Promise.all(pending)) expect(ok(reply).events).toHaveLength(1);
});

it("a reader whose board or token goes is told so at once", async () => {
  const board = await newBoard();
  const viewer = await board.mint("viewer", "viewer");
  const read = (token: string) => call(token, "GET", `${board.path}/events?after=99&waitMs=${LONG}`);
  const [revoked] = await waiting(() => [read(viewer)]);
  await call(board.lead, "DELETE", `${board.path}/tokens/${decodeJwt(viewer).jti}`);
  refused((await revoked) as Reply, 401, "token_revoked");
  const [deleted] = await waiting(() => [read(board.lead)]);
  expect((await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`)).status).toBe(204);
  refused((await deleted) as Reply, 404, "board_not_found");
});
