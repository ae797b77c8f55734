/** Opens a view of the board, and reads on where a column is scrolled to its end. */
import type { Board } from "../../client/board.ts";
import { TASK_STATUSES, type TaskStatus } from "../../rules/status.ts";
import { type Filter, queryOf, writeFilter } from "./filter.ts";
import { readPage } from "./join.ts";
import { extend, listOf, newView, type View } from "./lists.ts";
import type { Store } from "./store.ts";

/** The view of a filter, read if it is not there yet. */
export function openView(board: Board, store: Store, filter: Filter): View {
  const key = writeFilter(filter);
  const known = store.columns.view(key);
  if (known !== null && known.state !== "failed") return known;
  const view = newView(key, filter);
  store.columns.add(view);
  void load(board, store, view);
  return view;
}

async function load(board: Board, store: Store, view: View): Promise<void> {
  try {
    const pages = await Promise.all(
      TASK_STATUSES.map((status) => readPage(board, status, queryOf(view.filter), null)),
    );
    if (store.columns.view(view.key) !== view) return;
    store.topics.together(() => {
      for (const [index, status] of TASK_STATUSES.entries()) {
        const page = pages[index] as Awaited<ReturnType<typeof readPage>>;
        view.lists[status] = listOf(page.cards, page.cursor);
        store.apply(page.cards, page.asOf);
      }
      view.state = "ready";
      store.columns.touch(view);
    });
  } catch (error) {
    view.state = "failed";
    view.error = error;
    store.columns.touch(view);
  }
}

const reading = new WeakMap<View, Set<TaskStatus>>();

/** The next page of a column; nothing where it is being read already, or where there is none. */
export async function readOn(board: Board, store: Store, view: View, status: TaskStatus): Promise<void> {
  const list = view.lists[status];
  const busy = reading.get(view) ?? new Set();
  reading.set(view, busy);
  if (list.cursor === null || busy.has(status)) return;
  busy.add(status);
  try {
    const page = await readPage(board, status, queryOf(view.filter), list.cursor);
    // The board may have been read anew meanwhile.
    if (view.lists[status] !== list) return;
    store.topics.together(() => {
      extend(list, page.cards, page.cursor);
      store.apply(page.cards, page.asOf);
      store.columns.touch(view);
    });
  } finally {
    busy.delete(status);
  }
}
