/** An export brought back into the board it came from. */
import { describe, expect, it } from "vitest";
import { call, ok } from "../support/api.ts";
import { contentsOf, exported, holds, importing } from "../support/exports.ts";
import { fullBoard } from "./full-board.ts";

const NOTHING = {
  created: 0,
  updated: 0,
  unchanged: 0,
  staleSkipped: 0,
  edges: 0,
  comments: 0,
  executions: 0,
  workspaces: 0,
  skipped: [],
  issues: [],
};

describe("an export back into the board it came from", () => {
  it("changes nothing, runs under way included, however often", async () => {
    const { board, worker, ids, leaseToken } = await fullBoard();
    const text = await exported(board);
    const before = await contentsOf(board);
    for (let time = 0; time < 2; time++)
      expect(await importing(board, text)).toEqual({ ...NOTHING, unchanged: 9 });
    expect(await contentsOf(board)).toEqual(before);
    await holds(board);
    ok(await call(worker, "POST", `${board.path}/tasks/${ids.held}/heartbeat`, { leaseToken }));
  });

  it("keeps what was changed since, and says how much that is", async () => {
    const { board, ids } = await fullBoard();
    const text = await exported(board);
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${ids.waiting}`, { title: "Newer" }));
    expect(await importing(board, text)).toEqual({ ...NOTHING, unchanged: 8, staleSkipped: 1 });
    expect((await board.get(ids.waiting)).title).toBe("Newer");
  });

  it("deletes nothing that came since, and brings no unlinked edge back", async () => {
    const { board, ids } = await fullBoard();
    const text = await exported(board);
    const added = await board.add({ title: "since" });
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${ids.waiting}/dependencies/${ids.held}`));
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${ids.old}`));
    expect(await importing(board, text)).toMatchObject({ unchanged: 8, staleSkipped: 1, edges: 0 });
    expect((await board.get(added.id)).title).toBe("since");
    expect((await board.get(ids.waiting)).openDependencies).toBe(0);
    expect((await board.get(ids.old)).dropped).toBe(true);
    await holds(board);
  });
});
