/**
 * The index of texts: which tasks may hold a term in title, description or comments. Triggers keep it, nothing
 * here writes to it. It is walked in the order of tasks.
 */
import { indexQuery, spellings } from "../../rules/search.ts";
import type { Sql, SqlRow } from "./sql.ts";

/** One text that may hold a term. */
export interface Entry {
  /** The task's number. */
  number: number;
  /** The comment's; 0 for title and description. */
  comment: number;
}

export type NumberOrder = "newest" | "oldest";

/** An entry's id holds the task's number above its 32nd bit; above this one a number has no place there. */
const NUMBER_MAX = 2 ** 31 - 2;

const FOUND = "select rowid >> 32 as number, rowid & 4294967295 as comment from task_search";
const ENTRIES: Record<NumberOrder, string> = {
  newest: `${FOUND} where task_search match ?1 and rowid < ?2 << 32 order by rowid desc limit ?3`,
  oldest: `${FOUND} where task_search match ?1 and rowid >= (?2 + 1) << 32 order by rowid limit ?3`,
};

/** Up to `limit` entries that may hold an indexed term, of tasks past `after`, in the order of tasks. */
export function entriesOf(
  sql: Sql,
  term: string,
  order: NumberOrder,
  after: number | null,
  limit: number,
): Entry[] {
  const start = after ?? (order === "newest" ? NUMBER_MAX : 0);
  return sql.all(ENTRIES[order], indexQuery(term), Math.min(start, NUMBER_MAX), limit).map(readEntry);
}

const BEGINNING = `select doc >> 32 as number, doc & 4294967295 as comment from task_trigrams
  where term >= ?1 and term < ?1 || char(1114111, 1114111, 1114111) limit ?2`;

/** Every entry that may hold a term too short to be asked for, in no order; null when that takes more than `limit`. */
export function entriesOfShort(sql: Sql, term: string, limit: number): Entry[] | null {
  const entries: Entry[] = [];
  for (const spelling of spellings(term)) {
    entries.push(...sql.all(BEGINNING, spelling, limit - entries.length).map(readEntry));
    if (entries.length >= limit) return null;
  }
  return entries;
}

function readEntry(row: SqlRow): Entry {
  return { number: Number(row["number"]), comment: Number(row["comment"]) };
}
