/** The checker lets a good history pass, and finds in each bad one what is wrong with it. */
import { expect, it } from "vitest";
import { checkOperations, type Final, RULES, type Rule } from "./checker.ts";
import { type Line, type Operation, pair } from "./operations.ts";

const asked = (client: string, from: number, rest: Omit<Operation, "client" | "from" | "to" | "outcome">) =>
  ({ client, from, to: from + 5, outcome: "ok", ...rest }) satisfies Operation;

/** b waits for a. Ann falls silent with a, Bert has it next and is done; then Ann may have b. */
const GOOD: Operation[] = [
  asked("planner", 0, { call: "create", mark: "A", taskId: "a" }),
  asked("planner", 10, { call: "create", mark: "B", taskId: "b", dependsOn: ["a"] }),
  asked("ann", 20, { call: "claim", mark: "ann.1", taskId: "a", epoch: 1 }),
  asked("ann", 30, { call: "beat", taskId: "a", epoch: 1 }),
  asked("bert", 100, { call: "claim", mark: "bert.1", taskId: "a", epoch: 2 }),
  {
    ...asked("ann", 110, { call: "complete", mark: "ann.2", taskId: "a", epoch: 1, word: "succeeded done" }),
    ...{ outcome: "fail", code: "lease_lost" },
  },
  asked("bert", 120, { call: "complete", mark: "bert.2", taskId: "a", epoch: 2, word: "succeeded done" }),
  asked("ann", 130, { call: "ready", offered: ["b"] }),
  asked("ann", 140, { call: "claim", mark: "ann.3", taskId: "b", epoch: 1 }),
  asked("ann", 150, { call: "release", mark: "ann.4", taskId: "b", epoch: 1 }),
];

const run = (
  taskId: string,
  epoch: number,
  agentId: string,
  runtime: string,
  status: Final["runs"][number]["status"],
  summary: string | null = null,
) => ({ taskId, epoch, agentId, runtime, status, summary });

const FINAL: Final = {
  tasks: [
    { id: "a", title: "A", status: "done", epoch: 2 },
    { id: "b", title: "B", status: "todo", epoch: 1 },
  ],
  runs: [
    run("a", 1, "ann", "ann.1", "timed_out"),
    run("a", 2, "bert", "bert.1", "succeeded", "bert.2"),
    run("b", 1, "ann", "ann.3", "released"),
  ],
};

/** The good history, with one operation told otherwise. */
const told = (index: number, otherwise: Partial<Operation>) =>
  GOOD.with(index, { ...(GOOD[index] as Operation), ...otherwise });
const and = (...more: Operation[]) => [...GOOD, ...more];
const withRun = (...runs: Final["runs"]) => ({ ...FINAL, runs: [...FINAL.runs, ...runs] });

it("a good history passes", () => {
  expect(checkOperations(GOOD, FINAL)).toEqual([]);
});

it("so does one whose answers were lost, and whose writes happened or not", () => {
  const lost = told(6, { outcome: "unknown", to: Number.POSITIVE_INFINITY });
  expect(checkOperations(lost, FINAL)).toEqual([]);
  const claim = asked("bert", 160, { call: "claim", mark: "bert.3" });
  const unheard: Operation = { ...claim, outcome: "unknown", to: Number.POSITIVE_INFINITY };
  expect(checkOperations(and(unheard), FINAL)).toEqual([]);
  const ranOut: Operation = { ...claim, outcome: "fail", code: "lease_lost" };
  const late = withRun(run("b", 2, "bert", "bert.3", "timed_out"));
  expect(checkOperations(and(ranOut), late)).toEqual([]);
  expect(checkOperations(and({ ...ranOut, code: "nothing" }), late)).toEqual([]);
});

it("so does one in which an end is said once more, long after the next one had the task", () => {
  const end = { call: "complete", taskId: "b", epoch: 1, word: "failed todo" } as const;
  const history = [
    ...GOOD.slice(0, -1),
    asked("ann", 150, { ...end, mark: "ann.4" }),
    asked("bert", 160, { call: "claim", mark: "bert.3", taskId: "b", epoch: 2 }),
    asked("ann", 170, { ...end, mark: "ann.5" }),
  ];
  const tasks = FINAL.tasks.map((task) => (task.id === "b" ? { ...task, epoch: 2 } : task));
  const runs = [
    ...FINAL.runs.slice(0, -1),
    run("b", 1, "ann", "ann.3", "failed", "ann.4"),
    run("b", 2, "bert", "bert.3", "running"),
  ];
  expect(checkOperations(history, { tasks, runs })).toEqual([]);
  const unheard = history.map((operation) =>
    operation.mark === "ann.4"
      ? { ...operation, outcome: "unknown" as const, to: Number.POSITIVE_INFINITY }
      : operation,
  );
  expect(checkOperations(unheard, { tasks, runs })).toEqual([]);
});

const BAD: [Rule, string, Operation[], Final][] = [
  [
    "a lease has one holder",
    "one lease is granted to two",
    and(asked("bert", 141, { call: "claim", mark: "ann.3", taskId: "b", epoch: 1 })),
    FINAL,
  ],
  [
    "a lease has one holder",
    "somebody else beats with it",
    and(asked("bert", 145, { call: "beat", taskId: "b", epoch: 1 })),
    FINAL,
  ],
  [
    "a lease has one holder",
    "a beat is accepted after the next claim",
    and(asked("ann", 111, { call: "beat", taskId: "a", epoch: 1 })),
    FINAL,
  ],
  ["epochs grow", "an epoch is used again", told(4, { epoch: 1 }), FINAL],
  ["epochs grow", "a later claim has a smaller epoch", told(2, { epoch: 3 }), FINAL],
  [
    "an attempt has one end, a task one success",
    "a run is ended again, otherwise",
    and(asked("bert", 130, { call: "complete", mark: "x", taskId: "a", epoch: 2, word: "failed todo" })),
    FINAL,
  ],
  [
    "an attempt has one end, a task one success",
    "a late completion counts beside the one that came first",
    told(5, { outcome: "ok" }),
    FINAL,
  ],
  [
    "an attempt has one end, a task one success",
    "a finished task is granted again",
    and(asked("ann", 160, { call: "claim", mark: "ann.5", taskId: "a", epoch: 3 })),
    FINAL,
  ],
  [
    "what was acknowledged is there",
    "a task is gone",
    GOOD,
    { ...FINAL, tasks: FINAL.tasks.filter(({ id }) => id === "a") },
  ],
  [
    "what was acknowledged is there",
    "a run is gone",
    GOOD,
    { ...FINAL, runs: FINAL.runs.filter(({ epoch }) => epoch === 1) },
  ],
  [
    "what was acknowledged is there",
    "a completion has been forgotten",
    GOOD,
    { ...FINAL, runs: FINAL.runs.with(1, run("a", 2, "bert", "bert.1", "timed_out")) },
  ],
  [
    "nothing is done twice, or after it was refused",
    "a create is done twice",
    GOOD,
    { ...FINAL, tasks: [...FINAL.tasks, { id: "c", title: "B", status: "todo", epoch: 0 }] },
  ],
  [
    "nothing is done twice, or after it was refused",
    "a claim sent twice takes two tasks",
    GOOD,
    withRun(run("c", 1, "ann", "ann.3", "running")),
  ],
  [
    "nothing is done twice, or after it was refused",
    "somebody holds what nobody asked for",
    GOOD,
    withRun(run("c", 1, "ann", "somebody", "running")),
  ],
  [
    "nothing is done twice, or after it was refused",
    "a completion that was refused is in the ledger",
    GOOD,
    { ...FINAL, runs: FINAL.runs.with(0, run("a", 1, "ann", "ann.1", "succeeded", "ann.2")) },
  ],
  ["what waits is not offered", "a claim gets a task that waits", told(8, { from: 50, to: 55 }), FINAL],
  [
    "what waits is not offered",
    "the ready list shows a task that waits",
    told(7, { from: 50, to: 55 }),
    FINAL,
  ],
];

it.each(BAD)("%s: %s", (rule, _what, operations, final) => {
  expect(checkOperations(operations, final).map((fault) => fault.rule)).toContain(rule);
});

it("each rule has a history that breaks it", () => {
  expect(new Set(BAD.map(([rule]) => rule))).toEqual(new Set(Object.keys(RULES)));
});

it("a call is what was asked and what was heard; what was never answered may happen at any time", () => {
  const lines: Line[] = [
    { type: "invoke", client: "ann", id: 1, call: "claim", at: 1, mark: "ann.1" },
    { type: "invoke", client: "bert", id: 1, call: "beat", at: 2, taskId: "b", epoch: 1 },
    { type: "ok", client: "ann", id: 1, at: 3, taskId: "a", epoch: 1 },
  ];
  expect(pair(lines)).toEqual([
    { client: "ann", call: "claim", mark: "ann.1", taskId: "a", epoch: 1, outcome: "ok", from: 1, to: 3 },
    {
      ...{ client: "bert", call: "beat", taskId: "b", epoch: 1 },
      ...{ outcome: "unknown", from: 2, to: Number.POSITIVE_INFINITY },
    },
  ]);
});
