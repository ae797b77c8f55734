/** What an Edgeboard import is refused for, and that nothing of it is stored. */
import { describe, expect, it } from "vitest";
import { call, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { AT, commentLine, edgeLine, exportOf, taskLine } from "../support/export-lines.ts";
import { exported, importing, sendImport, tablesOf, textOf } from "../support/exports.ts";
import { fullBoard } from "./full-board.ts";

/** A board with one task of its own, so that it is not empty. */
async function otherBoard(): Promise<TestBoard> {
  const board = await newBoard();
  await board.add({ title: "its own" });
  return board;
}

describe("an import is refused whole", () => {
  async function nothingStored(board: TestBoard, text: string, status: number, code: string) {
    const before = await tablesOf(board);
    const problem = refused(await sendImport(board, text), status, code);
    expect(await tablesOf(board)).toEqual(before);
    return problem;
  }

  it("when it names tasks that are nowhere, each told with who names it", async () => {
    const text = exportOf(
      taskLine(1, { parentTaskId: "lost" }),
      edgeLine("task-1", "gone"),
      edgeLine("stranger", "task-1"),
      commentLine(1, "talked-of"),
    );
    for (const board of [await newBoard(), await otherBoard()]) {
      const { issues } = await nothingStored(board, text, 422, "import_invalid");
      expect(issues.map(({ path }: { path: string }) => path)).toEqual([
        "task-1.parentTaskId",
        "task-1.dependencies",
        "talked-of",
        "stranger",
      ]);
    }
  });

  it("when tasks would wait for each other or lie under each other, with the way round", async () => {
    const tasks = [taskLine(1, { externalRef: "X-1" }), taskLine(2), taskLine(3)];
    const ring = exportOf(
      ...tasks,
      edgeLine("task-1", "task-2"),
      edgeLine("task-2", "task-3"),
      edgeLine("task-3", "task-1"),
    );
    for (const board of [await newBoard(), await otherBoard()]) {
      const { path } = await nothingStored(board, ring, 409, "task_dependency_cycle");
      expect(path).toHaveLength(4);
      expect(new Set(path)).toEqual(new Set(["X-1", "task-2", "task-3"]));
      const under = exportOf(
        taskLine(1, { parentTaskId: "task-2" }),
        taskLine(2, { parentTaskId: "task-1" }),
      );
      expect((await nothingStored(board, under, 409, "parent_cycle")).path).toHaveLength(3);
    }
  });

  it("when it closes a ring with edges or parents that stand on the board", async () => {
    const board = await newBoard();
    await importing(
      board,
      exportOf(taskLine(1), taskLine(2, { parentTaskId: "task-1" }), edgeLine("task-1", "task-2")),
    );
    const edge = exportOf(taskLine(2, { updatedAt: AT + 1 }), edgeLine("task-2", "task-1"));
    await nothingStored(board, edge, 409, "task_dependency_cycle");
    await nothingStored(
      board,
      exportOf(taskLine(1, { parentTaskId: "task-2", updatedAt: AT + 1 })),
      409,
      "parent_cycle",
    );
  });

  it("when it was cut short, or is no export at all", async () => {
    const board = await newBoard();
    const whole = exportOf(taskLine(1), taskLine(2));
    await nothingStored(board, whole.slice(0, whole.lastIndexOf("\n")), 422, "import_invalid");
    await nothingStored(board, textOf([{ id: "bd-1", title: "beads" }]), 422, "import_invalid");
    await nothingStored(board, "", 422, "import_invalid");
  });
});

it("a dry run reports what an import would do, and stores nothing", async () => {
  const { board } = await fullBoard();
  const text = await exported(board);
  for (const target of [await newBoard(), await otherBoard()]) {
    const before = await tablesOf(target);
    const planned = await importing(target, text, "format=edgeboard&dryRun=true");
    expect(await tablesOf(target)).toEqual(before);
    expect(await importing(target, text)).toEqual(planned);
  }
});

it("only a lead may bring a board in, and only into one that is not archived", async () => {
  const board = await newBoard();
  const headers = { "content-type": "application/x-ndjson" };
  for (const role of ["worker", "verifier", "viewer"]) {
    const token = await board.mint("ada", role);
    const sent = await call(token, "POST", `${board.path}/import?format=edgeboard`, exportOf(), headers);
    refused(sent, 403, "forbidden");
  }
  ok(await call(board.lead, "PATCH", board.path, { archived: true }));
  refused(await sendImport(board, exportOf(taskLine(1))), 409, "board_archived");
});

it("the same key answers what the first import answered, and imports once", async () => {
  const board = await newBoard();
  const key = { "idempotency-key": "k" };
  const first = await sendImport(board, exportOf(taskLine(1)), "format=edgeboard", key);
  const again = await sendImport(board, exportOf(taskLine(1)), "format=edgeboard", key);
  expect(ok(again)).toEqual(ok(first));
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  refused(
    await sendImport(board, exportOf(taskLine(2)), "format=edgeboard", key),
    422,
    "idempotency_mismatch",
  );
});
