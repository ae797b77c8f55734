/** Imports that are larger than one body: sent in parts, and seen by nobody before they are committed. */
import { describe, expect, it } from "vitest";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { commentLine, edgeLine, exportOf, taskLine } from "../support/export-lines.ts";
import { contentsOf, exported, holds, linesOf, tablesOf } from "../support/exports.ts";
import { begin, commit, pieces, put, sendAll } from "../support/import-parts.ts";
import { inside } from "../support/inside.ts";
import { fullBoard, letGo } from "./full-board.ts";

const DAY = 86_400_000;

describe("an import in parts", () => {
  it("is the same as in one body, wherever the parts were cut and in whatever order they came", async () => {
    const full = await fullBoard();
    await letGo(full);
    const text = await exported(full.board);
    const copy = await newBoard();
    const id = await begin(copy);
    const parts = pieces(text, 1_234);
    expect(parts.length).toBeGreaterThan(5);
    for (const [index, part] of [...parts.entries()].reverse()) ok(await put(copy, id, index + 1, part));
    expect(ok(await commit(copy, id))).toMatchObject({
      created: 9,
      edges: 4,
      comments: 4,
      executions: 4,
      workspaces: 1,
    });
    expect(await contentsOf(copy)).toEqual(await contentsOf(full.board));
    await holds(copy);
    const { entries } = ok(await call(copy.lead, "GET", `${copy.path}/audit?kind=import`));
    expect(entries).toHaveLength(1);
  });

  it("is seen by nobody before it is committed", async () => {
    const board = await newBoard();
    const before = await tablesOf(board);
    const id = await begin(board);
    await sendAll(board, id, pieces(exportOf(taskLine(1)), 200));
    const parts = new Set(["imports", "import_chunks"]);
    const without = (tables: Awaited<ReturnType<typeof tablesOf>>) =>
      tables.filter(([name]) => !parts.has(String(name)));
    expect(without(await tablesOf(board))).toEqual(without(before));
    ok(await commit(board, id));
    expect((await board.get("task-1")).number).toBe(1);
  });

  it("says what has arrived, and takes a part again in place of itself", async () => {
    const board = await newBoard();
    const begun = ok(
      await call(board.lead, "POST", `${board.path}/imports`, { format: "beads", reset: true }),
      201,
    );
    expect(begun).toEqual({
      id: expect.any(String),
      format: "beads",
      reset: true,
      expiresAt: expect.any(Number),
    });
    expect(begun.expiresAt - Date.now()).toBeGreaterThan(DAY - 60_000);
    const { id } = begun;
    expect(ok(await put(board, id, 2, "✓".repeat(100)))).toEqual({
      n: 2,
      bytes: 300,
      parts: 1,
      totalBytes: 300,
    });
    expect(ok(await put(board, id, 1, "x"))).toEqual({ n: 1, bytes: 1, parts: 2, totalBytes: 301 });
    for (let time = 0; time < 2; time++)
      expect(ok(await put(board, id, 2, "yy"))).toEqual({ n: 2, bytes: 2, parts: 2, totalBytes: 3 });
  });

  it("keeps a part of many megabytes and of characters of every width", async () => {
    const board = await newBoard();
    const id = await begin(board);
    const bodies = Array.from({ length: 150 }, (_, i) => `${i}${"a✓𝒳é".repeat(4_000)}`);
    const lines = bodies.map((body, i) => commentLine(i + 1, "task-1", { body }));
    const text = exportOf(taskLine(1), ...lines);
    const { bytes } = ok(await put(board, id, 1, text));
    expect(bytes).toBe(new TextEncoder().encode(text).length);
    expect(bytes).toBeGreaterThan(5_000_000);
    await inside(board, ({ sql }) =>
      expect(sql.number("select max(octet_length(body)) from import_chunks")).toBeLessThanOrEqual(1_000_000),
    );
    expect(ok(await commit(board, id))).toMatchObject({ comments: 150 });
    const said = linesOf(await exported(board)).filter(({ type }) => type === "comment");
    expect(said.map(({ body }) => body)).toEqual(bodies);
  });

  it("of Beads and of Task Master works alike", async () => {
    const board = await newBoard();
    const issue = (n: number, rest: object) =>
      JSON.stringify({
        id: `bd-${n}`,
        title: "t",
        status: "open",
        created_at: "2026-01-01T00:00:00Z",
        updated_at: "2026-01-01T00:00:00Z",
        ...rest,
      });
    const beads = `${issue(1, { dependencies: [{ depends_on_id: "bd-2", type: "blocks" }] })}\n${issue(2, { status: "closed" })}\n`;
    const first = await begin(board, { format: "beads", reset: true });
    await sendAll(board, first, pieces(beads, 77));
    expect(ok(await commit(board, first))).toMatchObject({ created: 2, edges: 1 });
    expect(ok(await call(board.lead, "GET", board.path)).counts).toMatchObject({ todo: 2, done: 0 });
    const second = await begin(board, { format: "taskmaster" });
    const tasks = JSON.stringify({
      v1: { tasks: [{ id: 1, title: "t", status: "done", dependencies: [] }] },
    });
    await sendAll(board, second, pieces(tasks, 30));
    expect(ok(await commit(board, second))).toMatchObject({ created: 1 });
    const { tasks: found } = ok(await call(board.lead, "GET", `${board.path}/tasks?externalRef=v1/1`));
    expect(found).toMatchObject([{ status: "done", labels: ["tag:v1"] }]);
    await holds(board);
  });

  it("brings ten thousand tasks with a comment and an edge each, which go out and come in again", async () => {
    const board = await newBoard();
    const lines = Array.from({ length: 10_000 }, (_, i) => [
      commentLine(i + 1, `task-${i + 1}`),
      ...(i === 0 ? [] : [edgeLine(`task-${i + 1}`, `task-${i}`)]),
      taskLine(i + 1, { externalRef: `X-${i}` }),
    ]);
    const send = async (target: TestBoard, text: string) => {
      const id = await begin(target);
      const half = Math.ceil(text.length / 2);
      await sendAll(target, id, [text.slice(0, half), text.slice(half)]);
      return ok(await commit(target, id));
    };
    const report = { created: 10_000, edges: 9_999, comments: 10_000, unchanged: 0 };
    expect(await send(board, exportOf(...lines.flat()))).toMatchObject(report);
    const copy = await newBoard();
    const text = await exported(board);
    expect(await send(copy, text)).toMatchObject(report);
    expect(await exported(copy)).toBe(text.replace(board.id, copy.id));
    expect(await send(copy, text)).toMatchObject({ created: 0, unchanged: 10_000, comments: 0, edges: 0 });
    await holds(copy);
  }, 180_000);
});
