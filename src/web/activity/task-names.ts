/** The number and the title of a task that a line speaks of: from the board where it is known, else asked for once. */
import { useEffect, useState } from "react";
import type { Board } from "../../client/board.ts";
import { useCard, useRoom } from "../room/room.tsx";
import type { Store } from "../room/store.ts";

export interface TaskName {
  number: number;
  title: string;
}

const PARALLEL = 4;

/** A few at a time, so that a long feed does not crowd out what somebody does meanwhile. */
class Names {
  readonly #known = new Map<string, Promise<TaskName | null>>();
  readonly #queue: (() => Promise<void>)[] = [];
  #running = 0;

  of(board: Board, id: string): Promise<TaskName | null> {
    const known = this.#known.get(id) ?? this.#ask(board, id);
    this.#known.set(id, known);
    return known;
  }

  #ask(board: Board, id: string): Promise<TaskName | null> {
    return new Promise((resolve) => {
      this.#queue.push(async () => {
        try {
          const { number, title } = (await board.tasks.get(id)).task;
          resolve({ number, title });
        } catch {
          this.#known.delete(id);
          resolve(null);
        }
      });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running >= PARALLEL) return;
    const job = this.#queue.shift();
    if (job === undefined) return;
    this.#running++;
    void job().finally(() => {
      this.#running--;
      this.#next();
    });
  }
}

const byRoom = new WeakMap<Store, Names>();

/** Null: not known, or not yet. */
export function useTaskName(id: string): TaskName | null {
  const { board, store } = useRoom();
  const card = useCard(id);
  const [asked, setAsked] = useState<TaskName | null>(null);
  const missing = card === null;
  useEffect(() => {
    if (!missing) return;
    const names = byRoom.get(store) ?? new Names();
    byRoom.set(store, names);
    let wanted = true;
    void names.of(board, id).then((name) => {
      if (wanted) setAsked(name);
    });
    return () => {
      wanted = false;
    };
  }, [board, store, id, missing]);
  return card ?? asked;
}
