import { expect, it } from "vitest";
import type { ImportedTask } from "../../src/import-export/imported.ts";
import { readTaskMaster } from "../../src/import-export/taskmaster.ts";

const UNDATED = Date.UTC(2025, 0, 1);
const TAG_MADE = "2025-06-13T23:52:56.848Z";
const TAG_MADE_MS = Date.UTC(2025, 5, 13, 23, 52, 56, 848);

/** An item with nothing but what every item has. */
const item = (id: number | string, rest: object = {}) => ({
  id,
  title: `Title of ${id}`,
  status: "pending",
  dependencies: [],
  ...rest,
});

const bare = (...tasks: object[]) => readTaskMaster(JSON.stringify({ tasks }), { reset: false });
const tagged = (tags: Record<string, object[]>, metadata: object = { created: TAG_MADE }) =>
  readTaskMaster(
    JSON.stringify(
      Object.fromEntries(Object.entries(tags).map(([name, tasks]) => [name, { tasks, metadata }])),
    ),
    { reset: false },
  );

/** The one task of a source without a fault. */
function only(rest: object, reset = false): ImportedTask {
  const { tasks, issues } = readTaskMaster(JSON.stringify({ tasks: [item(1, rest)] }), { reset });
  expect(issues).toEqual([]);
  expect(tasks).toHaveLength(1);
  return tasks[0] as ImportedTask;
}

const refs = (tasks: ImportedTask[]) => tasks.map(({ externalRef }) => externalRef);
const waits = (tasks: ImportedTask[]) =>
  Object.fromEntries(tasks.map((task) => [task.externalRef, task.dependsOn]));

it("the least an item can be becomes a todo task in the middle of the order, with a date that never moves", () => {
  expect(only({ status: undefined, dependencies: undefined })).toEqual({
    externalRef: "1",
    title: "Title of 1",
    description: "",
    status: "todo",
    priority: 2,
    kind: null,
    labels: [],
    parentRef: null,
    dependsOn: [],
    comments: [],
    createdBy: null,
    notBefore: null,
    createdAt: UNDATED,
    updatedAt: UNDATED,
    undated: true,
    completedAt: null,
  });
});

it("details, test strategy and acceptance criteria become sections of the description", () => {
  const task = only({
    description: "What",
    details: "How",
    testStrategy: "Whether",
    acceptanceCriteria: "When it is good",
  });
  expect(task.description).toBe(
    "What\n\n## Details\nHow\n\n## Test strategy\nWhether\n\n## Acceptance criteria\nWhen it is good",
  );
  expect(only({ details: "How" }).description).toBe("## Details\nHow");
});

it("a description that grows too long with its sections is a fault, one that just fits is not", () => {
  const room = 20_000 - "\n\n## Details\nHow".length;
  expect(only({ description: "d".repeat(room), details: "How" }).description).toHaveLength(20_000);
  const { tasks, issues } = bare(item(1, { description: "d".repeat(room + 1), details: "How" }));
  expect(tasks).toEqual([]);
  expect(issues.map(({ path }) => path)).toEqual(["1.description"]);
});

it.each([
  ["pending", "todo", false],
  ["in-progress", "todo", false],
  ["review", "in_review", false],
  ["done", "done", true],
  ["completed", "done", true],
  ["deferred", "backlog", false],
  ["cancelled", "cancelled", true],
  ["blocked", "blocked", false],
])("an item that is %s comes in as %s", (status, becomes, ended) => {
  const task = only({ status });
  expect(task.status).toBe(becomes);
  expect(task.completedAt).toBe(ended ? UNDATED : null);
});

it.each(["finished", "todo", "PENDING", "", "constructor", "__proto__"])(
  "the status %j is a fault, named with its item",
  (status) => {
    const { tasks, issues } = bare(item(1, { status }));
    expect(tasks).toEqual([]);
    expect(issues).toEqual([{ path: "1.status", message: expect.stringContaining(`"${status}"`) }]);
  },
);

it.each([
  ["critical", 4],
  ["high", 3],
  ["medium", 2],
  ["low", 1],
])("the priority %s becomes %d: higher is more urgent", (priority, becomes) => {
  expect(only({ priority }).priority).toBe(becomes);
});

it("a priority the tool does not know is a fault", () => {
  expect(bare(item(1, { priority: "urgent" })).issues).toEqual([
    { path: "1.priority", message: expect.stringContaining('"urgent"') },
  ]);
});

it("subtasks come after their task as its children, under its id and theirs, as urgent as it is", () => {
  const { tasks, issues } = bare(
    item(4, { priority: "high", subtasks: [item(1), item("2", { priority: "low" })] }),
    item(5),
  );
  expect(issues).toEqual([]);
  expect(refs(tasks)).toEqual(["4", "4.1", "4.2", "5"]);
  expect(tasks.map(({ parentRef }) => parentRef)).toEqual([null, "4", "4", null]);
  expect(tasks.map(({ priority }) => priority)).toEqual([3, 3, 1, 2]);
});

it("a subtask's subtasks are a fault rather than lost", () => {
  const { issues } = bare(item(1, { subtasks: [item(2, { subtasks: [item(3)] })] }));
  expect(issues).toEqual([{ path: "1.2.subtasks", message: expect.any(String) }]);
});

it("within a subtask a bare id is its sibling where there is one, and a task otherwise", () => {
  const { tasks } = bare(
    item(1),
    item(2),
    item(7),
    item(3, { dependencies: [1, "2"], subtasks: [item(1), item(2, { dependencies: [1, "7"] })] }),
  );
  expect(waits(tasks)).toMatchObject({ "3": ["1", "2"], "3.2": ["3.1", "7"] });
});

it("a bare id that would close a ring of siblings is a task where there is one, and the report says so", () => {
  const { tasks, skipped, issues } = bare(
    item(1),
    item(4),
    item(12, {
      subtasks: [
        item(1, { dependencies: [4] }),
        item(2, { dependencies: [2] }),
        item(3, { dependencies: [1] }),
        item(4, { dependencies: [1, "12.3"] }),
      ],
    }),
  );
  expect(issues).toEqual([]);
  expect(waits(tasks)).toMatchObject({
    "12.1": ["4"],
    "12.2": ["12.2"],
    "12.3": ["12.1"],
    "12.4": ["1", "12.3"],
  });
  expect(skipped.map(({ ref }) => ref)).toEqual(["12.1 → 12.4", "12.4 → 12.1"]);
});

it("a ring that nothing but siblings can close stays one, for the board to refuse", () => {
  const { tasks, skipped } = bare(
    item(1),
    item(2, { subtasks: [item(1, { dependencies: ["2.5"] }), item(5, { dependencies: ["2.1"] })] }),
  );
  expect(waits(tasks)).toMatchObject({ "2.1": ["2.5"], "2.5": ["2.1"] });
  expect(skipped).toEqual([]);
  const other = bare(item(3, { subtasks: [item(8, { dependencies: [9] }), item(9, { dependencies: [8] })] }));
  expect(waits(other.tasks)).toMatchObject({ "3.8": ["3.9"], "3.9": ["3.8"] });
  const both = bare(item(1), item(2, { subtasks: [item(1, { dependencies: ["2.1", 1] })] }));
  expect(waits(both.tasks)["2.1"]).toEqual(["2.1", "1"]);
});

it("a dotted id is a subtask wherever it is said, as a number too; the same target counts once", () => {
  const { tasks } = bare(
    item(5, { subtasks: [item(1), item(2, { dependencies: ["5.1", 5.1, 1] })] }),
    item(6, { dependencies: ["5.2", 5.1], subtasks: [item(1, { dependencies: ["5.2"] })] }),
  );
  expect(waits(tasks)).toEqual({ "5": [], "5.1": [], "5.2": ["5.1"], "6": ["5.2", "5.1"], "6.1": ["5.2"] });
});

it("a target that is not in the file is kept: the board may know it", () => {
  expect(bare(item(1, { dependencies: [9, "8.1"] }))).toMatchObject({
    tasks: [{ dependsOn: ["9", "8.1"] }],
    issues: [],
  });
});

it("a tag becomes a label and the first part of each reference, also when there is only one", () => {
  const { tasks, issues } = tagged({
    master: [item(1), item(2, { dependencies: [1], subtasks: [item(1, { dependencies: [3] })] })],
    "next-up": [item(1, { dependencies: ["2.1"] })],
  });
  expect(issues).toEqual([]);
  expect(waits(tasks)).toEqual({
    "master/1": [],
    "master/2": ["master/1"],
    "master/2.1": ["master/3"],
    "next-up/1": ["next-up/2.1"],
  });
  expect(tasks.map(({ labels }) => labels)).toEqual([
    ["tag:master"],
    ["tag:master"],
    ["tag:master"],
    ["tag:next-up"],
  ]);
  expect(refs(tagged({ master: [item(1)] }).tasks)).toEqual(["master/1"]);
});

it("a tag that is called tasks is a tag", () => {
  expect(refs(tagged({ tasks: [item(1)] }).tasks)).toEqual(["tasks/1"]);
});

it("a tag too long for a label is a fault", () => {
  const { issues } = tagged({ [`t${"x".repeat(60)}`]: [item(1)] });
  expect(issues).toEqual([{ path: `t${"x".repeat(60)}`, message: expect.any(String) }]);
});

it("what stands beside the tags and is none is skipped and told", () => {
  const source = { master: { tasks: [item(1)] }, currentTag: "master", meta: { projectName: "x" } };
  expect(readTaskMaster(JSON.stringify(source), { reset: false })).toMatchObject({
    tasks: [{ externalRef: "master/1" }],
    skipped: [
      { ref: "currentTag", reason: expect.stringContaining("not a tag") },
      { ref: "meta", reason: expect.stringContaining("not a tag") },
    ],
    issues: [],
  });
});

it("ids that stand twice are told apart; the first is what the id means", () => {
  const { tasks, skipped, issues } = bare(
    item(4, { subtasks: [item(4), item(4), item("4#2"), item(5, { dependencies: [4] })] }),
  );
  expect(issues).toEqual([]);
  expect(refs(tasks)).toEqual(["4", "4.4", "4.4#2", "4.4#2#2", "4.5"]);
  expect(tasks.at(-1)?.dependsOn).toEqual(["4.4"]);
  expect(skipped).toEqual([
    { ref: "4.4", reason: expect.stringContaining("4.4#2") },
    { ref: "4.4#2", reason: expect.stringContaining("4.4#2#2") },
  ]);
});

it("a task is dated by itself, else by when its tag was made, which does not move with the tag's edits", () => {
  const [own, made, none] = tagged({
    master: [
      item(1, { createdAt: "2025-07-01T00:00:00Z", updatedAt: "2025-07-02T00:00:00Z" }),
      item(2, { createdAt: Date.UTC(2025, 6, 3) }),
      item(3, { status: "done" }),
    ],
  }).tasks as [ImportedTask, ImportedTask, ImportedTask];
  expect(own).toMatchObject({ createdAt: Date.UTC(2025, 6, 1), updatedAt: Date.UTC(2025, 6, 2) });
  expect(own.undated).toBeUndefined();
  expect(made).toMatchObject({
    createdAt: Date.UTC(2025, 6, 3),
    updatedAt: Date.UTC(2025, 6, 3),
    undated: true,
  });
  expect(none).toMatchObject({ createdAt: TAG_MADE_MS, updatedAt: TAG_MADE_MS, completedAt: TAG_MADE_MS });
  const later = tagged({ master: [item(3)] }, { created: TAG_MADE, updated: "2026-01-01T00:00:00Z" });
  expect(later.tasks[0]?.updatedAt).toBe(TAG_MADE_MS);
  expect(tagged({ master: [item(1)] }, { created: "some day" }).tasks[0]?.updatedAt).toBe(UNDATED);
});

it.each(["yesterday", "5", -1, 1.5])("the time %j is a fault and not a guess", (updatedAt) => {
  expect(bare(item(1, { updatedAt })).issues[0]?.path).toBe("tasks.0.updatedAt");
});

it("with reset every item comes in as todo, never completed", () => {
  for (const status of ["pending", "in-progress", "review", "done", "deferred", "cancelled", "blocked"])
    expect(only({ status }, true)).toMatchObject({ status: "todo", completedAt: null });
});

it("tasks come in the order of the file, which is the order of the plan", () => {
  expect(refs(bare(item(3), item(1), item(2)).tasks)).toEqual(["3", "1", "2"]);
});

it("a file that is no tasks.json is one fault, an empty one is none", () => {
  for (const source of ["", "{", "[]", "null", '"text"', "{}", '{"tasks": 5}'])
    expect(readTaskMaster(source, { reset: false }).issues, source).toHaveLength(1);
  expect(bare()).toEqual({ tasks: [], skipped: [], issues: [] });
});

it("faults of an item are told with its place, and do not hide those of others", () => {
  const { issues } = tagged({ a: [item(1, { title: "" }), item(2)], b: [item(1), { title: "no id" }] });
  expect(issues.map(({ path }) => path)).toEqual(["a.tasks.0.title", "b.tasks.1.id"]);
});
