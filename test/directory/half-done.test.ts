/** What a crash leaves between two objects, and how the next listing settles it. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { Sql } from "../../src/board/store/sql.ts";
import { boardStub } from "../../src/board/stub.ts";
import {
  createBoard,
  deleteBoard,
  directoryStub,
  type NewBoard,
  settleHalfDone,
} from "../../src/directory/lifecycle.ts";
import { call, everyBoard, newBoard, OPERATOR, ok, refused } from "../support/api.ts";

const SETTLE_MS = 60_000;

const fresh = (change: Partial<NewBoard> = {}): NewBoard => ({
  id: `h-${crypto.randomUUID()}`,
  name: "Half",
  settings: {},
  locationHint: null,
  operationId: crypto.randomUUID(),
  key: null,
  ...change,
});

const reserve = ({ id, name, operationId, locationHint, key }: NewBoard) =>
  directoryStub(env).reserve({ id, name, operationId, locationHint, key });

/** The board's half of a creation, without the directory's. */
async function make({ id, name, settings, operationId }: NewBoard) {
  expect((await boardStub(env, id).createBoard({ id, name, settings, operationId })).ok).toBe(true);
}

/** The directory's row as it stands. */
const rowOf = (id: string) =>
  runInDurableObject(directoryStub(env), (_instance, { storage }) =>
    new Sql(storage.sql).first("select state, name, operation_id from boards where id = ?", id),
  );

/** Makes what was begun look as if it had been left for so long. */
const backdate = (id: string, byMs: number) =>
  runInDurableObject(directoryStub(env), (_instance, { storage }) =>
    new Sql(storage.sql).run("update boards set updated_at = updated_at - ? where id = ?", byMs, id),
  );

const listedIds = async () => (await everyBoard()).map(({ id }) => id);

const use = (id: string) => call(OPERATOR, "GET", `/boards/${id}`);

/** An environment in which no board can be reached. */
const CUT_OFF = {
  ...env,
  BOARDS: {
    getByName: () => {
      throw new Error("gone");
    },
  },
} as unknown as Env;

it("a creation that only reserved is rolled back by the next listing, and its id is free", async () => {
  const board = fresh();
  await expect(createBoard(CUT_OFF, board)).rejects.toThrow("gone");
  expect(await rowOf(board.id)).toMatchObject({ state: "creating" });
  await backdate(board.id, SETTLE_MS);
  expect(await listedIds()).not.toContain(board.id);
  expect(await rowOf(board.id)).toBeNull();
  refused(await use(board.id), 404, "board_not_found");
  ok(await call(OPERATOR, "POST", "/boards", { id: board.id, name: "Another" }), 201);
});

it("a creation that made the board but did not list it is finished by the next listing", async () => {
  const board = fresh();
  await reserve(board);
  await make(board);
  await backdate(board.id, SETTLE_MS);
  expect(await listedIds()).toContain(board.id);
  expect(await rowOf(board.id)).toEqual({ state: "active", name: "Half", operation_id: board.operationId });
  expect(ok(await use(board.id)).board.name).toBe("Half");
  refused(await call(OPERATOR, "POST", "/boards", { id: board.id, name: "x" }), 409, "board_exists");
});

it("the same holds after the board's object was evicted", async () => {
  const board = fresh();
  await reserve(board);
  await make(board);
  await evictDurableObject(env.BOARDS.getByName(board.id));
  await backdate(board.id, SETTLE_MS);
  expect(await listedIds()).toContain(board.id);
});

it("a listing leaves alone what was begun a moment ago", async () => {
  const [reserved, made] = [fresh(), fresh()];
  await reserve(reserved);
  await reserve(made);
  await make(made);
  for (const { id } of [reserved, made]) await backdate(id, SETTLE_MS - 30_000);
  const ids = await listedIds();
  for (const { id } of [reserved, made]) {
    expect(ids).not.toContain(id);
    expect(await rowOf(id)).toMatchObject({ state: "creating" });
  }
});

it("a creation that outlives its own rollback is listed after all: the board is the truth", async () => {
  const board = fresh();
  await reserve(board);
  await backdate(board.id, SETTLE_MS);
  expect(await listedIds()).not.toContain(board.id);
  await make(board);
  await directoryStub(env).activate({ id: board.id, operationId: board.operationId, name: board.name });
  expect(await listedIds()).toContain(board.id);
  ok(await use(board.id));
});

it("a creation that outlives its own rollback and its board's deletion leaves no ghost", async () => {
  const board = fresh();
  await reserve(board);
  await make(board);
  ok(await call(OPERATOR, "DELETE", `/boards/${board.id}?confirm=${board.id}`), 204);
  await directoryStub(env).activate({ id: board.id, operationId: board.operationId, name: board.name });
  expect(await listedIds()).not.toContain(board.id);
  expect(await rowOf(board.id)).toBeNull();
});

it("a board that cannot be settled now keeps nobody from the list, and is settled another time", async () => {
  const stuck = fresh();
  await reserve(stuck);
  await backdate(stuck.id, SETTLE_MS);
  await settleHalfDone(CUT_OFF, Date.now());
  expect(await rowOf(stuck.id)).toMatchObject({ state: "creating" });
  await settleHalfDone(env, Date.now());
  expect(await rowOf(stuck.id)).toBeNull();
});

it("a rolled-back creation does not take the board of whoever came next", async () => {
  const first = fresh();
  const second = fresh({ id: first.id, name: "Second" });
  await reserve(first);
  await backdate(first.id, SETTLE_MS);
  await listedIds();
  expect(await createBoard(env, second)).toMatchObject({ ok: true });
  // The first comes back from wherever it was and goes on.
  expect(await boardStub(env, first.id).createBoard(first)).toMatchObject({
    ok: false,
    reason: "board_exists",
  });
  await directoryStub(env).forget({ id: first.id, operationId: first.operationId });
  expect(await listedIds()).toContain(second.id);
  expect(ok(await use(second.id)).board.name).toBe("Second");
});

it("a deletion that only said so is finished by the next listing", async () => {
  const board = await newBoard();
  expect(await directoryStub(env).markDeleting(board.id)).toBe(true);
  expect(await listedIds()).not.toContain(board.id);
  await backdate(board.id, SETTLE_MS);
  expect(await listedIds()).not.toContain(board.id);
  expect(await rowOf(board.id)).toBeNull();
  refused(await use(board.id), 404, "board_not_found");
  ok(await call(OPERATOR, "POST", "/boards", { id: board.id, name: "Again" }), 201);
});

it("a deletion that emptied the board but kept its row is finished by the next listing", async () => {
  const board = await newBoard();
  await directoryStub(env).markDeleting(board.id);
  await boardStub(env, board.id).destroyBoard();
  await evictDurableObject(board.stub());
  await backdate(board.id, SETTLE_MS);
  await listedIds();
  expect(await rowOf(board.id)).toBeNull();
  ok(await call(OPERATOR, "POST", "/boards", { id: board.id, name: "Again" }), 201);
});

it("a creation that comes late does not bring back a board that is being deleted", async () => {
  const board = fresh();
  await reserve(board);
  await make(board);
  await directoryStub(env).markDeleting(board.id);
  await directoryStub(env).activate({ id: board.id, operationId: board.operationId, name: board.name });
  expect(await rowOf(board.id)).toMatchObject({ state: "deleting" });
  expect(await listedIds()).not.toContain(board.id);
});

it("a deletion that was left half done can be asked for again", async () => {
  const board = await newBoard();
  await expect(deleteBoard(CUT_OFF, board.id)).rejects.toThrow("gone");
  expect(await rowOf(board.id)).toMatchObject({ state: "deleting" });
  ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
  expect(await rowOf(board.id)).toBeNull();
});

it("while a board is being deleted its id is taken", async () => {
  const board = await newBoard();
  await directoryStub(env).markDeleting(board.id);
  refused(await call(OPERATOR, "POST", "/boards", { id: board.id, name: "x" }), 409, "board_exists");
});

it("the same key after a crash finishes what it began, at once and under the first id", async () => {
  const key = { value: crypto.randomUUID(), bodyHash: "same" };
  const first = fresh({ key });
  await expect(createBoard(CUT_OFF, first)).rejects.toThrow("gone");
  const again = await createBoard(env, fresh({ key }));
  expect(again).toMatchObject({ ok: true, value: { board: { id: first.id }, replayed: false } });
  expect(await rowOf(first.id)).toMatchObject({ state: "active", operation_id: first.operationId });
  const third = await createBoard(env, fresh({ key }));
  expect(third).toMatchObject({ ok: true, value: { board: { id: first.id }, replayed: true } });
});

it("the same key after a board was made but not listed gets that board and its first token", async () => {
  const key = { value: crypto.randomUUID(), bodyHash: "same" };
  const board = fresh({ key });
  await reserve(board);
  const made = await boardStub(env, board.id).createBoard(board);
  const again = await createBoard(env, fresh({ key }));
  expect(again.ok && made.ok && again.value.minted).toEqual(made.ok && made.value.minted);
  expect(await rowOf(board.id)).toMatchObject({ state: "active" });
});

it("a key whose creation was rolled back can be used again", async () => {
  const key = { value: crypto.randomUUID(), bodyHash: "same" };
  const first = fresh({ key });
  await reserve(first);
  await backdate(first.id, SETTLE_MS);
  await listedIds();
  const second = fresh({ key });
  expect(await createBoard(env, second)).toMatchObject({ ok: true, value: { board: { id: second.id } } });
});

it("a key is forgotten after a day", async () => {
  const key = { value: crypto.randomUUID(), bodyHash: "first" };
  await createBoard(env, fresh({ key }));
  await runInDurableObject(directoryStub(env), (_instance, { storage }) =>
    new Sql(storage.sql).run(
      "update creations set created_at = created_at - 86400000 where idempotency_key = ?",
      key.value,
    ),
  );
  const later = fresh({ key: { ...key, bodyHash: "second" } });
  expect(await createBoard(env, later)).toMatchObject({ ok: true, value: { board: { id: later.id } } });
});

it("many things left half done are settled by one listing, each in its own way", async () => {
  const [reserved, made, deleting] = [fresh(), fresh(), await newBoard()];
  await reserve(reserved);
  await reserve(made);
  await make(made);
  await directoryStub(env).markDeleting(deleting.id);
  for (const { id } of [reserved, made, deleting]) await backdate(id, SETTLE_MS);
  await listedIds();
  expect(await Promise.all([reserved, made, deleting].map(({ id }) => rowOf(id)))).toEqual([
    null,
    expect.objectContaining({ state: "active" }),
    null,
  ]);
});

it("the directory keeps its rows over a restart", async () => {
  const board = await newBoard();
  await evictDurableObject(directoryStub(env));
  expect(await listedIds()).toContain(board.id);
});
