/**
 * What leads a search: whatever stands in the fewest texts from where it begins. That is one of its terms, by
 * the index, or a filter that has an index of its own; where neither narrows, the plain walk.
 */
import { SEARCH_PROBES, SEARCH_SHORT_ENTRIES, SEARCH_STEP } from "../../contract/limits.ts";
import { isIndexed } from "../../rules/search.ts";
import type { TaskRow } from "../store/rows.ts";
import { type Entry, entriesOf, entriesOfShort, type NumberOrder } from "../store/search.ts";
import type { Sql } from "../store/sql.ts";
import { listTasks, type TaskFilter, tasksAmong } from "../store/task-lists.ts";

export interface Search {
  /** At least one, the longest first. */
  terms: readonly string[];
  filter: TaskFilter;
  order: NumberOrder;
}

/** Tasks past a number, in order, which the filter lets through and which may hold every term. */
export interface Step {
  rows: TaskRow[];
  proposed: Proposed;
  examined: number;
  /** The number this step looked as far as; null: to the end. */
  reached: number | null;
}

/** Comments that the index named, by the number of their task. */
export type Proposed = Map<number, number[]>;

export type Lead = (after: number | null, size: number) => Step;

interface Probe {
  lead: Lead;
  /** Greater where less stands: how far a full probe reached, or, above all of these, how little there was. */
  sparseness: number;
}

const ENDED = Number.MAX_SAFE_INTEGER - SEARCH_STEP;

export function leadOf(sql: Sql, search: Search, after: number | null): Lead {
  const long = search.terms.filter(isIndexed).slice(0, SEARCH_PROBES);
  const short = search.terms.filter((term) => !isIndexed(term)).slice(0, SEARCH_PROBES);
  const [only] = long;
  if (only !== undefined && search.terms.length === 1 && !narrows(search.filter))
    return byTerm(sql, search, only);
  const probes: Probe[] = long.map((term) => ({
    lead: byTerm(sql, search, term),
    sparseness: sparseness(search, entriesOf(sql, term, search.order, after, SEARCH_STEP)),
  }));
  if (narrows(search.filter)) {
    const rows = listTasks(sql, search.filter, search.order, after, SEARCH_STEP);
    probes.push({ lead: byFilter(sql, search), sparseness: sparseness(search, rows) });
  }
  if (!probes.some((probe) => probe.sparseness > ENDED))
    for (const term of short) {
      const entries = entriesOfShort(sql, term, SEARCH_SHORT_ENTRIES);
      if (entries !== null)
        probes.push({
          lead: byEntries(sql, search, entries),
          sparseness: Number.MAX_SAFE_INTEGER - entries.length,
        });
    }
  const [best] = probes.sort((a, b) => b.sparseness - a.sparseness);
  return best === undefined ? byFilter(sql, search) : best.lead;
}

/** Whether the filter has an index that holds little. */
function narrows(filter: TaskFilter): boolean {
  return (
    filter.parentTaskId !== null ||
    filter.assigneeAgentId !== null ||
    (filter.externalRef !== null && !filter.includeDropped)
  );
}

function sparseness({ order }: Search, probe: readonly { number: number }[]): number {
  const last = probe.at(-1);
  if (last === undefined || probe.length < SEARCH_STEP) return Number.MAX_SAFE_INTEGER - probe.length;
  return order === "newest" ? -last.number : last.number;
}

function byFilter(sql: Sql, { filter, order }: Search): Lead {
  return (after, size) => {
    const rows = listTasks(sql, filter, order, after, size);
    const reached = rows.length < size ? null : (rows.at(-1)?.number ?? null);
    return { rows, proposed: new Map(), examined: rows.length, reached };
  };
}

function byTerm(sql: Sql, search: Search, term: string): Lead {
  return (after, size) => step(sql, search, entriesOf(sql, term, search.order, after, size), size);
}

function byEntries(sql: Sql, search: Search, entries: readonly Entry[]): Lead {
  const sign = search.order === "newest" ? -1 : 1;
  const sorted = [...entries].sort((a, b) => sign * (a.number - b.number) || a.comment - b.comment);
  return (after, size) => {
    const rest = sorted.filter(({ number }) => after === null || sign * (number - after) > 0);
    return step(sql, search, rest.slice(0, size), size);
  };
}

/** The tasks that entries belong to. A task cut off by `size` was looked at whole: its texts decide. */
function step(sql: Sql, { filter, order }: Search, entries: readonly Entry[], size: number): Step {
  const proposed = proposedBy(entries);
  return {
    rows: tasksAmong(sql, filter, order, [...proposed.keys()]),
    proposed,
    examined: entries.length,
    reached: entries.length < size ? null : (entries.at(-1)?.number ?? null),
  };
}

function proposedBy(entries: readonly Entry[]): Proposed {
  const proposed: Proposed = new Map();
  for (const { number, comment } of entries) {
    const comments = proposed.get(number) ?? [];
    if (comment > 0) comments.push(comment);
    proposed.set(number, comments);
  }
  return proposed;
}

/** Every task that may hold all terms, where one of them stands in few texts; null where none does. */
export function fewCandidates(sql: Sql, terms: readonly string[]): Proposed | null {
  for (const term of terms.filter(isIndexed).slice(0, SEARCH_PROBES)) {
    const entries = entriesOf(sql, term, "oldest", null, SEARCH_STEP);
    if (entries.length < SEARCH_STEP) return proposedBy(entries);
  }
  for (const term of terms.filter((one) => !isIndexed(one)).slice(0, SEARCH_PROBES)) {
    const entries = entriesOfShort(sql, term, SEARCH_SHORT_ENTRIES);
    if (entries !== null) return proposedBy(entries);
  }
  return null;
}
