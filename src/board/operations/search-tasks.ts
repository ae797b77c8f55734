import { SEARCH_SCAN_MAX, SEARCH_STEP } from "../../contract/limits.ts";
import type { TaskRow } from "../store/rows.ts";
import type { Sql } from "../store/sql.ts";
import { TextCheck } from "./check-texts.ts";
import { leadOf, type Search } from "./search-lead.ts";

export interface Found {
  rows: TaskRow[];
  /** Where a search that has examined enough stopped: there may be more past this number. */
  stoppedAt: number | null;
}

/**
 * Up to `limit` tasks past a number that hold every term, in order. What leads the search proposes them, their
 * texts decide.
 */
export function searchTasks(sql: Sql, search: Search, after: number | null, limit: number): Found {
  const lead = leadOf(sql, search, after);
  const check = new TextCheck(sql, search.terms);
  const rows: TaskRow[] = [];
  let [from, size, examined] = [after, Math.min(limit, SEARCH_STEP), 0];
  for (;;) {
    const step = lead(from, size);
    for (const row of step.rows) {
      if (check.holds(row, step.proposed.get(row.number))) rows.push(row);
      if (rows.length === limit) return { rows, stoppedAt: null };
      if (check.read >= SEARCH_SCAN_MAX) return { rows, stoppedAt: row.number };
    }
    if (step.reached === null) return { rows, stoppedAt: null };
    examined += step.examined;
    if (examined + check.read >= SEARCH_SCAN_MAX) return { rows, stoppedAt: step.reached };
    from = step.reached;
    size = Math.min(size * 2, SEARCH_STEP);
  }
}
