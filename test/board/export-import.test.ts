/** The file of a board as a board again. */
import { describe, expect, it } from "vitest";
import { call, events, newBoard, OPERATOR, ok, refused } from "../support/api.ts";
import {
  contentsOf,
  exported,
  holds,
  importing,
  linesOf,
  sendImport,
  tablesOf,
  textOf,
} from "../support/exports.ts";
import { fullBoard, letGo } from "./full-board.ts";

describe("an export into an empty board", () => {
  it("makes it the same board: ids, numbers, epochs and times, line for line", async () => {
    const full = await fullBoard();
    await letGo(full);
    const copy = await newBoard();
    const report = await importing(copy, await exported(full.board));
    expect(report).toEqual({
      created: 9,
      updated: 0,
      unchanged: 0,
      staleSkipped: 0,
      edges: 4,
      comments: 4,
      executions: 4,
      workspaces: 1,
      skipped: [],
      issues: [],
    });
    expect(await contentsOf(copy)).toEqual(await contentsOf(full.board));
    await holds(copy);
  });

  it("does so whatever the order of its lines", async () => {
    const full = await fullBoard();
    await letGo(full);
    const lines = (await exported(full.board)).trimEnd().split("\n");
    for (const order of [lines.toReversed(), lines.toSorted((a, b) => a.length - b.length)]) {
      const copy = await newBoard();
      await importing(copy, order.join("\n"));
      expect(await contentsOf(copy)).toEqual(await contentsOf(full.board));
      await holds(copy);
    }
  });

  it("takes over its name too, which the list of boards is told", async () => {
    const { board } = await fullBoard();
    ok(await call(board.lead, "PATCH", board.path, { name: "Renamed" }));
    const copy = await newBoard();
    await importing(copy, await exported(board));
    const list = ok(await call(OPERATOR, "GET", `/boards?limit=1&cursor=${copy.id.slice(0, -1)}`));
    expect(list.boards).toMatchObject([{ id: copy.id, name: "Renamed" }]);
    const { board: summary, counts } = ok(await call(copy.lead, "GET", copy.path));
    expect(summary).toMatchObject({ name: "Renamed", settings: { leaseTtlMs: 600_000 } });
    expect(counts).toMatchObject({ todo: 4, done: 1, in_review: 1, cancelled: 1, backlog: 1 });
  });

  it("says each task in one event with all that came with it, and has one row of audit", async () => {
    const { board, ids } = await fullBoard();
    const copy = await newBoard();
    const { seq } = ok(await call(copy.lead, "GET", copy.path));
    await importing(copy, await exported(board));
    const told = await events(copy, `&after=${seq}`);
    expect(told.map(({ kind }) => kind)).toEqual(["board_changed", ...Array(9).fill("task_created")]);
    expect(told.slice(1).map(({ data }) => data.task.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const of = (id: string) => told.find((event) => event.taskId === id).data;
    expect(of(ids.done)).toMatchObject({
      task: { epoch: 2, status: "done", description: 'two\n"lines"' },
      comments: [{ id: 1, body: "first" }, { id: 2 }, { id: 3, authorId: "worker" }],
      executions: [
        { epoch: 1, status: "released" },
        { epoch: 2, summary: "It is done" },
      ],
    });
    expect(of(ids.child)).toMatchObject({
      dependsOn: [ids.cancelled],
      onCancel: { [ids.cancelled]: "satisfy" },
    });
    expect(of(ids.review)).toMatchObject({ workspaces: [{ branch: "b" }], task: { parentTaskId: null } });
    const { entries } = ok(await call(copy.lead, "GET", `${copy.path}/audit?kind=import`));
    expect(entries.map(({ kind, data }: { kind: string; data: object }) => [kind, data])).toEqual([
      ["import", { source: "edgeboard", from: board.id, created: 9, updated: 0 }],
    ]);
  });

  it("goes on counting where it was: numbers, comments, epochs", async () => {
    const full = await fullBoard();
    await letGo(full);
    const copy = await newBoard();
    await importing(copy, await exported(full.board));
    expect((await copy.add({ title: "next" })).number).toBe(10);
    const { comment } = ok(
      await call(copy.lead, "POST", `${copy.path}/tasks/n1/comments`, { body: "next" }),
      201,
    );
    expect(comment.id).toBe(5);
    const { lease, handoff } = await copy.claim(full.ids.held, await copy.mint("someone"));
    expect([lease.epoch, handoff]).toEqual([2, undefined]);
    expect((await copy.get(full.ids.waiting)).openDependencies).toBe(1);
    await holds(copy);
  });

  it("lets no lease survive: what was held is open again, and its token is nobody's", async () => {
    const { board, ids, leaseToken } = await fullBoard();
    const copy = await newBoard();
    await importing(copy, await exported(board));
    await holds(copy);
    expect(await copy.get(ids.held)).toMatchObject({
      status: "todo",
      assigneeAgentId: null,
      lease: null,
      epoch: 1,
      ready: true,
    });
    const { executions } = ok(await call(copy.lead, "GET", `${copy.path}/tasks/${ids.held}/executions`));
    expect(executions).toMatchObject([{ status: "released", reason: "import", epoch: 1 }]);
    const other = await copy.mint("worker");
    const { lease } = await copy.claim(ids.held, other);
    expect(lease.epoch).toBe(2);
    refused(
      await call(other, "POST", `${copy.path}/tasks/${ids.held}/heartbeat`, { leaseToken }),
      409,
      "lease_lost",
    );
    expect(await board.get(ids.held)).toMatchObject({ status: "in_progress", lease: { state: "live" } });
  });

  it("with reset is a plan to run again: every task is open, what was said and done is kept", async () => {
    const { board } = await fullBoard();
    const copy = await newBoard();
    await importing(copy, await exported(board), "format=edgeboard&reset=true");
    const { counts } = ok(await call(copy.lead, "GET", copy.path));
    expect(counts).toMatchObject({ todo: 8, done: 0, cancelled: 0, backlog: 0, in_review: 0 });
    expect(linesOf(await exported(copy)).at(-1)).toMatchObject({ comments: 4, executions: 4 });
    await holds(copy);
  });

  it("is refused with settings that do not go together, or a number or comment that stands twice", async () => {
    const { board } = await fullBoard();
    const lines = linesOf(await exported(board));
    const copy = await newBoard();
    const before = await tablesOf(copy);
    const change = (find: (line: Record<string, unknown>) => boolean, rest: object) =>
      textOf(lines.map((line) => (find(line) ? { ...line, ...rest } : line)));
    const isHeader = (line: Record<string, unknown>) => line["type"] === "board";
    const bad = change(isHeader, { settings: { leaseTtlMs: 1_000 } });
    refused(await sendImport(copy, bad), 422, "invalid_settings");
    const number = change((line) => line["number"] === 2, { number: 1 });
    expect(refused(await sendImport(copy, number), 422, "import_invalid").issues[0].message).toContain(
      "number 1",
    );
    const comment = change((line) => line["type"] === "comment" && line["id"] === 2, { id: 1 });
    expect(refused(await sendImport(copy, comment), 422, "import_invalid").issues[0].path).toBe("comments");
    expect(await tablesOf(copy)).toEqual(before);
  });
});
