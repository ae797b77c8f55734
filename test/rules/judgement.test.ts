/** What a verdict has to say, and what is made of it. */
import { describe, expect, it } from "vitest";
import { verification } from "../../src/contract/verification.ts";
import { judged, judgementFault } from "../../src/rules/judgement.ts";

const green = [{ name: "npm test", ok: true }];
const red = [{ name: "npm test", ok: false }];

describe("a judgement", () => {
  it.each([
    ["passes without checks and without notes", { verdict: "pass", checks: [], notes: null }, null],
    ["says why it fails", { verdict: "fail", checks: [], notes: null }, "notes"],
    ["says what is left to do", { verdict: "debt", checks: green, notes: null }, "notes"],
    ["does not pass over a failed check", { verdict: "pass", checks: red, notes: null }, "verdict"],
    ["does not carry debt over a failed check", { verdict: "debt", checks: red, notes: "later" }, "verdict"],
    ["carries no debt where nothing was run", { verdict: "debt", checks: [], notes: "later" }, "checks"],
    ["may fail for a failed check", { verdict: "fail", checks: red, notes: "It fails." }, null],
  ] as const)("%s", (_says, judgement, field) => {
    expect(judgementFault(judgement)?.field ?? null).toBe(field);
  });

  it("lies on top of those before it, of which the oldest go", () => {
    let verdict = judged(null, { verdict: "fail", checks: red, notes: "It fails." }, 1);
    for (let at = 2; at <= 60; at++)
      verdict = judged(verdict, { verdict: "pass", checks: green, notes: null }, at);
    expect(verification.parse(verdict)).toMatchObject({ status: "pass", structuredError: null });
    expect(verdict.attempts).toHaveLength(50);
    expect(verdict.attempts.at(-1)).toMatchObject({ attempt: 60, at: 60 });
  });

  it("says of no check that it passed where none was run", () => {
    const verdict = judged(null, { verdict: "pass", checks: [], notes: null }, 1);
    expect(verdict.attempts[0]?.deterministic).toMatchObject({ passed: false, exitCode: null });
  });
});
