/** Which cards stand in which column of one view: the newest ones of each, as far as they were asked for. */
import { TASK_STATUSES, type TaskStatus } from "../../rules/status.ts";
import type { Card } from "./card.ts";
import type { Filter } from "./filter.ts";

export interface List {
  /** Ids, the highest number first. */
  ids: string[];
  /** The number the list goes down to; below it nothing is known. Nothing is missing: 0. */
  downTo: number;
  /** Where the server goes on; null: there is no more. */
  cursor: string | null;
}

export interface View {
  /** Empty for the board as it is. */
  key: string;
  filter: Filter;
  lists: Record<TaskStatus, List>;
  state: "loading" | "ready" | "failed";
  error: unknown;
}

export function newView(key: string, filter: Filter): View {
  const lists = Object.fromEntries(TASK_STATUSES.map((status) => [status, emptyList()]));
  return { key, filter, lists: lists as View["lists"], state: "loading", error: null };
}

export function emptyList(): List {
  return { ids: [], downTo: 0, cursor: null };
}

export function listOf(cards: readonly Card[], cursor: string | null): List {
  const list: List = { ids: [], downTo: 0, cursor };
  extend(list, cards, cursor);
  return list;
}

/** Adds the next page, as it came. */
export function extend(list: List, cards: readonly Card[], cursor: string | null): void {
  const known = new Set(list.ids);
  list.ids.push(...cards.filter(({ id }) => !known.has(id)).map(({ id }) => id));
  list.cursor = cursor;
  list.downTo = cursor === null ? 0 : (cards.at(-1)?.number ?? list.downTo);
}

/** Puts an id where its number belongs. Below what was loaded it is left out: it comes with its page. */
export function insertId(list: List, id: string, number: number, numberOf: (id: string) => number): void {
  if (number < list.downTo) return;
  let low = 0;
  let high = list.ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberOf(list.ids[middle] as string) > number) low = middle + 1;
    else high = middle;
  }
  if (list.ids[low] !== id) list.ids.splice(low, 0, id);
}

export function removeId(list: List, id: string): void {
  const at = list.ids.indexOf(id);
  if (at >= 0) list.ids.splice(at, 1);
}
