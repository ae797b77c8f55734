/** What each field of an issue becomes. */
import { expect, it } from "vitest";
import { CREATED, CREATED_MS, issue, only, read, UPDATED_MS } from "./issues.ts";

it("the least an issue can be becomes a todo task in the middle of the order", () => {
  expect(only({})).toEqual({
    externalRef: "x-1",
    title: "Title of x-1",
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
    createdAt: CREATED_MS,
    updatedAt: UPDATED_MS,
    completedAt: null,
  });
});

it("an issue that says everything keeps all of it", () => {
  const task = only({
    description: "What",
    design: "How",
    acceptance_criteria: "When it is good",
    notes: "A note",
    status: "closed",
    priority: 0,
    issue_type: "bug",
    labels: ["api", "ui"],
    external_ref: "gh-77",
    created_by: "ada",
    assignee: "bert",
    closed_at: "2026-03-02T09:00:00Z",
    close_reason: "Shipped",
    dependencies: [
      { issue_id: "x-1", depends_on_id: "x-2", type: "blocks", created_at: CREATED },
      { issue_id: "x-1", depends_on_id: "x-0", type: "parent-child", created_at: CREATED },
    ],
    comments: [{ id: 9, issue_id: "x-1", author: "carl", text: "Seen", created_at: "2026-03-01T12:00:00Z" }],
    source_repo: ".",
  });
  expect(task).toEqual({
    externalRef: "x-1",
    title: "Title of x-1",
    description: "What\n\n## Design\nHow\n\n## Acceptance criteria\nWhen it is good",
    status: "done",
    priority: 4,
    kind: "bug",
    labels: ["api", "ui", "ref:gh-77"],
    parentRef: "x-0",
    dependsOn: ["x-2"],
    comments: [
      { authorId: "ada", body: "A note", at: CREATED_MS },
      { authorId: "ada", body: "Shipped", at: Date.UTC(2026, 2, 2, 9) },
      { authorId: "carl", body: "Seen", at: Date.UTC(2026, 2, 1, 12) },
    ],
    createdBy: "ada",
    notBefore: null,
    createdAt: CREATED_MS,
    updatedAt: UPDATED_MS,
    completedAt: Date.UTC(2026, 2, 2, 9),
  });
});

it("what is null or empty is as good as not said", () => {
  const nothing = {
    description: null,
    design: "",
    acceptance_criteria: null,
    notes: "",
    issue_type: null,
    labels: null,
    external_ref: "",
    created_by: null,
    closed_at: null,
    close_reason: "",
    defer_until: null,
    dependencies: null,
    comments: null,
  };
  expect(only(nothing)).toEqual(only({}));
});

it("design and acceptance criteria stand alone where there is no description", () => {
  expect(only({ design: "How" }).description).toBe("## Design\nHow");
  expect(only({ acceptance_criteria: "Good" }).description).toBe("## Acceptance criteria\nGood");
});

it.each([
  ["open", "todo"],
  ["in_progress", "todo"],
  ["hooked", "todo"],
  ["pinned", "todo"],
  ["blocked", "blocked"],
  ["deferred", "backlog"],
  ["closed", "done"],
])("an issue that is %s comes in as %s", (status, becomes) => {
  expect(only({ status }).status).toBe(becomes);
});

it.each(["finished", "todo", "OPEN", "", "constructor", "toString", "__proto__"])(
  "the status %j is a fault, named with its issue",
  (status) => {
    const { tasks, issues } = read(issue("x-1", { status }));
    expect(tasks).toEqual([]);
    expect(issues).toEqual([{ path: "x-1.status", message: expect.stringContaining(`"${status}"`) }]);
  },
);

it.each([
  [0, 4],
  [1, 3],
  [2, 2],
  [3, 1],
  [4, 0],
])("priority %d, which counts downwards, becomes %d", (theirs, ours) => {
  expect(only({ priority: theirs }).priority).toBe(ours);
});

it.each([-1, 5, 1.5, "1", null])("the priority %j is a fault", (priority) => {
  expect(read(issue("x-1", { priority })).issues).toEqual([
    { path: "line 1.priority", message: expect.any(String) },
  ]);
});

it("a closed issue was completed when it was closed, or else when it was last changed", () => {
  expect(only({ status: "closed", closed_at: "2026-03-02T08:00:00Z" }).completedAt).toBe(
    Date.UTC(2026, 2, 2, 8),
  );
  expect(only({ status: "closed" }).completedAt).toBe(UPDATED_MS);
  expect(only({ status: "open", closed_at: "2026-03-02T08:00:00Z" }).completedAt).toBeNull();
});

it("a deferral becomes the earliest start, except in the backlog, which waits for a person anyway", () => {
  const defer_until = "2026-04-01T00:00:00Z";
  expect(only({ defer_until }).notBefore).toBe(Date.UTC(2026, 3, 1));
  expect(only({ defer_until, status: "deferred" }).notBefore).toBeNull();
});

it.each([
  ["2026-03-01T10:00:00Z", Date.UTC(2026, 2, 1, 10)],
  ["2026-03-01T10:00:00.123Z", Date.UTC(2026, 2, 1, 10, 0, 0, 123)],
  ["2026-03-01T10:00:00.123456789Z", Date.UTC(2026, 2, 1, 10, 0, 0, 123)],
  ["2026-03-01T10:00:00.999999999Z", Date.UTC(2026, 2, 1, 10, 0, 0, 999)],
  ["2026-03-01T10:00:00+02:00", Date.UTC(2026, 2, 1, 8)],
  ["2026-03-01T23:30:00.5-07:00", Date.UTC(2026, 2, 2, 6, 30, 0, 500)],
  ["2026-03-01T10:00:00.000000001+05:45", Date.UTC(2026, 2, 1, 4, 15)],
])("the time %s is read to the millisecond, in its own zone", (created_at, at) => {
  expect(only({ created_at }).createdAt).toBe(at);
});

it.each(["yesterday", "", "5", "2026-13-01T00:00:00Z", "1969-12-31T23:59:59Z", 1_772_000_000_000, null])(
  "the time %j is a fault and not a guess",
  (created_at) => {
    const { tasks, issues } = read(issue("x-1", { created_at }));
    expect(tasks).toEqual([]);
    expect(issues).toEqual([{ path: "line 1.created_at", message: expect.any(String) }]);
  },
);

it("a note is the first comment, then the close reason, then what people said; without an author they are Beads' own", () => {
  const comments = [{ author: "carl", text: "Later", created_at: "2026-03-05T00:00:00Z" }];
  const task = only({ notes: "Note", status: "closed", close_reason: "Done with", comments });
  expect(task.comments).toEqual([
    { authorId: "beads", body: "Note", at: CREATED_MS },
    { authorId: "beads", body: "Done with", at: UPDATED_MS },
    { authorId: "carl", body: "Later", at: Date.UTC(2026, 2, 5) },
  ]);
});

it("a foreign reference becomes a label; one that is too long for it is told in a comment", () => {
  const longest = "r".repeat(60);
  expect(only({ external_ref: longest }).labels).toEqual([`ref:${longest}`]);
  const task = only({ external_ref: `${longest}r`, created_by: "ada" });
  expect(task.labels).toEqual([]);
  expect(task.comments).toEqual([{ authorId: "ada", body: `ref: ${longest}r`, at: CREATED_MS }]);
});

it("a foreign reference longer than any comment may be is a fault", () => {
  const { issues } = read(issue("x-1", { external_ref: "r".repeat(20_001) }));
  expect(issues).toEqual([{ path: expect.stringContaining("external_ref"), message: expect.any(String) }]);
});

it("a foreign reference that no text may hold is a fault of the reference, not of the labels", () => {
  const { issues } = read(issue("x-1", { external_ref: "gh\0-7" }));
  expect(issues).toEqual([{ path: expect.stringContaining("external_ref"), message: expect.any(String) }]);
});

it("labels come once each; more than twenty with the reference's are a fault", () => {
  expect(only({ labels: ["a", "b", "a"], external_ref: "7" }).labels).toEqual(["a", "b", "ref:7"]);
  expect(only({ labels: ["ref:7"], external_ref: "7" }).labels).toEqual(["ref:7"]);
  const twenty = Array.from({ length: 20 }, (_, i) => `l${i}`);
  expect(only({ labels: twenty }).labels).toHaveLength(20);
  const { issues } = read(issue("x-1", { labels: twenty, external_ref: "7" }));
  expect(issues).toEqual([{ path: "x-1.labels", message: "are too many" }]);
});

it("a description that grows too long with its design is a fault, one that just fits is not", () => {
  const room = 20_000 - "\n\n## Design\nHow".length;
  expect(only({ description: "d".repeat(room), design: "How" }).description).toHaveLength(20_000);
  const { tasks, issues } = read(issue("x-1", { description: "d".repeat(room + 1), design: "How" }));
  expect(tasks).toEqual([]);
  expect(issues.map(({ path }) => path)).toEqual(["x-1.description"]);
});
