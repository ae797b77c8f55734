/**
 * What `explain` says and what a claim does, on random boards: for every task and every caller they agree, and
 * so does the list of ready tasks. Seeds are printed by fast-check when one fails.
 */
import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Board } from "../../src/board/board.ts";
import { EVERY_TASK } from "../../src/board/store/task-lists.ts";
import type { Caller } from "../../src/contract/roles.ts";
import { TASK_STATUSES } from "../../src/rules/status.ts";
import { newBoard } from "../support/api.ts";
import { LEAD, WORKER } from "../support/inside.ts";

const CALLERS: Caller[] = [
  WORKER,
  { ...WORKER, sub: "able", capabilities: ["gpu", "rust"] },
  { ...WORKER, sub: "codex", runtime: "codex", capabilities: ["gpu"] },
  { ...LEAD, sub: "judge", role: "verifier" },
  LEAD,
];

const draft = fc.record({
  status: fc.constantFrom("todo", "todo", "todo", "backlog", "blocked"),
  requiredCapabilities: fc.subarray(["gpu", "rust"]),
  assigneeRuntime: fc.option(fc.constantFrom("codex", "claude"), { nil: undefined, freq: 2 }),
  notBefore: fc.constantFrom(undefined, undefined, 1, 4_000_000_000_000),
  budgetUsd: fc.constantFrom(undefined, undefined, undefined, 0, 5),
  parent: fc.nat(9),
  waitsFor: fc.array(fc.nat(9), { maxLength: 2 }),
});

const step = fc.record({
  verb: fc.constantFrom("move", "claim", "drop", "link", "finish", "go silent"),
  a: fc.nat(9),
  b: fc.nat(9),
  to: fc.constantFrom(...TASK_STATUSES),
  onCancel: fc.constantFrom("hold", "satisfy", "cascade"),
});

const plan = fc.record({
  drafts: fc.array(draft, { minLength: 3, maxLength: 10 }),
  steps: fc.array(step, { maxLength: 15 }),
  maxDepth: fc.constantFrom(0, 1, 9),
  state: fc.constantFrom({}, {}, {}, { paused: true }, { archived: true }),
});

type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

const BY_HAND = {
  content: {},
  lease: null,
  humanOverride: true,
  overrideReason: "test",
  displace: true,
  ifVersion: null,
  ifChangeSeq: null,
};

/** A board as the plan wants it; steps that are refused change nothing. */
function prepare(board: Board, state: DurableObjectState, { drafts, steps }: Plan): string[] {
  const lead = { caller: LEAD };
  const tasks = drafts.map(({ parent, waitsFor, ...rest }, index) => ({
    ref: `r${index}`,
    draft: { title: "t", ...(JSON.parse(JSON.stringify(rest)) as object), status: rest.status as "todo" },
    ...(parent < index ? { parentRef: `r${parent}` } : {}),
    dependsOn: [...new Set(waitsFor.filter((one) => one < index).map((one) => `r${one}`))],
  }));
  const made = board.createPlan(lead, { tasks, dryRun: false });
  if (!made.ok) throw new Error(made.detail);
  const ids = made.value.tasks.map(({ id }) => id);
  const pick = (index: number) => ids[index % ids.length] as string;
  for (const { verb, a, b, to, onCancel } of steps) {
    const id = pick(a);
    if (verb === "move") board.changeTask(lead, { ...BY_HAND, id, status: to });
    if (verb === "claim") board.claimTask(lead, { id, ignoreDependencies: true, ignoreDepth: true });
    if (verb === "drop") board.dropTask(lead, id);
    if (verb === "link")
      board.linkDependency(lead, { id, dependsOnTaskId: pick(b), onCancel: onCancel as "hold" });
    if (verb === "finish") {
      board.changeTask(lead, { ...BY_HAND, id, status: "in_progress" });
      board.changeTask(lead, { ...BY_HAND, id, status: "done" });
    }
    if (verb === "go silent")
      state.storage.sql.exec("update execution_processes set last_beat_at = 1 where task_id = ?", id);
  }
  return ids;
}

/** What a claim answers, without its effect. */
function triedClaim(board: Board, state: DurableObjectState, caller: Caller, id: string) {
  let answer: ReturnType<Board["claimTask"]> | undefined;
  try {
    state.storage.transactionSync(() => {
      answer = board.claimTask({ caller }, { id });
      throw new Error("rolled back");
    });
  } catch {}
  if (answer === undefined) throw new Error("no answer");
  return answer;
}

const countRuns = (state: DurableObjectState) =>
  state.storage.sql.exec("select count(*) as runs from execution_processes").one()["runs"];

it("a task is claimable exactly when a claim succeeds, and the first reason is the claim's refusal", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(plan, async (planned) => {
      const made = await newBoard({ caps: { maxDepth: planned.maxDepth } });
      await runInDurableObject(made.stub(), (instance, state) => {
        const board = instance as unknown as Board;
        const ids = prepare(board, state, planned);
        board.changeBoard({ caller: LEAD }, planned.state);
        const list = { filter: EVERY_TASK, order: "queue", cursor: null, limit: 200 } as const;
        const listed = board.listTasks({ caller: LEAD }, list);
        const ready = listed.ok ? listed.value.tasks.map((task) => task.id) : [];
        const runs = countRuns(state);
        for (const caller of CALLERS)
          for (const id of ids) {
            const told = board.explainTask({ caller }, id);
            if (!told.ok) throw new Error(told.detail);
            const { claimable, reasons, ...rest } = told.value;
            const claimed = triedClaim(board, state, caller, id);
            seen.add(claimed.ok ? "claimed" : claimed.reason);
            expect([claimable, reasons[0]?.code]).toEqual([
              claimed.ok,
              claimed.ok ? undefined : claimed.reason,
            ]);
            expect(countRuns(state), "the claim was rolled back").toBe(runs);
            expect([id, rest.ready]).toEqual([id, ready.includes(id)]);
            if (claimable) expect(rest.ready).toBe(true);
          }
      });
    }),
    { numRuns: 40, seed: 20_30 },
  );
  // The boards were as different as they have to be for this to mean anything.
  for (const one of [
    "claimed",
    "task_not_found",
    "board_archived",
    "board_paused",
    "terminal",
    "conflict",
    "not_ready",
    "not_before",
    "capability_mismatch",
    "runtime_mismatch",
    "depth_cap",
    "budget_exhausted",
  ])
    expect(seen).toContain(one);
}, 120_000);
