import { expect, it } from "vitest";
import { type Claimable, type Claimant, claimObstacles, missingCapabilities } from "../../src/rules/claim.ts";

const NOW = 1_800_000_000_000;
const OPEN: Claimable = {
  openDependencies: 0,
  notBefore: null,
  requiredCapabilities: [],
  assigneeRuntime: null,
};
const ANYONE: Claimant = { runtime: null, capabilities: [] };

/** Everything at once that can stand in the way, in the order in which it is told. */
const HINDERED: Claimable = {
  openDependencies: 2,
  notBefore: NOW + 1,
  requiredCapabilities: ["gpu"],
  assigneeRuntime: "codex",
};

/** What a refusal would tell. */
const claimObstacle = (...asked: Parameters<typeof claimObstacles>) => claimObstacles(...asked)[0] ?? null;

it("a task with nothing in the way may be claimed by anyone", () => {
  expect(claimObstacle(OPEN, ANYONE, NOW)).toBeNull();
});

it.each<{ obstacle: string; task: Partial<Claimable> }>([
  { obstacle: "not_ready", task: { openDependencies: 1 } },
  { obstacle: "not_before", task: { notBefore: NOW + 1 } },
  { obstacle: "capability_mismatch", task: { requiredCapabilities: ["gpu"] } },
  { obstacle: "runtime_mismatch", task: { assigneeRuntime: "codex" } },
])("alone, its own obstacle is told: $obstacle", ({ obstacle, task }) => {
  expect(claimObstacle({ ...OPEN, ...task }, ANYONE, NOW)).toBe(obstacle);
});

it("with several obstacles the first is told, then the next once it is gone", () => {
  const told: (string | null)[] = [];
  const task = { ...HINDERED };
  for (const lift of [
    { openDependencies: 0 },
    { notBefore: null },
    { requiredCapabilities: [] },
    { assigneeRuntime: null },
    {},
  ]) {
    told.push(claimObstacle(task, ANYONE, NOW));
    Object.assign(task, lift);
  }
  expect(told).toEqual(["not_ready", "not_before", "capability_mismatch", "runtime_mismatch", null]);
});

it("everything in the way is told when it is asked for, in the same order", () => {
  const all = ["not_ready", "not_before", "capability_mismatch", "runtime_mismatch"];
  expect(claimObstacles(HINDERED, ANYONE, NOW)).toEqual(all);
  expect(claimObstacles(HINDERED, { ...ANYONE, ignoreDependencies: true }, NOW)).toEqual(all.slice(1));
  expect(claimObstacles(OPEN, ANYONE, NOW)).toEqual([]);
});

it("ignoring dependencies ignores nothing else", () => {
  const claimant = { ...ANYONE, ignoreDependencies: true };
  expect(claimObstacle({ ...OPEN, openDependencies: 3 }, claimant, NOW)).toBeNull();
  expect(claimObstacle(HINDERED, claimant, NOW)).toBe("not_before");
  expect(claimObstacle({ ...OPEN, openDependencies: 3 }, { ...ANYONE, ignoreDependencies: false }, NOW)).toBe(
    "not_ready",
  );
});

it("a task may be claimed from the very millisecond it was deferred to", () => {
  expect(claimObstacle({ ...OPEN, notBefore: NOW }, ANYONE, NOW)).toBeNull();
  expect(claimObstacle({ ...OPEN, notBefore: NOW + 1 }, ANYONE, NOW)).toBe("not_before");
});

it("every required capability is needed, and more do no harm", () => {
  const task = { ...OPEN, requiredCapabilities: ["gpu", "docker"] };
  const having = (...capabilities: string[]) => ({ ...ANYONE, capabilities });
  expect(missingCapabilities(task, having("docker", "web"))).toEqual(["gpu"]);
  expect(claimObstacle(task, having("docker", "web"), NOW)).toBe("capability_mismatch");
  expect(missingCapabilities(task, having("web", "docker", "gpu"))).toEqual([]);
  expect(claimObstacle(task, having("web", "docker", "gpu"), NOW)).toBeNull();
});

it("a capability is compared whole and in its own case", () => {
  const task = { ...OPEN, requiredCapabilities: ["gpu"] };
  expect(missingCapabilities(task, { ...ANYONE, capabilities: ["GPU", "gpus", "g"] })).toEqual(["gpu"]);
});

it("a task bound to a runtime is for that runtime, and not for one that does not say", () => {
  const task = { ...OPEN, assigneeRuntime: "codex" };
  expect(claimObstacle(task, { ...ANYONE, runtime: "codex" }, NOW)).toBeNull();
  expect(claimObstacle(task, { ...ANYONE, runtime: "claude" }, NOW)).toBe("runtime_mismatch");
  expect(claimObstacle(task, ANYONE, NOW)).toBe("runtime_mismatch");
  expect(claimObstacle(OPEN, { ...ANYONE, runtime: "claude" }, NOW)).toBeNull();
});
