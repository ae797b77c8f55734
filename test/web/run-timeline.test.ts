/** Where runs stand on the timeline. */
import { describe, expect, it } from "vitest";
import type { BoardEvent } from "../../src/contract/events.ts";
import type { Execution } from "../../src/contract/task.ts";
import { barsOf, togetherWithin } from "../../src/web/runs/bars.ts";
import { reused, rowsOf } from "../../src/web/runs/lanes.ts";
import { runAfter } from "../../src/web/runs/patches.ts";
import {
  busySpans,
  perMsFor,
  SHORT_PX,
  ticksIn,
  timeOf,
  timeScale,
  xOf,
} from "../../src/web/runs/time-scale.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function run(
  id: string,
  startedAt: number,
  endedAt: number | null,
  rest: Partial<Execution> = {},
): Execution {
  const status = endedAt === null ? "running" : "succeeded";
  return { id, startedAt, endedAt, status, agentId: "anna", taskId: "t1", ...rest } as Execution;
}

const newestFirst = (...runs: Execution[]) => runs.sort((a, b) => b.startedAt - a.startedAt);

describe("a scale of time", () => {
  const busy = busySpans([
    { from: 0, to: HOUR },
    { from: 30 * MINUTE, to: 2 * HOUR },
    { from: 20 * HOUR, to: 21 * HOUR },
  ]);
  const whole = { from: 0, to: 21 * HOUR };
  const perMs = 100 / HOUR;

  it("joins what overlaps", () => {
    expect(busy).toEqual([
      { from: 0, to: 2 * HOUR },
      { from: 20 * HOUR, to: 21 * HOUR },
    ]);
  });

  it("draws the time in which nothing ran short, and the rest at its length", () => {
    const scale = timeScale(busy, whole, perMs, true);
    expect(scale.width).toBeCloseTo(300 + SHORT_PX);
    expect(xOf(scale, 20 * HOUR)).toBeCloseTo(200 + SHORT_PX);
    expect(timeScale(busy, whole, perMs, false).width).toBeCloseTo(2_100);
  });

  it("has one moment for every place and one place for every moment, also beyond its ends", () => {
    const scale = timeScale(busy, whole, perMs, true);
    for (const at of [-HOUR, 0, HOUR, 2 * HOUR, 11 * HOUR, 20 * HOUR, 21 * HOUR, 25 * HOUR])
      expect(timeOf(scale, xOf(scale, at))).toBeCloseTo(at, 0);
  });

  it("is found for a stretch that is to be so many pixels wide, though times are short in it", () => {
    const span = { from: HOUR, to: 20.5 * HOUR };
    const found = timeScale(busy, whole, perMsFor(busy, whole, true, span, 640), true);
    expect(xOf(found, span.to) - xOf(found, span.from)).toBeCloseTo(640, 0);
  });

  it("has round moments on it, not too near to each other, and none where time is short", () => {
    const scale = timeScale(busy, whole, perMs, true);
    const ticks = ticksIn(scale, 0, scale.width, () => 0);
    expect(ticks.length).toBeGreaterThan(2);
    expect(ticks.every(({ at }) => at % HOUR === 0)).toBe(true);
    for (const [index, { x }] of ticks.entries())
      if (index > 0) expect(x - (ticks[index - 1]?.x ?? 0)).toBeGreaterThan(60);
    expect(ticks.every(({ at }) => at <= 2 * HOUR || at >= 20 * HOUR)).toBe(true);
  });
});

describe("the rows", () => {
  it("are agents by name, with as many rows as one had runs at a time", () => {
    const runs = newestFirst(
      run("1", 0, 10, { agentId: "bo" }),
      run("2", 5, 15, { agentId: "bo" }),
      run("3", 12, 20, { agentId: "bo" }),
      run("4", 1, 2, { agentId: "anna" }),
    );
    const rows = rowsOf(runs, "agent").map(({ lane, first, runs }) => [
      lane,
      first,
      runs.map(({ id }) => id).join(),
    ]);
    expect(rows).toEqual([
      ["anna", true, "4"],
      ["bo", true, "1,3"],
      ["bo", false, "2"],
    ]);
  });

  it("are tasks by their newest run, so that older ones come below", () => {
    const newer = newestFirst(run("1", 50, 60, { taskId: "a" }), run("2", 70, 80, { taskId: "b" }));
    const lanes = (runs: Execution[]) => rowsOf(runs, "task").map(({ lane }) => lane);
    expect(lanes(newer)).toEqual(["b", "a"]);
    expect(lanes([...newer, run("0", 10, 20, { taskId: "c" }), run("00", 1, 2, { taskId: "b" })])).toEqual([
      "b",
      "a",
      "c",
    ]);
  });

  it("keep a run in its row when it ends, and stay the same where nothing changed", () => {
    const running = run("2", 5, null, { agentId: "bo" });
    const others = [run("1", 0, null, { agentId: "bo" }), run("3", 1, 2, { agentId: "anna" })];
    const before = rowsOf(newestFirst(running, ...others), "agent");
    const after = reused(
      before,
      rowsOf(newestFirst({ ...running, endedAt: 9, status: "failed" }, ...others), "agent"),
    );
    expect(after.map(({ runs }) => runs[0]?.id)).toEqual(before.map(({ runs }) => runs[0]?.id));
    expect(after.map((row, index) => row === before[index])).toEqual([true, true, false]);
  });
});

describe("the bars of a row", () => {
  const runs = Array.from({ length: 1_000 }, (_, index) =>
    run(`${index}`, index * MINUTE, index * MINUTE + 30_000),
  );
  const scale = timeScale(
    busySpans([{ from: 0, to: 1_000 * MINUTE }]),
    { from: 0, to: 1_000 * MINUTE },
    10 / MINUTE,
    true,
  );

  it("are only those in view", () => {
    const bars = barsOf(runs, scale, 5_000, 5_100, 0);
    expect(bars.map(({ key }) => Number(key))).toEqual([
      500, 501, 502, 503, 504, 505, 506, 507, 508, 509, 510,
    ]);
  });

  it("stand for many runs where these are narrow, and for each exactly once", () => {
    const bars = barsOf(runs, scale, 0, 10_000, 64);
    expect(bars.length).toBeLessThan(200);
    expect(bars.reduce((sum, { runs }) => sum + runs.length, 0)).toBe(1_000);
  });

  it("group the same wherever one has scrolled to", () => {
    const [all, some] = [barsOf(runs, scale, 0, 10_000, 64), barsOf(runs, scale, 4_000, 6_000, 64)];
    const inside = some.slice(1, -1).map(({ key, runs }) => [key, runs.length]);
    expect(all.map(({ key, runs }) => [key, runs.length])).toEqual(expect.arrayContaining(inside));
  });

  it("never hide a run that is still going, which is wherever the time is after its beginning", () => {
    const going = [...runs.slice(0, 10), run("going", 10 * MINUTE, null)];
    expect(barsOf(going, scale, 9_000, 9_100, 64).map(({ key }) => key)).toEqual(["going"]);
  });

  it("are drawn together as far as it takes for no more than so many", () => {
    const count = (within: number) => barsOf(runs, scale, 0, 10_000, within).length;
    expect(count(togetherWithin(count, 100))).toBeLessThanOrEqual(100);
    expect(togetherWithin(() => 5, 100)).toBe(8);
  });
});

describe("an event", () => {
  const going = run("r1", 0, null);
  const known = (id: string) => (id === "r1" ? going : undefined);
  const event = (kind: BoardEvent["kind"], data: BoardEvent["data"]): BoardEvent => ({
    seq: 9,
    at: 500,
    kind,
    taskId: "t1",
    actor: { type: "agent", id: "anna" },
    epoch: 2,
    data,
  });

  it("of a claim begins a run", () => {
    const claimed = event("task_claimed", { executionId: "r2", agentId: "bo", runtime: "codex" });
    expect(runAfter(claimed, known)).toMatchObject({
      id: "r2",
      taskId: "t1",
      agentId: "bo",
      runtime: "codex",
      status: "running",
      startedAt: 500,
      endedAt: null,
      epoch: 2,
    });
  });

  it("of a completion ends it, with what was said", () => {
    const done = event("execution_completed", {
      executionId: "r1",
      status: "failed",
      error: "No.",
      summary: null,
    });
    expect(runAfter(done, known)).toMatchObject({ id: "r1", status: "failed", endedAt: 500, error: "No." });
  });

  it("of a swept task times its run out, and leaves alone what has ended or is not known", () => {
    const swept = event("task_released", { via: "sweep", execution: { id: "r1", status: "timed_out" } });
    expect(runAfter(swept, known)).toMatchObject({ id: "r1", status: "timed_out", endedAt: 500 });
    expect(runAfter(swept, () => run("r1", 0, 100))).toBeNull();
    expect(runAfter(swept, () => undefined)).toBeNull();
    expect(runAfter(event("comment_added", { comment: {} }), known)).toBeNull();
  });
});
