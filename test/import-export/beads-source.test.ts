/** The source as a whole: its lines, its repeats, its order, and bringing it in to run again. */
import { expect, it } from "vitest";
import { readBeads } from "../../src/import-export/beads.ts";
import { issue, lines, only, read, UPDATED } from "./issues.ts";

it("blank lines and lines that end in a carriage return are no fault", () => {
  const source = `\n${lines(issue("x-1"))}\r\n\n   \n${lines(issue("x-2"))}\r\n\r\n`;
  const { tasks, issues } = readBeads(source, { reset: false });
  expect(issues).toEqual([]);
  expect(tasks.map(({ externalRef }) => externalRef)).toEqual(["x-1", "x-2"]);
});

it("a source without a line brings nothing and has no fault", () => {
  for (const source of ["", "\n", "  \n\n"])
    expect(readBeads(source, { reset: false })).toEqual({ tasks: [], skipped: [], issues: [] });
});

it("lines that are no JSON or no issue are told by their number, blank lines counted", () => {
  const source = [
    lines(issue("x-1")),
    "",
    '{"id": "x-2", ',
    "[1]",
    "null",
    '"text"',
    JSON.stringify({ ...issue("x-3"), title: "   " }),
    JSON.stringify({ ...issue("x-4"), id: undefined, updated_at: undefined }),
    JSON.stringify(issue("x-5", { comments: [{ author: "a", text: "t" }] })),
  ].join("\n");
  const { issues } = readBeads(source, { reset: false });
  expect(issues.map(({ path }) => path)).toEqual([
    "line 3",
    "line 4",
    "line 5",
    "line 6",
    "line 7.title",
    "line 8.id",
    "line 8.updated_at",
    "line 9.comments.0.created_at",
  ]);
  expect(issues[0]?.message).toBe("is not JSON");
});

it("an id that stands twice is a fault, told for each repeat; a tombstone of it is none", () => {
  expect(read(issue("x-1"), issue("x-2"), issue("x-1")).issues).toEqual([
    { path: "x-1", message: "stands twice in the source" },
  ]);
  expect(read(issue("x-1", { status: "tombstone" }), issue("x-2")).issues).toEqual([]);
});

it("with reset every issue comes in as todo, never completed, with its comments and edges", () => {
  for (const status of ["open", "in_progress", "blocked", "deferred", "closed"]) {
    const task = only(
      {
        status,
        closed_at: UPDATED,
        close_reason: "Shipped",
        dependencies: [{ depends_on_id: "x-2", type: "blocks" }],
      },
      { reset: true },
    );
    expect(task).toMatchObject({ status: "todo", completedAt: null, dependsOn: ["x-2"] });
    expect(task.comments.map(({ body }) => body)).toEqual(["Shipped"]);
  }
});

it("reset does not bring a tombstone back", () => {
  const { tasks, skipped } = readBeads(lines(issue("x-1", { status: "tombstone" })), { reset: true });
  expect(tasks).toEqual([]);
  expect(skipped).toEqual([{ ref: "x-1", reason: "tombstone" }]);
});

it("tasks come by age, oldest first, and those of one age as they stood", () => {
  const { tasks } = read(
    issue("young", { created_at: "2026-03-01T10:00:00.002Z" }),
    issue("twin-b", { created_at: "2026-03-01T10:00:00.001Z" }),
    issue("old", { created_at: "2025-01-01T00:00:00+14:00" }),
    issue("twin-a", { created_at: "2026-03-01T11:00:00.001+01:00" }),
  );
  expect(tasks.map(({ externalRef }) => externalRef)).toEqual(["old", "twin-b", "twin-a", "young"]);
});
