import { describe, expect, it } from "vitest";
import { batchesOf, surveyBoard } from "../../src/import-export/edgeboard.ts";
import {
  AT,
  boardLine,
  commentLine,
  edgeLine,
  endLine,
  exportOf,
  runLine,
  taskLine,
  workspaceLine,
} from "../support/export-lines.ts";

const text = (...lines: object[]) => lines.map((line) => JSON.stringify(line)).join("\n");
const paths = (source: string) => surveyBoard(source).issues.map(({ path }) => path);

describe("a survey", () => {
  it("keeps a few words of each task, and no text", () => {
    const source = exportOf(
      taskLine(2, {
        externalRef: "X-2",
        parentTaskId: "task-1",
        status: "done",
        epoch: 3,
        updatedAt: AT + 5,
      }),
      taskLine(1, { description: "d".repeat(1_000), dropped: true }),
    );
    const { board, tasks, edges, elsewhere, issues } = surveyBoard(source);
    expect(issues).toEqual([]);
    expect(board).toEqual(boardLine());
    expect(edges.size + elsewhere.size).toBe(0);
    expect([...tasks.values()]).toEqual([
      {
        id: "task-2",
        number: 2,
        externalRef: "X-2",
        parentTaskId: "task-1",
        status: "done",
        dropped: false,
        updatedAt: AT + 5,
        epoch: 3,
        running: false,
        history: 0,
      },
      expect.objectContaining({ id: "task-1", dropped: true }),
    ]);
  });

  it("knows of each task how much was said and done, the highest epoch, and whether a run goes on", () => {
    const comment = commentLine(1, "task-1");
    const { tasks } = surveyBoard(
      exportOf(
        comment,
        runLine("task-1", 4, { status: "running", endedAt: null }),
        runLine("task-1", 2),
        taskLine(1, { epoch: 1 }),
        taskLine(2, { epoch: 9 }),
        runLine("task-2", 3),
      ),
    );
    expect(tasks.get("task-1")).toMatchObject({ epoch: 4, running: true });
    expect(tasks.get("task-1")?.history).toBeGreaterThan(JSON.stringify(comment).length);
    expect(tasks.get("task-2")).toMatchObject({ epoch: 9, running: false });
  });

  it("collects edges by who waits, and names whoever is not in the source", () => {
    const { edges, elsewhere, speaksOf } = surveyBoard(
      exportOf(
        edgeLine("task-1", "task-2", { onCancel: "satisfy" }),
        edgeLine("task-1", "gone"),
        edgeLine("other", "task-1"),
        taskLine(1, { parentTaskId: "parent" }),
        taskLine(2),
        commentLine(1, "talked-of"),
        workspaceLine("placed"),
      ),
    );
    expect(edges.get("task-1")?.map(({ dependsOnTaskId, onCancel }) => [dependsOnTaskId, onCancel])).toEqual([
      ["task-2", "satisfy"],
      ["gone", "hold"],
    ]);
    expect([...elsewhere].sort()).toEqual(["gone", "other", "parent", "placed", "talked-of"]);
    expect([...speaksOf].sort()).toEqual(["other", "placed", "talked-of"]);
  });

  it("does not mind the order of lines, nor where the source was cut", () => {
    const lines = [taskLine(1), edgeLine("task-1", "task-2"), taskLine(2), commentLine(1, "task-2")];
    const forth = exportOf(...lines).split("\n");
    const survey = surveyBoard(forth.toReversed().join("\n"));
    expect(survey.issues).toEqual([]);
    expect([...survey.tasks.keys()].sort()).toEqual(["task-1", "task-2"]);
    const whole = forth.join("\n");
    expect(surveyBoard([whole.slice(0, 301), whole.slice(301)])).toEqual(surveyBoard(whole));
  });
});

describe("a fault", () => {
  it("of a line is told with the line and the field", () => {
    const source = text(
      boardLine(),
      taskLine(1, { title: " " }),
      { ...taskLine(2), color: "red" },
      { ...taskLine(3), priority: 10 },
      edgeLine("task-1", "task-1", { onCancel: "explode" as never }),
      { type: "wish" },
      { id: "x" },
      [1],
      runLine("task-1", 0),
      { ...commentLine(1, "task-1"), body: "a\0b" },
      endLine,
    );
    expect(paths(`${source}\nnot json`)).toEqual([
      "line 2.title",
      "line 3",
      "line 4.priority",
      "line 5.onCancel",
      "line 6.type",
      "line 7.type",
      "line 8.type",
      "line 9.epoch",
      "line 10.body",
      "line 12",
    ]);
  });

  it.each(["constructor", "toString", "__proto__"])(
    "is a type %s, which objects have and the format has not",
    (type) => {
      expect(paths(exportOf({ type }))).toEqual(["line 2.type"]);
    },
  );

  it("is an id that would be taken for a number, or is no id", () => {
    for (const id of ["n12", "", "a b", "x".repeat(65), "é"])
      expect(paths(exportOf(taskLine(1, { id }))), id).toEqual(["line 2.id"]);
    expect(paths(exportOf(taskLine(1, { id: "n12x" }), taskLine(2, { id: "n" })))).toEqual([]);
  });

  it("is a task that stands twice", () => {
    expect(paths(exportOf(taskLine(1), taskLine(1)))).toEqual(["line 3.id"]);
  });

  it("is a file without a header, with two of them, or of another version", () => {
    expect(surveyBoard(text(taskLine(1), endLine)).issues[0]?.message).toContain("no header");
    expect(paths(exportOf(boardLine()))).toEqual(["line 2"]);
    expect(paths(text(boardLine({ version: 2 as never }), endLine))).toEqual(["line 1.version"]);
  });

  it("is a file that was cut short, wherever that happened", () => {
    const whole = exportOf(taskLine(1), taskLine(2));
    expect(surveyBoard(whole).issues).toEqual([]);
    for (const cut of [whole.lastIndexOf("\n"), whole.lastIndexOf("\n") + 5, 400, 0])
      expect(surveyBoard(whole.slice(0, cut)).issues, String(cut)).not.toEqual([]);
  });

  it("is a line longer than any a board writes", () => {
    const source = exportOf({ ...taskLine(1), description: "x".repeat(700_000) }, taskLine(2, { title: "" }));
    expect(surveyBoard(source).issues).toEqual([
      { path: "line 2", message: expect.stringContaining("longer") },
      { path: "line 3.title", message: expect.any(String) },
    ]);
  });

  it("is told two hundred times at most", () => {
    const many = Array.from({ length: 500 }, (_, index) => taskLine(index + 1, { title: "" }));
    expect(surveyBoard(exportOf(...many)).issues).toHaveLength(200);
  });
});

describe("batches", () => {
  it("bring the lines of the types asked for, in their order, wherever the type stands in the line", () => {
    const { type, ...rest } = commentLine(2, "task-1");
    const source = exportOf(taskLine(1), commentLine(1, "task-1"), { ...rest, type }, runLine("task-1", 1));
    const ids = [...batchesOf(source, ["comment", "execution"])].flat().map(({ id }) => id);
    expect(ids).toEqual([1, 2, "run-task-1-1"]);
  });

  it("are so small that a large source is never in memory whole", () => {
    const lines = Array.from({ length: 200 }, (_, i) =>
      commentLine(i + 1, "task-1", { body: "b".repeat(20_000) }),
    );
    const sizes = [...batchesOf(exportOf(taskLine(1), ...lines), ["comment"])].map(({ length }) => length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(200);
    expect(Math.max(...sizes)).toBeLessThan(30);
  });
});
