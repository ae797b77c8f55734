/** The list of what we do not offer is held both ways: nothing else may fail, and everything on it has to. */
import { expect, it } from "vitest";
import { type Checked, holdAgainst, NOT_OFFERED } from "./not-offered.ts";

const check = (scenario: string, id: string, status: Checked["status"]): Checked => ({
  scenario,
  id,
  status,
});
const list = [{ why: "not ours", checks: ["prompts", "caching/prompts"] }];

it("a failure that is not on it is unexpected, one that is on it is not", () => {
  const checks = [
    check("prompts", "list", "FAILURE"),
    check("caching", "prompts", "FAILURE"),
    check("caching", "tools", "FAILURE"),
    check("tools", "list", "SUCCESS"),
  ];
  expect(holdAgainst(checks, list)).toEqual({ unexpected: [checks[2]], stale: [] });
});

it("what is on it and passes, or is not asked for any more, is stale", () => {
  expect(holdAgainst([check("prompts", "list", "SUCCESS")], list).stale).toEqual([
    "prompts",
    "caching/prompts",
  ]);
});

it("each entry stands once and has a reason", () => {
  const all = NOT_OFFERED.flatMap(({ checks }) => checks);
  expect(new Set(all).size).toBe(all.length);
  for (const { why } of NOT_OFFERED) expect(why).toMatch(/\w/);
});
