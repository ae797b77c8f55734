/** What the edges of an issue become, and those that lead nowhere. */
import { expect, it } from "vitest";
import { issue, only, read, UPDATED } from "./issues.ts";

it("blocks becomes a dependency, once for each target", () => {
  const dependencies = [
    { depends_on_id: "x-2", type: "blocks" },
    { depends_on_id: "x-3", type: "blocks" },
    { depends_on_id: "x-2", type: "blocks" },
  ];
  expect(only({ dependencies }).dependsOn).toEqual(["x-2", "x-3"]);
});

it("parent-child names the parent and is no dependency; a second parent is skipped and told", () => {
  const { tasks, skipped } = read(
    issue("x-1", {
      dependencies: [
        { depends_on_id: "x-2", type: "parent-child" },
        { depends_on_id: "x-3", type: "parent-child" },
      ],
    }),
  );
  expect(tasks[0]).toMatchObject({ parentRef: "x-2", dependsOn: [] });
  expect(skipped).toEqual([{ ref: "x-1 → x-3", reason: "second parent" }]);
});

it.each(["related", "discovered-from", "duplicates", "waits-for"])(
  "an edge of type %s is skipped, and the report says so",
  (type) => {
    const { tasks, skipped, issues } = read(issue("x-1", { dependencies: [{ depends_on_id: "x-2", type }] }));
    expect(tasks[0]).toMatchObject({ parentRef: null, dependsOn: [] });
    expect(skipped).toEqual([{ ref: "x-1 → x-2", reason: `edge of type ${type}` }]);
    expect(issues).toEqual([]);
  },
);

it("a tombstone is skipped, and so is every edge to it, wherever it stands in the source", () => {
  const { tasks, skipped, issues } = read(
    issue("x-1", {
      dependencies: [
        { depends_on_id: "x-gone", type: "blocks" },
        { depends_on_id: "x-2", type: "blocks" },
      ],
    }),
    issue("x-gone", { status: "tombstone", deleted_at: UPDATED }),
    issue("x-2", { dependencies: [{ depends_on_id: "x-gone", type: "parent-child" }] }),
  );
  expect(issues).toEqual([]);
  expect(tasks.map(({ externalRef }) => externalRef)).toEqual(["x-1", "x-2"]);
  expect(tasks[0]?.dependsOn).toEqual(["x-2"]);
  expect(tasks[1]?.parentRef).toBeNull();
  expect(skipped).toEqual([
    { ref: "x-gone", reason: "tombstone" },
    { ref: "x-1 → x-gone", reason: "edge to a tombstone" },
    { ref: "x-2 → x-gone", reason: "edge to a tombstone" },
  ]);
});

it("an edge to an issue that is not in the source is kept: the board may know it", () => {
  const { tasks, skipped, issues } = read(
    issue("x-1", { dependencies: [{ depends_on_id: "elsewhere-9", type: "blocks" }] }),
  );
  expect(tasks[0]?.dependsOn).toEqual(["elsewhere-9"]);
  expect(skipped).toEqual([]);
  expect(issues).toEqual([]);
});
