import { expect, it } from "vitest";
import { ROLES, TOKEN_ROLES } from "../../src/contract/roles.ts";
import { includesRole } from "../../src/rules/roles.ts";

it.each([
  { role: "viewer", includes: ["viewer"] },
  { role: "worker", includes: ["viewer", "worker"] },
  { role: "verifier", includes: ["viewer", "worker", "verifier"] },
  { role: "lead", includes: ["viewer", "worker", "verifier", "lead"] },
  { role: "operator", includes: ["viewer", "worker", "verifier", "lead", "operator"] },
] as const)("the role $role includes those below it, itself, and nothing above", ({ role, includes }) => {
  expect(ROLES.filter((needed) => includesRole(role, needed))).toEqual(includes);
});

it("a token can be minted for every role but the operator's", () => {
  expect(TOKEN_ROLES).toEqual(ROLES.filter((role) => role !== "operator"));
});
