/** A board as a file. */
import { describe, expect, it } from "vitest";
import { call, ok, refused } from "../support/api.ts";
import { exported, linesOf, openExport, tablesOf } from "../support/exports.ts";
import { fullBoard } from "./full-board.ts";

describe("an export", () => {
  it("is a file of lines: a header, everything, and an end that counts it", async () => {
    const { board } = await fullBoard();
    const response = await openExport(board);
    expect(response.headers.get("content-type")).toContain("application/x-ndjson");
    expect(response.headers.get("content-disposition")).toContain(`${board.id}.ndjson`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const lines = linesOf(new TextDecoder().decode(await response.arrayBuffer()));
    const { seq } = ok(await call(board.lead, "GET", board.path));
    expect(lines[0]).toMatchObject({
      type: "board",
      version: 1,
      id: board.id,
      name: "Test",
      exportedAtSeq: seq,
    });
    expect(lines[0].settings).toMatchObject({ leaseTtlMs: 600_000, caps: { maxDepth: 5 } });
    const count = (type: string) => lines.filter((line) => line.type === type).length;
    expect(lines.at(-1)).toEqual({
      type: "end",
      tasks: count("task"),
      dependencies: count("dependency"),
      comments: count("comment"),
      executions: count("execution"),
      workspaces: count("workspace"),
    });
    expect([
      count("task"),
      count("dependency"),
      count("comment"),
      count("execution"),
      count("workspace"),
    ]).toEqual([9, 4, 4, 4, 1]);
  });

  it("speaks of what it has said before; only a parent may be younger than its child", async () => {
    const { board, ids } = await fullBoard();
    const said = new Set<string>();
    for (const line of linesOf(await exported(board))) {
      if (line.type === "task") said.add(line.id);
      else if (line.taskId !== undefined) expect(said.has(line.taskId), JSON.stringify(line)).toBe(true);
      if (line.type === "dependency") expect(said.has(line.dependsOnTaskId)).toBe(true);
      if (line.type === "task" && line.parentTaskId !== null)
        expect(said.has(line.parentTaskId)).toBe(line.id !== ids.old);
    }
  });

  it("says what is dropped, what was decided, and who did what", async () => {
    const { board, ids } = await fullBoard();
    const lines = linesOf(await exported(board));
    const task = (id: string) => lines.find((line) => line.type === "task" && line.id === id);
    expect(task(ids.dropped)).toMatchObject({ dropped: true, externalRef: "X-2" });
    expect(task(ids.review)).toMatchObject({
      status: "in_review",
      verification: { status: "completed_with_debt" },
      branchRef: "b",
    });
    expect(task(ids.done)).toMatchObject({
      epoch: 2,
      status: "done",
      createdBy: "lead",
      description: 'two\n"lines"',
    });
    const runs = lines.filter((line) => line.type === "execution" && line.taskId === ids.done);
    expect(runs.map(({ status, costUsd, beatCostUsd }) => [status, costUsd, beatCostUsd])).toEqual([
      ["released", 0, 0.25],
      ["succeeded", 0.5, 0],
    ]);
    expect(runs[1].handoff.commands).toEqual({ init: "i", verify: "v", start: "s" });
    expect(lines.filter((line) => line.type === "comment").map(({ id, body }) => [id, body])).toEqual([
      [1, "first"],
      [2, "second\nwith a line"],
      [3, "✓"],
      [4, "look out"],
    ]);
  });

  it("shows no token and no lease of anybody", async () => {
    const { board, worker, leaseToken } = await fullBoard();
    const text = await exported(board);
    for (const secret of [worker, board.lead, leaseToken]) expect(text).not.toContain(secret);
  });

  it("is a lead's to take, also from a board that is archived; all it changes is that it is on record", async () => {
    const { board } = await fullBoard();
    for (const role of ["worker", "verifier", "viewer"]) {
      const response = await openExport(board, await board.mint("someone", role));
      expect([role, response.status]).toEqual([role, 403]);
      await response.arrayBuffer();
    }
    ok(await call(board.lead, "PATCH", board.path, { archived: true }));
    const others = async () => (await tablesOf(board)).filter(([table]) => table !== "audit");
    const before = await others();
    expect(linesOf(await exported(board)).at(-1)).toMatchObject({ tasks: 9 });
    expect(await others()).toEqual(before);
    const { entries } = ok(await call(board.lead, "GET", `${board.path}/audit?kind=export`));
    expect(entries).toMatchObject([{ actorId: "lead" }]);
    refused(await call(board.lead, "GET", `${board.path}/export?limit=5`), 400, "invalid_request");
  });
});
