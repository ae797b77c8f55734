/** A board that an addition cannot bring up to date: only a hard reset helps, and that has to be possible. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { Sql } from "../../src/board/store/sql.ts";
import { directoryStub } from "../../src/directory/lifecycle.ts";
import { call, everyBoard, newBoard, OPERATOR, ok, type TestBoard } from "../support/api.ts";
import { age } from "./age.ts";

/** Gives a board a column that the schema does not have, as if it had been removed since. */
const outdate = (board: TestBoard) =>
  age(board, (sql) => sql.run("alter table tasks add column since_removed text"));

it("a board with a column that the schema no longer has does not start, and its callers learn no internals", async () => {
  const board = await newBoard();
  await outdate(board);
  const refusal = await call(board.lead, "GET", board.path);
  expect(refusal.json).toMatchObject({ status: 500, code: "internal" });
  expect(refusal.text).not.toMatch(/since_removed|schema|column/i);
});

it("a board that does not start can be deleted and made anew", async () => {
  const board = await newBoard();
  await outdate(board);
  ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
  ok(await call(OPERATOR, "POST", "/boards", { id: board.id, name: "Anew" }), 201);
});

it("a board that does not start does not keep the others from being listed", async () => {
  const [stuck, fine] = [await newBoard(), await newBoard()];
  await directoryStub(env).markDeleting(stuck.id);
  await runInDurableObject(directoryStub(env), (_instance, { storage }) =>
    new Sql(storage.sql).run("update boards set updated_at = updated_at - 60000 where id = ?", stuck.id),
  );
  await outdate(stuck);
  const ids = (await everyBoard()).map(({ id }) => id);
  expect(ids).toContain(fine.id);
  expect(ids).not.toContain(stuck.id);
});
