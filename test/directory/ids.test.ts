/** Which ids a board may have, on create and on use. */
import { listDurableObjectIds } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call, newBoard, OPERATOR, ok, refused } from "../support/api.ts";
import { create } from "./listing.ts";

describe("an id", () => {
  const MALFORMED = ["A", "Upper", "-a", "_a", "a_b", "a.b", "a b", "ä", "a".repeat(64), "a\n", "%"];

  it.each([...MALFORMED, "", "a/b"])("of the form %j is refused on create", async (id) => {
    const { issues } = refused(await create({ id, name: "x" }), 400, "invalid_request");
    expect(issues).toEqual([{ path: "id", message: expect.any(String) }]);
  });

  it.each(MALFORMED)("of the form %j is no board on use, and no object is asked", async (id) => {
    const path = `/boards/${encodeURIComponent(id)}`;
    const board = await newBoard();
    for (const token of [OPERATOR, board.lead]) {
      refused(await call(token, "GET", path), 404, "board_not_found");
      refused(await call(token, "POST", `${path}/tasks`, { title: "x" }), 404, "board_not_found");
    }
    const asked = (await listDurableObjectIds(env.BOARDS)).map(String);
    expect(asked).toContain(String(env.BOARDS.idFromName(board.id)));
    expect(asked).not.toContain(String(env.BOARDS.idFromName(id)));
  });

  it.each(["0", "a-", "a--b", "9".repeat(63), `b${"-".repeat(62)}`])(
    "of the form %j is as good as any",
    async (id) => {
      const { token } = ok(await create({ id, name: "x" }), 201);
      expect(ok(await call(token, "GET", `/boards/${id}`)).board.id).toBe(id);
    },
  );
});
