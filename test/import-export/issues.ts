/** Beads issues as a source holds them, and what the mapper makes of them. */
import { expect } from "vitest";
import { readBeads } from "../../src/import-export/beads.ts";
import type { ImportedTask } from "../../src/import-export/imported.ts";

export const CREATED = "2026-03-01T10:00:00Z";
export const UPDATED = "2026-03-02T10:00:00Z";
export const CREATED_MS = Date.UTC(2026, 2, 1, 10);
export const UPDATED_MS = Date.UTC(2026, 2, 2, 10);

/** An issue with nothing but what every issue has. */
export const issue = (id: string, rest: object = {}) => ({
  id,
  title: `Title of ${id}`,
  status: "open",
  created_at: CREATED,
  updated_at: UPDATED,
  ...rest,
});

export const lines = (...issues: object[]) => issues.map((entry) => JSON.stringify(entry)).join("\n");
export const read = (...issues: object[]) => readBeads(lines(...issues), { reset: false });

/** The one task of a source without a fault. */
export function only(rest: object, options = { reset: false }): ImportedTask {
  const { tasks, issues } = readBeads(lines(issue("x-1", rest)), options);
  expect(issues).toEqual([]);
  expect(tasks).toHaveLength(1);
  return tasks[0] as ImportedTask;
}
