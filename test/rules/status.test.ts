import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  canTransition,
  isLocked,
  isTerminal,
  legalTargets,
  TASK_STATUSES,
  type TaskStatus,
} from "../../src/rules/status.ts";

/** Written out once more, cell by cell: a row is where a task stands, a column where it may go. */
const TABLE = `
              backlog todo in_progress in_review blocked done cancelled
  backlog     same    yes  no          no        yes     no   yes
  todo        yes     same yes         no        yes     no   yes
  in_progress no      yes  same        yes       yes     yes  yes
  in_review   no      no   yes         same      yes     yes  yes
  blocked     yes     yes  yes         no        same    no   yes
  done        no      no   no          no        no      same no
  cancelled   no      no   no          no        no      no   same
`;

const [columns, ...lines] = TABLE.trim()
  .split("\n")
  .map((line) => line.trim().split(/\s+/));
const cells = lines.flatMap(([from, ...row]) =>
  row.map((cell, index) => ({ from: from as TaskStatus, to: columns?.[index] as TaskStatus, cell })),
);

it("the table names every pair of statuses", () => {
  expect(columns).toEqual([...TASK_STATUSES]);
  expect(cells).toHaveLength(49);
});

it.each(cells.filter(({ cell }) => cell === "yes"))("$from moves to $to", ({ from, to }) => {
  expect(canTransition(from, to)).toBe(true);
  expect(legalTargets(from)).toContain(to);
});

it.each(cells.filter(({ cell }) => cell === "no"))("$from never moves to $to", ({ from, to }) => {
  expect(canTransition(from, to)).toBe(false);
  expect(legalTargets(from)).not.toContain(to);
});

it.each(TASK_STATUSES)("%s onto itself is allowed and is not listed as a move", (status) => {
  expect(canTransition(status, status)).toBe(true);
  expect(legalTargets(status)).not.toContain(status);
});

it.each(TASK_STATUSES)("the targets of %s are a fresh array that the caller may spoil", (status) => {
  const spoilt = legalTargets(status);
  const before = [...spoilt];
  spoilt.length = 0;
  spoilt.push("done", "done");
  expect(legalTargets(status)).toEqual(before);
  expect(canTransition("backlog", "done")).toBe(false);
});

it("a status is terminal exactly when nothing leads out of it", () => {
  for (const status of TASK_STATUSES) expect(isTerminal(status)).toBe(legalTargets(status).length === 0);
  expect(TASK_STATUSES.filter(isTerminal)).toEqual(["done", "cancelled"]);
});

it("work in progress and in review is locked, and nothing else", () => {
  expect(TASK_STATUSES.filter(isLocked)).toEqual(["in_progress", "in_review"]);
});

it("the status machine imports nothing, so that the page can share it", () => {
  const source = readFileSync(join(import.meta.dirname, "../../src/rules/status.ts"), "utf8");
  expect(source).not.toMatch(/^\s*import\b|\bfrom\s*["']|\bimport\s*\(|\brequire\s*\(/m);
});
