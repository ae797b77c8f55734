import { expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/contract/settings.ts";
import { isTooDeep, rootObstacle, subtaskObstacle } from "../../src/rules/caps.ts";

const { caps } = DEFAULT_SETTINGS;

it("the defaults are 24 children, 2 levels and 30 roots in 5 minutes", () => {
  expect(caps).toEqual({ maxChildren: 24, maxDepth: 2, maxRootCreates: 30, rootWindowMs: 300_000 });
});

it("the 24th child is made and the 25th is not", () => {
  expect(subtaskObstacle(caps, 0, 23)).toBeNull();
  expect(subtaskObstacle(caps, 0, 24)).toBe("child_cap");
  expect(subtaskObstacle(caps, 0, 25)).toBe("child_cap");
});

it("a root and its child may have subtasks, a grandchild may not", () => {
  expect(subtaskObstacle(caps, 0, 0)).toBeNull();
  expect(subtaskObstacle(caps, 1, 0)).toBeNull();
  expect(subtaskObstacle(caps, 2, 0)).toBe("depth_cap");
  expect(subtaskObstacle(caps, 3, 0)).toBe("depth_cap");
});

it("too deep is told before too many", () => {
  expect(subtaskObstacle(caps, 2, 24)).toBe("depth_cap");
});

it("a cap of nought refuses the first", () => {
  const none = { ...caps, maxChildren: 0, maxDepth: 0, maxRootCreates: 0 };
  expect(subtaskObstacle(none, 0, 0)).toBe("depth_cap");
  expect(subtaskObstacle({ ...none, maxDepth: 1 }, 0, 0)).toBe("child_cap");
  expect(rootObstacle(none, 0)).toBe("root_rate_cap");
});

it("the 30th root of the window is made and the 31st is not", () => {
  expect(rootObstacle(caps, 29)).toBeNull();
  expect(rootObstacle(caps, 30)).toBe("root_rate_cap");
  expect(rootObstacle(caps, 31)).toBe("root_rate_cap");
});

it("what can be created can be claimed, and nothing deeper", () => {
  for (let parentDepth = 0; parentDepth < 6; parentDepth++) {
    const created = subtaskObstacle(caps, parentDepth, 0) === null;
    expect(isTooDeep(caps, parentDepth + 1)).toBe(!created);
  }
  expect(isTooDeep(caps, 0)).toBe(false);
});
