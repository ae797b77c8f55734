/** The same idempotency key on the creation of a board. */
import { describe, expect, it } from "vitest";
import { call, newBoard, ok, refused } from "../support/api.ts";
import { create, entryOf, freshId, listed } from "./listing.ts";

describe("the same idempotency key", () => {
  it("answers what the first call answered, without a second board", async () => {
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await create({ name: "Once" }, key);
    const again = await create({ name: "Once" }, key);
    expect(ok(again, 201)).toEqual(ok(first, 201));
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await listed()).filter(({ name }) => name === "Once")).toHaveLength(1);
  });

  it("sent ten times at once makes one board, and each caller gets it", async () => {
    const key = { "idempotency-key": crypto.randomUUID() };
    const replies = await Promise.all(Array.from({ length: 10 }, () => create({ name: "Chorus" }, key)));
    const ids = new Set(replies.map((reply) => ok(reply, 201).board.id));
    expect(ids.size).toBe(1);
    expect((await listed()).filter(({ name }) => name === "Chorus")).toHaveLength(1);
    const [id] = ids;
    for (const { json } of replies) expect(ok(await call(json.token, "GET", "/me")).board).toBe(id);
  });

  it("with another body is refused and makes nothing", async () => {
    const key = { "idempotency-key": crypto.randomUUID() };
    ok(await create({ id: freshId(), name: "One" }, key), 201);
    const other = freshId();
    refused(await create({ id: other, name: "One" }, key), 422, "idempotency_mismatch");
    expect(await entryOf(other)).toBeUndefined();
  });

  it("is not used up by a request that was refused", async () => {
    const key = { "idempotency-key": crypto.randomUUID() };
    const id = freshId();
    refused(
      await create({ id, name: "x", settings: { beatEveryMs: 170_000 } }, key),
      422,
      "invalid_settings",
    );
    ok(await create({ id, name: "x" }, key), 201);
  });

  it("of another caller's id does not open a board that exists", async () => {
    const board = await newBoard();
    const key = { "idempotency-key": crypto.randomUUID() };
    refused(await create({ id: board.id, name: "x" }, key), 409, "board_exists");
    refused(await create({ id: board.id, name: "x" }, key), 409, "board_exists");
  });
});
