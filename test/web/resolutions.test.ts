/** What is offered about a task that is stuck. */
import { expect, it } from "vitest";
import type { Board } from "../../src/client/board.ts";
import { Refused } from "../../src/client/errors.ts";
import type { Me } from "../../src/contract/answers.ts";
import type { StuckReason, StuckTask } from "../../src/contract/insight.ts";
import { STUCK_REASONS } from "../../src/contract/insight.ts";
import { REASON_ORDER } from "../../src/web/stuck/reasons.ts";
import { deadEdge, type Resolution, resolutionsOf } from "../../src/web/stuck/resolutions.ts";

const me = (role: string, agentId = "me"): Me => ({
  agentId,
  role,
  board: "b",
  runtime: null,
  capabilities: [],
  expiresAt: null,
});
const offered = (of: StuckTask, role: string, agentId?: string) =>
  resolutionsOf(of, "b", me(role, agentId), role === "lead");
const ref = (number: number, status: StuckTask["task"]["status"] = "todo") => ({
  id: `id-${number}`,
  number,
  title: `Task ${number}`,
  status,
});
const stuck = (reason: StuckReason, more: Partial<StuckTask> = {}): StuckTask => ({
  reason,
  task: { ...ref(5, "in_progress"), since: 0 },
  mustAct: { who: "lead", action: "Act." },
  ...more,
});
const labels = (resolutions: Resolution[]) => resolutions.map(({ label }) => label);

/** A board that writes down what it is asked, and refuses once where it is told to. */
function listening(refuses?: "verification_required") {
  const asked: unknown[] = [];
  let left = refuses;
  const call =
    (name: string) =>
    (...args: unknown[]) => {
      asked.push([name, ...args]);
      if (left === undefined) return Promise.resolve();
      const code = left;
      left = undefined;
      return Promise.reject(new Refused({ code, status: 409, detail: "", retryable: false } as never));
    };
  const tasks = new Proxy({}, { get: (_, name) => call(String(name)) });
  return { board: { tasks } as unknown as Board, asked };
}

async function act(resolutions: Resolution[], label: string, board: Board, words = "") {
  const found = resolutions.find((resolution) => resolution.label === label);
  if (found?.way !== "act") throw new Error(`${label} is not offered`);
  await found.act(board, words);
}

it("the reasons stand in the order the board lists them", () => {
  expect(REASON_ORDER).toEqual(STUCK_REASONS);
});

it("a lead is offered a way out of every reason; a viewer and a worker are offered none", () => {
  for (const reason of STUCK_REASONS) {
    expect(offered(stuck(reason), "lead").length).toBeGreaterThan(0);
    expect(offered(stuck(reason), "viewer")).toEqual([]);
    expect(offered(stuck(reason), "worker")).toEqual([]);
  }
});

it("a verifier judges the work of others, never its own", () => {
  const waits = stuck("no_reviewer", { builtBy: "ada" });
  expect(labels(offered(waits, "verifier", "bob"))).toEqual(["Approve", "Send back…"]);
  expect(offered(waits, "verifier", "ada")).toEqual([]);
});

it("of a path to a dead end, the last edge is the one that goes, wherever it is", async () => {
  const far = stuck("unreachable", {
    path: [ref(4), ref(3), ref(2, "cancelled")],
    blocker: { ...ref(2, "cancelled"), dropped: false },
  });
  const near = stuck("unreachable", {
    path: [ref(2, "cancelled")],
    blocker: { ...ref(2, "cancelled"), dropped: false },
  });
  expect(deadEdge(far)?.waiting.number).toBe(3);
  expect(deadEdge(near)?.waiting.number).toBe(5);
  const { board, asked } = listening();
  await act(offered(far, "lead"), "Unlink n3 from n2", board);
  expect(asked).toEqual([["unlink", "id-3", "id-2"]]);
});

it("a blocker that was only dropped can be restored; one that was cancelled cannot", () => {
  const path = [ref(2)];
  const dropped = stuck("unreachable", { path, blocker: { ...ref(2), dropped: true } });
  const both = stuck("unreachable", { path, blocker: { ...ref(2, "cancelled"), dropped: true } });
  expect(labels(offered(dropped, "lead"))[0]).toBe("Restore n2");
  expect(labels(offered(both, "lead"))).not.toContain("Restore n2");
});

it("whoever lets a task be tried again says something first, so that the next one finds it", async () => {
  const { board, asked } = listening();
  await act(offered(stuck("attempt_limit"), "lead"), "Try again…", board, "Mind the fixtures.");
  expect(asked).toEqual([
    ["comment", "id-5", "Mind the fixtures."],
    ["edit", "id-5", { status: "todo" }],
  ]);
});

it("a lead overrides the gate only where it stands in the way", async () => {
  const ways = offered(stuck("no_reviewer"), "lead");
  const open = listening();
  await act(ways, "Approve as lead…", open.board, "Seen.");
  expect(open.asked).toEqual([["edit", "id-5", { status: "done", overrideReason: "Seen." }]]);
  const gated = listening("verification_required");
  await act(ways, "Approve as lead…", gated.board, "Seen.");
  expect(gated.asked[1]).toEqual([
    "edit",
    "id-5",
    { status: "done", overrideReason: "Seen.", humanOverride: true },
  ]);
});

it("a task in review that runs too long can be stopped, not taken back to do", () => {
  const review = stuck("overrun", { task: { ...ref(5, "in_review"), since: 0 } });
  expect(labels(offered(review, "lead"))).toEqual(["Ask to stop…"]);
});

it("the way to a token says which role and which capabilities it needs", () => {
  const href = (of: StuckTask) =>
    offered(of, "lead").flatMap((each) => (each.way === "link" ? [each.href] : []))[0];
  expect(href(stuck("unclaimable", { requiredCapabilities: ["gpu", "a b"] }))).toBe(
    "/b/b/connect?role=worker&capability=gpu&capability=a+b",
  );
  expect(href(stuck("no_reviewer"))).toBe("/b/b/connect?role=verifier");
});
