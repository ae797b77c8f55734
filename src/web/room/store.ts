/**
 * What the page knows of one board. It is fed by snapshots, pages of lists, live frames and answers; whatever is newer
 * wins, card by card. A move that was asked for lies over the card until the board has spoken.
 */
import type { Me } from "../../contract/answers.ts";
import type { BoardEvent } from "../../contract/events.ts";
import type { Snapshot } from "../../contract/live.ts";
import { TASK_STATUSES, type TaskStatus } from "../../rules/status.ts";
import { type Card, isCardReady } from "./card.ts";
import { matches, NO_FILTER } from "./filter.ts";
import { insertId, newView, removeId, type View } from "./lists.ts";
import { same } from "./same.ts";
import { Topics } from "./topics.ts";

interface Entry {
  card: Card;
  /** The seq this card was true at. */
  asOf: number;
}

/** A move that the board has not answered yet. */
export interface Move {
  to: TaskStatus;
  /** The task's `changeSeq` it was made from. */
  base: number;
}

export interface Beat {
  taskId: string;
  epoch: number;
  heartbeatAt: number;
  expiresAt: number;
}

export class Store {
  readonly me: Me;
  readonly topics = new Topics();
  readonly #entries = new Map<string, Entry>();
  readonly #views = new Map<string, View>();
  readonly #moves = new Map<string, Move>();
  readonly #shown = new Map<string, readonly string[]>();
  /** Tasks on which somebody else has said something since this page last showed them. */
  readonly #unread = new Set<string>();
  board: Snapshot["board"] | null = null;
  counts: Snapshot["counts"] | null = null;
  #countsAsOf = 0;
  /** Everything up to here is applied. */
  seq = 0;
  /** How far the server's clock is ahead of ours, in milliseconds. */
  skewMs = 0;

  constructor(me: Me) {
    this.me = me;
    this.#views.set("", newView("", NO_FILTER));
  }

  /** The server's time, as far as it is known here. */
  now(): number {
    return Date.now() + this.skewMs;
  }

  card(id: string): Card | null {
    return this.#entries.get(id)?.card ?? null;
  }

  byNumber(number: number): Card | null {
    for (const { card } of this.#entries.values()) if (card.number === number) return card;
    return null;
  }

  cards(): Card[] {
    return [...this.#entries.values()].map(({ card }) => card);
  }

  move(id: string): Move | null {
    return this.#moves.get(id) ?? null;
  }

  isUnread(id: string): boolean {
    return this.#unread.has(id);
  }

  view(key: string): View | null {
    return this.#views.get(key) ?? null;
  }

  addView(view: View): void {
    // The board as it is and the one that is looked at: others are not kept up to date.
    for (const key of [...this.#views.keys()]) if (key !== "" && key !== view.key) this.#dropView(key);
    this.#views.set(view.key, view);
    this.touchView(view);
  }

  /** Whoever looks at it reads it anew. */
  #dropView(key: string): void {
    this.#views.delete(key);
    this.topics.changed(`view:${key}`);
    for (const status of TASK_STATUSES) {
      if (this.#shown.delete(`${key}\n${status}`)) this.topics.changed(`column:${key}\n${status}`);
    }
  }

  touchView(view: View): void {
    this.topics.together(() => {
      this.topics.changed(`view:${view.key}`);
      for (const status of TASK_STATUSES) this.#show(view, status);
    });
  }

  /** The ids of a column as it is to be drawn; the same array as long as nothing in it changes. */
  shown(key: string, status: TaskStatus): readonly string[] {
    return this.#shown.get(`${key}\n${status}`) ?? NOTHING;
  }

  /** The whole board anew. Lists that had been followed further down come with their pages. */
  join(snapshot: Snapshot, lists: View["lists"], further: { card: Card; asOf: number }[]): void {
    this.topics.together(() => {
      this.setBoard(snapshot.board);
      this.seq = snapshot.seq;
      this.setCounts(snapshot.counts, snapshot.seq);
      const known = Object.values(snapshot.columns).flatMap(({ tasks }) => tasks);
      // What stands in none of these may be anywhere by now.
      this.#entries.clear();
      for (const card of known) this.#put(card, snapshot.seq);
      for (const { card, asOf } of further) this.#put(card, asOf);
      for (const { key } of [...this.#views.values()]) if (key !== "") this.#dropView(key);
      const whole = this.#views.get("") as View;
      whole.lists = lists;
      whole.state = "ready";
      this.touchView(whole);
      for (const id of [...this.#moves.keys()]) this.#settle(id);
    });
  }

  setBoard(board: Snapshot["board"]): void {
    if (same(board, this.board)) return;
    this.board = board;
    this.topics.changed("board");
  }

  setCounts(counts: Snapshot["counts"], asOf: number): void {
    if (asOf < this.#countsAsOf || same(counts, this.counts)) return;
    this.#countsAsOf = asOf;
    this.counts = counts;
    this.topics.changed("counts");
  }

  /** Cards that are true at `asOf`; older ones than are known say nothing. */
  apply(cards: readonly Card[], asOf: number): void {
    this.topics.together(() => {
      for (const card of cards) {
        const entry = this.#entries.get(card.id);
        if (entry !== undefined && entry.asOf > asOf) continue;
        this.#put(card, asOf);
        for (const view of this.#views.values()) this.#place(view, entry?.card ?? null, card);
        this.#settle(card.id);
      }
    });
  }

  hear(events: readonly BoardEvent[], seq: number): void {
    this.topics.together(() => {
      this.seq = Math.max(this.seq, seq);
      for (const { kind, taskId, actor } of events) {
        if (kind !== "comment_added" || taskId === null || actor.id === this.me.agentId) continue;
        this.#unread.add(taskId);
        this.topics.changed(`card:${taskId}`);
      }
    });
    for (const listener of this.#onEvents) listener(events);
  }

  readonly #onEvents = new Set<(events: readonly BoardEvent[]) => void>();

  onEvents(listener: (events: readonly BoardEvent[]) => void): () => void {
    this.#onEvents.add(listener);
    return () => this.#onEvents.delete(listener);
  }

  beat({ taskId, epoch, heartbeatAt, expiresAt }: Beat): void {
    const entry = this.#entries.get(taskId);
    if (entry?.card.lease?.epoch !== epoch || entry.card.lease.expiresAt >= expiresAt) return;
    entry.card = { ...entry.card, heartbeatAt, lease: { ...entry.card.lease, state: "live", expiresAt } };
    this.topics.changed(`card:${taskId}`);
  }

  read(id: string): void {
    if (this.#unread.delete(id)) this.topics.changed(`card:${id}`);
  }

  /** Shows a card in another column until the board has spoken. */
  startMove(id: string, move: Move): void {
    this.#moves.set(id, move);
    this.#showWhere(id, move.to);
  }

  /** It is over, whatever came of it: the card stands where the board says. */
  endMove(id: string): void {
    const move = this.#moves.get(id);
    if (!this.#moves.delete(id) || move === undefined) return;
    this.#showWhere(id, move.to);
  }

  /** Whom to tell that somebody else moved a task that we were moving. */
  onOvertaken: (card: Card) => void = () => {};

  /** The board has spoken of a task that is being moved. */
  #settle(id: string): void {
    const move = this.#moves.get(id);
    const card = this.card(id);
    if (move === undefined || card === null || card.changeSeq <= move.base) return;
    const { status } = card;
    this.endMove(id);
    if (status !== move.to) this.onOvertaken(card);
  }

  #put(card: Card, asOf: number): void {
    const entry = this.#entries.get(card.id);
    const now = entry !== undefined && same(entry.card, card) ? entry.card : card;
    this.#entries.set(card.id, { card: now, asOf });
    if (now !== entry?.card) this.topics.changed(`card:${card.id}`);
  }

  #place(view: View, before: Card | null, card: Card): void {
    const old = before === null ? null : view.lists[before.status];
    const listed = old?.ids.includes(card.id) === true;
    const belongs = !card.dropped && matches(card, view.filter, this.me, this.now(), listed);
    if (listed && before !== null && (!belongs || before.status !== card.status)) {
      removeId(view.lists[before.status], card.id);
      this.#show(view, before.status);
    }
    if (!belongs || (listed && before?.status === card.status)) return;
    insertId(view.lists[card.status], card.id, card.number, this.#numberOf);
    this.#show(view, card.status);
  }

  readonly #numberOf = (id: string): number => this.card(id)?.number ?? 0;

  #showWhere(id: string, to: TaskStatus): void {
    this.topics.together(() => {
      const from = this.card(id)?.status;
      for (const view of this.#views.values())
        for (const status of new Set([from, to])) if (status !== undefined) this.#show(view, status);
      this.topics.changed(`card:${id}`);
    });
  }

  /** The column as it is to be drawn: as the board says, with the moves that are under way. */
  #show(view: View, status: TaskStatus): void {
    const list = view.lists[status];
    let ids = list.ids.filter((id) => (this.#moves.get(id)?.to ?? status) === status);
    for (const [id, { to }] of this.#moves) {
      const card = this.card(id);
      if (to !== status || card === null || card.status === status) continue;
      if (!view.lists[card.status].ids.includes(id)) continue;
      const withIt = { ...list, ids: [...ids] };
      insertId(withIt, id, card.number, this.#numberOf);
      ids = withIt.ids;
    }
    const name = `${view.key}\n${status}`;
    if (same(ids, this.#shown.get(name))) return;
    this.#shown.set(name, ids);
    this.topics.changed(`column:${name}`);
  }

  /** Ready tasks that were put off and whose time has come are drawn as such by whoever watches the time. */
  isReady(id: string): boolean {
    const card = this.card(id);
    return card !== null && isCardReady(card, this.now());
  }
}

const NOTHING: readonly string[] = [];
