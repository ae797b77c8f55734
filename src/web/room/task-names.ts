/**
 * Numbers and titles of the tasks that runs and events are of. These only have a task's id, so a name is read when it
 * is shown, unless the board has the task's card already; what was scrolled past meanwhile is not asked for.
 */
import { useMemo, useSyncExternalStore } from "react";
import type { Board } from "../../client/board.ts";
import { type Room, useRoom } from "./room.tsx";
import type { Store } from "./store.ts";

export interface TaskName {
  id: string;
  number: number;
  title: string;
  parentTaskId: string | null;
}

const AT_ONCE = 4;
/** Whatever is in view for less than this was scrolled past. */
const REST_MS = 120;

export class TaskNames {
  readonly #board: Board;
  readonly #store: Store;
  readonly #known = new Map<string, TaskName>();
  readonly #wanted = new Map<string, Set<() => void>>();
  readonly #asked = new Set<string>();
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(board: Board, store: Store) {
    this.#board = board;
    this.#store = store;
  }

  get(id: string): TaskName | null {
    return this.#store.card(id) ?? this.#known.get(id) ?? null;
  }

  /** Has a name read, and told of, for as long as it is wanted. */
  want(id: string, hear: () => void): () => void {
    if (this.get(id) !== null) return () => {};
    const wanting = this.#wanted.get(id) ?? new Set();
    this.#wanted.set(id, wanting.add(hear));
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.#askMore();
    }, REST_MS);
    return () => {
      wanting.delete(hear);
      if (wanting.size === 0) this.#wanted.delete(id);
    };
  }

  async read(id: string): Promise<TaskName> {
    const known = this.get(id);
    if (known !== null) return known;
    const { task } = await this.#board.tasks.get(id);
    this.#known.set(id, task);
    return task;
  }

  #askMore(): void {
    for (const id of this.#wanted.keys()) {
      if (this.#asked.size >= AT_ONCE) return;
      if (this.#asked.has(id)) continue;
      this.#asked.add(id);
      void this.#ask(id);
    }
  }

  async #ask(id: string): Promise<void> {
    try {
      await this.read(id);
      for (const hear of this.#wanted.get(id) ?? []) hear();
    } catch {
      // Nameless it stays a bar; its panel asks again.
    }
    this.#wanted.delete(id);
    this.#asked.delete(id);
    this.#askMore();
  }
}

const byRoom = new WeakMap<Room, TaskNames>();

/** One for each room: what was read for one page is known on the next. */
export function useTaskNames(): TaskNames {
  const room = useRoom();
  const names = byRoom.get(room) ?? new TaskNames(room.board, room.store);
  byRoom.set(room, names);
  return names;
}

/** Null: not known, or not yet. */
export function useTaskName(id: string): TaskName | null {
  const names = useTaskNames();
  const listen = useMemo(() => (hear: () => void) => names.want(id, hear), [names, id]);
  return useSyncExternalStore(listen, () => names.get(id));
}
