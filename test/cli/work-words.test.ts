/** What the runner reads and writes without touching anything: reports, briefs, verdicts, endings, places, tails. */
import { describe, expect, it } from "vitest";
import type { Brief } from "../../src/cli/work/brief.ts";
import { environmentOf, pageOf } from "../../src/cli/work/brief.ts";
import type { Ran } from "../../src/cli/work/command.ts";
import {
  endingOfCommand,
  endingOfDebt,
  endingOfSuccess,
  handoffOf,
  summaryOf,
} from "../../src/cli/work/endings.ts";
import { namesFor, type Place, placeToGoOn, readWorktrees } from "../../src/cli/work/places.ts";
import { treeOf } from "../../src/cli/work/process-tree.ts";
import { parseReport } from "../../src/cli/work/report.ts";
import { Tail } from "../../src/cli/work/tail.ts";
import { failureOf, type Gate, verdictOf } from "../../src/cli/work/verdict.ts";
import type { Task } from "../../src/contract/task.ts";
import { verification } from "../../src/contract/verification.ts";
import { isVerdictPromotable } from "../../src/rules/verification.ts";

const ran = (more: Partial<Ran> = {}): Ran => ({
  exitCode: 0,
  endedBy: null,
  durationMs: 12,
  stdoutTail: "",
  stderrTail: "",
  ...more,
});
const gate = (exitCode: number | null, said = ""): Gate => ({
  command: "npm test",
  at: 1_000,
  ran: ran({ exitCode, endedBy: exitCode === null ? "SIGSEGV" : null, stderrTail: said }),
});

describe("a report", () => {
  it("is read field by field: what cannot be used is left out and named", () => {
    const { report, warnings } = parseReport(
      '{"summary": "ok", "costUsd": -1, "inputTokens": "many", "x": 1}',
    );
    expect(report).toEqual({ summary: "ok" });
    expect(warnings.map((warning) => warning.split(" ").slice(0, 3).join(" "))).toEqual([
      "report file: costUsd",
      "report file: inputTokens",
      "report file: x",
    ]);
  });

  it.each([
    ["no JSON", "{summary: 1}"],
    ["a list", "[1]"],
    ["null", "null"],
    ["too much", JSON.stringify({ summary: "x".repeat(200_000) })],
  ])("that is %s says nothing, and that is told", (_what, source) => {
    const { report, warnings } = parseReport(source);
    expect(report).toEqual({});
    expect(warnings).toHaveLength(1);
  });

  it("that breaks text does not break the warning about it", () => {
    for (const source of ['{"a\\u0000\\ud800": 1}', "\0\ud800"]) {
      const [warning = ""] = parseReport(source).warnings;
      expect(warning).toMatch(/^report file: ./);
      expect(warning.isWellFormed() && !warning.includes("\0")).toBe(true);
    }
  });

  it("need not be there", () => {
    for (const source of [null, "", " \n"]) expect(parseReport(source)).toEqual({ report: {}, warnings: [] });
  });

  it("has no fields beyond its own, whatever objects inherit", () => {
    expect(parseReport('{"constructor": 1, "toString": 2, "__proto__": {"summary": "no"}}').report).toEqual(
      {},
    );
  });
});

describe("a verdict", () => {
  it("is what the board takes, and lets work through on exit code 0 alone", () => {
    for (const exitCode of [0, 1, 127, null]) {
      const verdict = verification.parse(verdictOf([gate(1), gate(exitCode)], false));
      expect(isVerdictPromotable(verdict)).toBe(exitCode === 0);
      expect(verdict.attempts.every(({ critic }) => !critic.ran)).toBe(true);
      expect(verdict.structuredError === null).toBe(exitCode === 0);
    }
  });

  it("has debt once no fix is left, and none before", () => {
    expect(verdictOf([gate(1), gate(1)], false).debtNotes).toEqual([]);
    expect(verdictOf([gate(1), gate(1)], true).debtNotes).toEqual([
      "The verification `npm test` ended with exit code 1. It was tried 2 times.",
    ]);
  });

  it("stays within one body of the board, however many fixes there were and whatever they said", () => {
    const loud = '"'.repeat(8_000);
    const gates = Array.from({ length: 21 }, () => ({
      ...gate(1),
      ran: ran({ exitCode: 1, stdoutTail: loud, stderrTail: loud }),
    }));
    expect(JSON.stringify(verdictOf(gates, true)).length).toBeLessThan(262_144);
    expect(verification.safeParse(verdictOf(gates, true)).success).toBe(true);
  });

  it("knows a command that is not there", () => {
    expect(failureOf(gate(127)).howToFix).toContain("did not find the command");
    expect(failureOf(gate(null)).what).toContain("was ended (SIGSEGV)");
  });
});

describe("an ending", () => {
  const nothing = parseReport(null);

  it("is the gate's business only after exit code 0", () => {
    expect(endingOfCommand(ran(), nothing)).toBeNull();
    expect(endingOfCommand(ran({ exitCode: 2, stderrTail: "boom" }), nothing)).toMatchObject({
      outcome: "failed",
      status: "todo",
      error: "The command ended with exit code 2.\n\nboom",
    });
  });

  it("of a command that says it failed is a failure, whatever its exit code; of one that says done is not a success", () => {
    const failed = parseReport('{"outcome": "failed", "reason": "no network"}');
    expect(endingOfCommand(ran(), failed)).toMatchObject({ outcome: "failed", error: "no network" });
    const done = parseReport('{"outcome": "done"}');
    expect(endingOfCommand(ran({ exitCode: 1 }), done)).toMatchObject({ outcome: "failed", status: "todo" });
  });

  it("goes to review where the command or the board wants one", () => {
    expect(endingOfSuccess(nothing, false)).toMatchObject({ status: "done" });
    expect(endingOfSuccess(nothing, true)).toMatchObject({ status: "in_review" });
    expect(endingOfSuccess(parseReport('{"outcome": "in_review"}'), false)).toMatchObject({
      status: "in_review",
    });
  });

  it("has the end of what was said as its summary, where there is none", () => {
    const said = ran({ stdoutTail: `${"x".repeat(3_000)} The bolt is tight.\n` });
    expect(summaryOf(nothing, said)).toMatch(/^x{1,2000} The bolt is tight\.$/);
    expect(summaryOf(parseReport('{"summary": "Tight."}'), said)).toBe("Tight.");
    expect(summaryOf(nothing, ran())).toBeUndefined();
    expect(summaryOf(nothing, null)).toBeUndefined();
  });

  it("after the last fix waits for a person", () => {
    expect(endingOfDebt(failureOf(gate(1, "red")), 1)).toMatchObject({
      status: "blocked",
      blockedReason: "The verification `npm test` ended with exit code 1. No fix was tried.",
    });
  });

  it("hands on the command's own words before the runner's", () => {
    const said = parseReport(
      '{"handoff": {"next": "turn it", "evidence": "a log", "runtime": "claude"}, "odd": 1}',
    );
    const facts = {
      verify: "npm test",
      runtime: "codex",
      kept: null,
      afterCommit: undefined,
      interrupted: null,
    };
    expect(handoffOf(said, { ...facts, failure: failureOf(gate(1, "red")) })).toEqual({
      next: "turn it",
      evidence: "a log\n\nred",
      runtime: "claude",
      broken: ["The verification `npm test` ended with exit code 1."],
      commands: { verify: "npm test" },
      warnings: ["report file: odd is not known"],
    });
  });
});

describe("a brief", () => {
  const task = {
    ...{ id: "0190-abc", number: 7, title: "Tighten", description: "```\ncode\n```", priority: 3 },
    ...{ kind: null, labels: ["a", "b"], externalRef: null, budgetUsd: null, costUsd: 0 },
  } as unknown as Task;
  const brief: Brief = {
    ...{
      task,
      handoff: null,
      blockers: [],
      workspace: null,
      verify: null,
      cycle: 1,
      fixesLeft: 0,
      failure: null,
    },
  };

  it("says what to do, and nothing of what there is not", () => {
    const page = pageOf(brief);
    expect(page).toContain("# n7 Tighten\n\npriority 3 · labels a, b\n\n## What to do\n\n```\ncode\n```");
    for (const heading of ["Mend", "last one left", "waited for", "Where"])
      expect(page).not.toContain(heading);
    expect(Object.keys(environmentOf(brief, { json: "j", page: "p", report: "r" }, "b"))).not.toContain(
      "EDGEBOARD_WORKTREE",
    );
  });

  it("puts the failure first, in a fence that what was said cannot end", () => {
    const failure = failureOf(gate(1, "````\n# not a heading\n````"));
    const page = pageOf({ ...brief, failure, cycle: 3 });
    expect(page.indexOf("Mend this first")).toBeLessThan(page.indexOf("What to do"));
    expect(page).toContain("`````\n````\n# not a heading\n````\n`````");
  });
});

describe("places", () => {
  const wanted = { taskId: "0190aaaa-bbbb-7ccc-8ddd-eeee00000001", number: 7, epoch: 3 };
  const place = (path: string, epoch: number, more: Partial<NonNullable<Place["tenancy"]>> = {}): Place => ({
    path,
    branch: `edgeboard/${path}`,
    tenancy: { taskId: wanted.taskId, epoch, baseSha: "abc", owner: null, ...more },
  });

  it("the newest that nobody works in is gone on with", () => {
    const owner = { host: "here", pid: 1 };
    const places = [
      place("a", 1),
      place("b", 2),
      place("c", 9, { owner }),
      place("d", 9, { taskId: "another" }),
    ];
    const isInUse = ({ tenancy }: { tenancy: { owner: unknown } }) => tenancy.owner !== null;
    expect(placeToGoOn(places, wanted, isInUse)?.path).toBe("b");
    expect(placeToGoOn([place("c", 9, { owner })], wanted, isInUse)).toBeNull();
    expect(placeToGoOn([{ ...place("e", 1), tenancy: null }], wanted, isInUse)).toBeNull();
  });

  it("there is always a name that is free", () => {
    expect(namesFor(wanted)).toEqual(["n7", "n7-00000001", "n7-00000001-3"]);
  });

  it("are read from git's own list, without what cannot be entered", () => {
    const listing = [
      "worktree /r\0HEAD 1\0branch refs/heads/main",
      "worktree /r.edgeboard/n1\0HEAD 2\0branch refs/heads/edgeboard/n1",
      "worktree /d\0HEAD 3\0detached",
      "worktree /gone\0HEAD 4\0branch refs/heads/edgeboard/n2\0prunable gitdir file points nowhere",
    ].map((entry) => `${entry}\0\0`);
    expect(readWorktrees(listing.join(""))).toEqual([
      { path: "/r", branch: "main" },
      { path: "/r.edgeboard/n1", branch: "edgeboard/n1" },
      { path: "/d", branch: null },
    ]);
  });
});

describe("a process tree", () => {
  it("has children of children, and those whose parent has gone but whose session is the command's", () => {
    const one = (pid: number, parent: number, group: number) => ({ pid, parent, group });
    const all = [
      one(1, 0, 1),
      one(10, 1, 10),
      one(12, 11, 12),
      one(11, 10, 10),
      one(13, 1, 10),
      one(20, 1, 20),
    ];
    expect(treeOf(10, all).toSorted()).toEqual([10, 11, 12, 13]);
  });
});

describe("a tail", () => {
  it("has no secret that the command printed", () => {
    const tail = new Tail();
    tail.add(Buffer.from(`pushed with npm_${"k9".repeat(18)}\n`));
    expect(tail.text).toBe("pushed with [masked: npm token]\n");
  });

  it("keeps the end of much, and all of little", () => {
    const tail = new Tail(10);
    tail.add(Buffer.from("abc"));
    expect(tail.text).toBe("abc");
    for (let n = 0; n < 1_000; n++) tail.add(Buffer.from(`line ${n}\n`));
    expect(tail.text).toBe("\nline 999\n");
  });

  it("cuts no character in half, and takes out what the board or a terminal would choke on", () => {
    const tail = new Tail(6);
    tail.add(Buffer.from("ééé€"));
    expect(tail.text).toBe("é€");
    const odd = new Tail();
    odd.add(Buffer.from("\u001b[31mred\u001b[0m\0!\r50 %\r\nend\u0007"));
    expect(odd.text).toBe("red!\n50 %\nend");
  });
});
