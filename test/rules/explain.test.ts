import { describe, expect, it } from "vitest";
import { REASONS } from "../../src/contract/reasons.ts";
import {
  gravest,
  mustActOn,
  mustActOnRefusal,
  type Placed,
  type Stance,
  type Standing,
  standingOf,
} from "../../src/rules/explain.ts";
import { TASK_STATUSES } from "../../src/rules/status.ts";

const NOW = 1_800_000_000_000;
const OPEN: Stance = {
  status: "todo",
  dropped: false,
  assigned: false,
  openDependencies: 0,
  notBefore: null,
  lease: null,
};

const STANDINGS: Standing[] = [
  "cancelled",
  "dropped",
  "blocked",
  "backlog",
  "no_lease",
  "in_review",
  "ready",
  "running",
  "expired",
  "deferred",
  "waiting",
  "done",
];

const placed = (...standings: Standing[]): Placed[] =>
  standings.map((standing, index) => ({ number: index + 1, standing }));

describe("a task stands as", () => {
  it.each<[Standing, Partial<Stance>]>([
    ["ready", {}],
    ["ready", { notBefore: NOW }],
    ["deferred", { notBefore: NOW + 1 }],
    ["waiting", { openDependencies: 1 }],
    ["waiting", { openDependencies: 1, notBefore: NOW + 1 }],
    ["no_lease", { assigned: true }],
    ["running", { status: "in_progress", assigned: true, lease: "live" }],
    ["expired", { status: "in_progress", assigned: true, lease: "expired" }],
    ["no_lease", { status: "in_progress", assigned: true }],
    ["in_review", { status: "in_review", lease: "live" }],
    ["in_review", { status: "in_review", openDependencies: 2 }],
    ["blocked", { status: "blocked", openDependencies: 1 }],
    ["backlog", { status: "backlog" }],
    ["cancelled", { status: "cancelled" }],
    ["done", { status: "done" }],
  ])("%s: %j", (standing, stance) => {
    expect(standingOf({ ...OPEN, ...stance }, NOW)).toBe(standing);
  });

  it("dropped whatever its status, unless it was done before", () => {
    for (const status of TASK_STATUSES)
      expect(standingOf({ ...OPEN, status, dropped: true }, NOW)).toBe(
        status === "done" ? "done" : "dropped",
      );
  });
});

describe("who must act", () => {
  it("is told for every standing, in a sentence that names the task", () => {
    for (const standing of STANDINGS) {
      const { who, action } = mustActOn({ number: 7, standing });
      expect([standing, who]).toEqual([standing, expect.stringMatching(/^[a-z]+$/)]);
      expect(action).toMatch(/^[A-Z].*\bn7\b.*\.$/);
    }
  });

  it.each<[Standing, string]>([
    ["ready", "agent"],
    ["running", "holder"],
    ["no_lease", "holder"],
    ["expired", "clock"],
    ["deferred", "clock"],
    ["in_review", "reviewer"],
    ["blocked", "lead"],
    ["backlog", "lead"],
    ["cancelled", "lead"],
    ["dropped", "lead"],
    ["done", "nobody"],
  ])("on a task that is %s: %s", (standing, who) => {
    expect(mustActOn({ number: 1, standing }).who).toBe(who);
  });

  it("is told for every reason there is", () => {
    for (const code of REASONS)
      expect(mustActOnRefusal(code, { number: 1, standing: "waiting" }, [])).toEqual({
        who: expect.stringMatching(/\S/),
        action: expect.stringMatching(/^[A-Z].*\.$/),
      });
  });

  it.each([
    ["terminal", "nobody"],
    ["board_paused", "lead"],
    ["task_not_found", "lead"],
    ["not_before", "clock"],
    ["capability_mismatch", "agent"],
    ["runtime_mismatch", "agent"],
    ["depth_cap", "lead"],
    ["budget_exhausted", "lead"],
  ] as const)("on a claim refused with %s: %s", (code, who) => {
    expect(mustActOnRefusal(code, { number: 1, standing: "ready" }, []).who).toBe(who);
  });

  it("on a conflict is whoever has the task", () => {
    for (const standing of STANDINGS)
      expect(mustActOnRefusal("conflict", { number: 3, standing }, [])).toEqual(
        mustActOn({ number: 3, standing }),
      );
  });

  it("on a task that waits is whoever has its gravest blocker", () => {
    const act = (...standings: Standing[]) =>
      mustActOnRefusal("not_ready", { number: 99, standing: "waiting" }, placed(...standings));
    expect(act("running", "ready")).toEqual(mustActOn({ number: 2, standing: "ready" }));
    expect(act("running", "ready", "blocked", "dropped")).toEqual(
      mustActOn({ number: 4, standing: "dropped" }),
    );
    expect(act("deferred", "running")).toEqual(mustActOn({ number: 2, standing: "running" }));
  });

  it("on tasks that wait for each other in a circle is a lead", () => {
    const { who, action } = mustActOnRefusal("not_ready", { number: 1, standing: "waiting" }, []);
    expect(who).toBe("lead");
    expect(action).toContain("circle");
  });
});

describe("the gravest of several", () => {
  it("is the one least likely to move by itself", () => {
    for (const [index, standing] of STANDINGS.entries())
      expect(gravest(placed(...STANDINGS.slice(index).reverse()))?.standing).toBe(standing);
  });

  it("is the first of equals, and none of none", () => {
    expect(gravest(placed("running", "blocked", "blocked"))?.number).toBe(2);
    expect(gravest([])).toBeNull();
  });
});
