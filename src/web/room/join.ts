/** Joins a board: its snapshot, then every change from there on, whatever becomes of the connection. */
import type { Board } from "../../client/board.ts";
import type { FollowEnd } from "../../client/live.ts";
import { LIST_MAX, SNAPSHOT_CARDS_MAX } from "../../contract/limits.ts";
import type { Snapshot } from "../../contract/live.ts";
import { TASK_STATUSES, type TaskStatus } from "../../rules/status.ts";
import { type Card, cardOf } from "./card.ts";
import type { Connection } from "./connection.ts";
import { watchLeases } from "./leases.ts";
import { extend, listOf, type View } from "./lists.ts";
import type { Store } from "./store.ts";

/** Cards of a column that are read again after a gap; whoever was further down scrolls there anew. */
const KEPT_MAX = 1_000;
/** Clocks that are nearer than this are taken for the same. */
const SKEW_MIN_MS = 2_000;

export async function joinBoard(
  board: Board,
  store: Store,
  connection: Connection,
  signal: AbortSignal,
): Promise<FollowEnd> {
  const read = async () => {
    const snapshot = await board.snapshot({ limit: SNAPSHOT_CARDS_MAX }, { signal });
    await rejoin(board, store, snapshot, signal);
    return snapshot.seq;
  };
  const after = await read();
  watchLeases(board, store, signal);
  return board.follow({
    after,
    signal,
    cards: true,
    onEvents: (events, seq, told) => {
      const last = events.at(-1);
      if (last !== undefined && connection.state === "live") {
        const skewMs = last.at - Date.now();
        store.skewMs = Math.abs(skewMs) < SKEW_MIN_MS ? 0 : skewMs;
      }
      store.topics.together(() => {
        if (told !== null) {
          store.setCounts(told.counts, told.asOf);
          store.apply(told.cards, told.asOf);
        }
        store.hear(events, seq);
      });
      if (events.some(({ kind }) => kind === "board_changed"))
        void board.get({ signal }).then(({ board: now }) => store.setBoard(now), ignore);
    },
    onBeats: (beats) =>
      store.topics.together(() => {
        for (const beat of beats) store.beat(beat);
      }),
    onResync: async () => {
      const seq = await read();
      connection.rejoined();
      return seq;
    },
    onState: (state) => connection.become(state),
  });
}

/** What was scrolled through before a gap is read again, so that nobody loses their place. */
async function rejoin(board: Board, store: Store, snapshot: Snapshot, signal: AbortSignal): Promise<void> {
  const before = store.columns.view("")?.lists;
  const further: { card: Card; asOf: number }[] = [];
  const lists = {} as View["lists"];
  for (const status of TASK_STATUSES) {
    const { tasks, nextCursor } = snapshot.columns[status];
    const list = listOf(tasks, nextCursor);
    lists[status] = list;
    const wanted = Math.min(before?.[status].ids.length ?? 0, KEPT_MAX);
    while (list.ids.length < wanted && list.cursor !== null) {
      const page = await readPage(board, status, {}, list.cursor, signal);
      further.push(...page.cards.map((card) => ({ card, asOf: page.asOf })));
      extend(list, page.cards, page.cursor);
    }
  }
  store.join(snapshot, lists, further);
}

export async function readPage(
  board: Board,
  status: TaskStatus,
  query: object,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<{ cards: Card[]; cursor: string | null; asOf: number }> {
  const answer = await board.tasks.list(
    { status: [status], limit: LIST_MAX, ...query, ...(cursor === null ? {} : { cursor }) },
    { signal },
  );
  return { cards: answer.tasks.map(cardOf), cursor: answer.nextCursor, asOf: answer.seq };
}

const ignore = () => {};
