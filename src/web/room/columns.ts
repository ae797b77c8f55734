/**
 * The columns of the board as it is, and of the one view of it that is looked at: who stands in which, and what of that
 * is drawn while moves are under way.
 */
import { TASK_STATUSES, type TaskStatus } from "../../rules/status.ts";
import type { Card } from "./card.ts";
import { type Filter, NO_FILTER } from "./filter.ts";
import { insertId, newView, removeId, type View } from "./lists.ts";
import { same } from "./same.ts";
import type { Topics } from "./topics.ts";

/** What columns have to know of the cards in them. */
interface Known {
  card: (id: string) => Card | null;
  /** Where those cards are shown that the board has not answered for yet. */
  moves: ReadonlyMap<string, { to: TaskStatus }>;
  belongs: (card: Card, filter: Filter, listed: boolean) => boolean;
}

const NOTHING: readonly string[] = [];

export class Columns {
  readonly #topics: Topics;
  readonly #known: Known;
  readonly #views = new Map([["", newView("", NO_FILTER)]]);
  readonly #shown = new Map<string, readonly string[]>();

  constructor(topics: Topics, known: Known) {
    this.#topics = topics;
    this.#known = known;
  }

  view(key: string): View | null {
    return this.#views.get(key) ?? null;
  }

  /** The ids of a column as it is to be drawn; the same array as long as nothing in it changes. */
  shown(key: string, status: TaskStatus): readonly string[] {
    return this.#shown.get(`${key}\n${status}`) ?? NOTHING;
  }

  /** The former one that was looked at goes: it is not kept up to date. */
  add(view: View): void {
    this.#dropOthers(view.key);
    this.#views.set(view.key, view);
    this.touch(view);
  }

  /** Something of a view has changed that is not a card. */
  touch(view: View): void {
    this.#topics.together(() => {
      this.#topics.changed(`view:${view.key}`);
      for (const status of TASK_STATUSES) this.#show(view, status);
    });
  }

  /** The whole board was read anew. Whoever looks at a view of it reads that anew. */
  join(lists: View["lists"]): void {
    this.#dropOthers("");
    const whole = this.#views.get("") as View;
    whole.lists = lists;
    whole.state = "ready";
    this.touch(whole);
  }

  /** Puts a card that has changed where it stands now. */
  place(before: Card | null, card: Card): void {
    for (const view of this.#views.values()) this.#place(view, before, card);
  }

  show(statuses: Iterable<TaskStatus>): void {
    for (const status of new Set(statuses)) for (const view of this.#views.values()) this.#show(view, status);
  }

  #dropOthers(kept: string): void {
    for (const key of [...this.#views.keys()]) {
      if (key === "" || key === kept) continue;
      this.#views.delete(key);
      this.#topics.changed(`view:${key}`);
      for (const status of TASK_STATUSES)
        if (this.#shown.delete(`${key}\n${status}`)) this.#topics.changed(`column:${key}\n${status}`);
    }
  }

  #place(view: View, before: Card | null, card: Card): void {
    const listed = before !== null && view.lists[before.status].ids.includes(card.id);
    const belongs = this.#known.belongs(card, view.filter, listed);
    if (listed && belongs && before.status === card.status) return;
    if (listed) {
      removeId(view.lists[before.status], card.id);
      this.#show(view, before.status);
    }
    if (!belongs) return;
    insertId(view.lists[card.status], card.id, card.number, this.#numberOf);
    this.#show(view, card.status);
  }

  /** As the board says, with the moves that are under way. */
  #show(view: View, status: TaskStatus): void {
    const list = view.lists[status];
    const { card: read, moves } = this.#known;
    const shown = { ...list, ids: list.ids.filter((id) => (moves.get(id)?.to ?? status) === status) };
    for (const [id, { to }] of moves) {
      const card = read(id);
      if (to !== status || card === null || card.status === status) continue;
      if (view.lists[card.status].ids.includes(id)) insertId(shown, id, card.number, this.#numberOf);
    }
    const name = `${view.key}\n${status}`;
    if (same(shown.ids, this.#shown.get(name))) return;
    this.#shown.set(name, shown.ids);
    this.#topics.changed(`column:${name}`);
  }

  readonly #numberOf = (id: string): number => this.#known.card(id)?.number ?? 0;
}
