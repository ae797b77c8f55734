import { describe, expect, it } from "vitest";
import type { BoardEvent, EventKind } from "../../src/contract/events.ts";
import type { TaskStatus } from "../../src/rules/status.ts";
import { checkHistory } from "../demo/check.ts";
import { divide, readPlan } from "../demo/plan.ts";

const AT = 1_700_000_000_000;

interface Row {
  status?: TaskStatus;
  dependsOn?: string[];
  notBefore?: number;
}

/** A log told in a few words; each task is its own id. */
class History {
  readonly events: BoardEvent[] = [];

  add(kind: EventKind, taskId: string | null, data: Record<string, unknown>, epoch?: number): this {
    const seq = this.events.length + 1;
    const actor = { type: "agent" as const, id: "worker-1" };
    this.events.push({ seq, at: AT, kind, taskId, actor, data, ...(epoch === undefined ? {} : { epoch }) });
    return this;
  }

  created(id: string, { status = "todo", dependsOn = [], notBefore }: Row = {}): this {
    const task = { number: this.events.length, title: id, status, notBefore: notBefore ?? null };
    return this.add("task_created", id, { task, dependsOn });
  }

  claimed(id: string, epoch = 1): this {
    return this.add("task_claimed", id, {}, epoch);
  }

  swept(id: string, epoch = 1): this {
    return this.add("task_released", id, { via: "sweep" }, epoch);
  }

  completed(id: string, epoch = 1, status = "succeeded"): this {
    return this.add("execution_completed", id, { status }, epoch);
  }

  check(statuses: Record<string, TaskStatus>) {
    return checkHistory(
      this.events,
      Object.entries(statuses).map(([id, status]) => ({ id, status })),
    );
  }
}

/** A board that made two tasks, the second waiting for the first. */
function chain(): History {
  return new History()
    .add("board_changed", null, {})
    .created("first")
    .created("second", { dependsOn: ["first"] });
}

const BOTH_DONE = { first: "done", second: "done" } as const;

describe("a history that held", () => {
  it("passes, and is counted", () => {
    const history = chain().claimed("first").completed("first").claimed("second").completed("second");
    expect(history.check(BOTH_DONE)).toEqual({ faults: [], expected: 2, done: 2, claims: 2, recovered: 0 });
  });

  it("may have lost a worker on the way", () => {
    const history = chain()
      .claimed("first", 1)
      .swept("first", 1)
      .claimed("first", 2)
      .completed("first", 2)
      .claimed("second")
      .completed("second");
    expect(history.check(BOTH_DONE)).toMatchObject({ faults: [], claims: 3, recovered: 1 });
  });

  it("may have failed before it succeeded", () => {
    const history = chain()
      .claimed("first", 1)
      .completed("first", 1, "failed")
      .claimed("first", 2)
      .completed("first", 2)
      .claimed("second")
      .completed("second");
    expect(history.check(BOTH_DONE).faults).toEqual([]);
  });

  it("may rest on a blocker that came in done", () => {
    const history = new History()
      .created("old", { status: "done" })
      .created("new", { dependsOn: ["old"] })
      .claimed("new")
      .completed("new");
    expect(history.check({ old: "done", new: "done" })).toMatchObject({ faults: [], expected: 1, done: 1 });
  });

  it("leaves alone what came in blocked, and what waits for that", () => {
    const history = new History()
      .created("stuck", { status: "blocked" })
      .created("after", { dependsOn: ["stuck"] });
    expect(history.check({ stuck: "blocked", after: "todo" })).toMatchObject({ faults: [], expected: 0 });
  });

  it("may have done what came in for a time that has come", () => {
    const history = new History()
      .created("soon", { notBefore: AT + 1 })
      .claimed("soon")
      .completed("soon");
    expect(history.check({ soon: "done" })).toMatchObject({ faults: [], expected: 0 });
  });
});

describe("a history that did not hold", () => {
  it("has a task that nobody finished", () => {
    const history = chain().claimed("first").completed("first").claimed("second");
    const { faults, done } = history.check({ first: "done", second: "in_progress" });
    expect(faults).toEqual(["n2 second is in_progress, not done"]);
    expect(done).toBe(1);
  });

  it("has a task that is gone", () => {
    const history = chain().claimed("first").completed("first").claimed("second").completed("second");
    expect(history.check({ first: "done" }).faults).toEqual(["n2 second is gone, not done"]);
  });

  it("has a task done that no run completed", () => {
    const history = chain().claimed("first").completed("first");
    expect(history.check(BOTH_DONE).faults).toEqual(["n2 second is done, though no run completed it"]);
  });

  it("has a task done twice", () => {
    const history = chain()
      .claimed("first", 1)
      .completed("first", 1)
      .claimed("first", 2)
      .completed("first", 2)
      .claimed("second")
      .completed("second");
    expect(history.check(BOTH_DONE).faults).toEqual(["n1 first was completed 2 times instead of 1"]);
  });

  it("has a task done again that came in done", () => {
    const history = new History().created("old", { status: "done" }).claimed("old").completed("old");
    expect(history.check({ old: "done" }).faults).toEqual(["n0 old was completed 1 times instead of 0"]);
  });

  it("has a task done that came in blocked", () => {
    const history = new History().created("stuck", { status: "blocked" }).claimed("stuck").completed("stuck");
    expect(history.check({ stuck: "done" }).faults).toEqual(["n0 stuck was completed 1 times instead of 0"]);
  });

  it("has a task that was started before its blocker was done", () => {
    const history = chain().claimed("second").claimed("first").completed("first").completed("second");
    expect(history.check(BOTH_DONE).faults).toEqual([
      "n2 second was claimed at seq 4, before n1 first was done",
    ]);
  });

  it("has a task that was done while its blocker never was", () => {
    const history = new History()
      .created("stuck", { status: "backlog" })
      .created("after", { dependsOn: ["stuck"] })
      .claimed("after")
      .completed("after");
    expect(history.check({ stuck: "backlog", after: "done" }).faults).toEqual([
      "n1 after was claimed at seq 3, before n0 stuck was done",
    ]);
  });

  it("has a task that two held at once", () => {
    const history = chain()
      .claimed("first", 1)
      .claimed("first", 2)
      .completed("first", 2)
      .claimed("second")
      .completed("second");
    expect(history.check(BOTH_DONE).faults).toEqual([
      "n1 first was claimed at seq 5 while its claim 1 still stood",
    ]);
  });

  it("has a completion under a claim that was never made", () => {
    const history = chain().claimed("first", 1).completed("first", 2).claimed("second").completed("second");
    expect(history.check(BOTH_DONE).faults).toEqual(["n1 first was completed without a claim"]);
  });

  it("has a hole in its log", () => {
    const history = chain().claimed("first").completed("first").claimed("second").completed("second");
    history.events.splice(0, 1);
    expect(history.check(BOTH_DONE).faults).toEqual(["the log has seq 2 where 1 belongs"]);
  });
});

describe("what there is to drain", () => {
  it("leaves out a task for a later time with everything behind it", () => {
    const { events } = new History()
      .created("later", { notBefore: AT + 1 })
      .created("next", { dependsOn: ["later"] })
      .created("last", { dependsOn: ["next"] })
      .created("free", { notBefore: AT - 1 });
    const { open, leftOut } = divide(readPlan(events));
    expect([...open]).toEqual(["free"]);
    expect([...leftOut]).toEqual(["later", "next", "last"]);
  });
});
