/**
 * What the page knows of one board. It is fed by snapshots, pages of lists, live frames and answers; whatever is newer
 * wins, card by card. A move that was asked for lies over the card until the board has spoken.
 */
import type { Me } from "../../contract/answers.ts";
import type { BoardEvent } from "../../contract/events.ts";
import type { Snapshot } from "../../contract/live.ts";
import type { TaskStatus } from "../../rules/status.ts";
import type { Card } from "./card.ts";
import { Columns } from "./columns.ts";
import { matches } from "./filter.ts";
import type { View } from "./lists.ts";
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
  readonly #moves = new Map<string, Move>();
  readonly columns: Columns;
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
    this.columns = new Columns(this.topics, {
      card: (id) => this.card(id),
      moves: this.#moves,
      belongs: (card, filter, listed) => !card.dropped && matches(card, filter, me, this.now(), listed),
    });
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
      this.columns.join(lists);
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
        this.columns.place(entry?.card ?? null, card);
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
    this.#showMove(id, move.to);
  }

  /** It is over, whatever came of it: the card stands where the board says. */
  endMove(id: string): void {
    const move = this.#moves.get(id);
    if (!this.#moves.delete(id) || move === undefined) return;
    this.#showMove(id, move.to);
  }

  #showMove(id: string, to: TaskStatus): void {
    this.topics.together(() => {
      const from = this.card(id)?.status;
      this.columns.show(from === undefined ? [to] : [from, to]);
      this.topics.changed(`card:${id}`);
    });
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
}
