/** Tasks that fit a query: those the page knows at once, those of the whole board a moment later. */
import { useEffect, useState } from "react";
import type { Board } from "../../client/board.ts";
import { useRoom } from "../room/room.tsx";
import { type Entry, type Named, taskEntry } from "./entries.ts";
import { fits, readNumber } from "./query.ts";

const SHOWN = 8;
/** Whoever is still typing is not searched for. */
const PAUSE_MS = 200;

export interface Found {
  entries: Entry[];
  /** The board is being asked. */
  busy: boolean;
}

export function useFoundTasks(query: string): Found {
  const { board, store } = useRoom();
  const [answer, setAnswer] = useState<{ query: string; tasks: readonly Named[] }>({ query: "", tasks: [] });
  useEffect(() => {
    if (query === "") return;
    const over = new AbortController();
    const timer = setTimeout(() => {
      search(board, query, over.signal).then(
        (tasks) => setAnswer({ query, tasks }),
        () => {
          // What the page knows is shown all the same.
          if (!over.signal.aborted) setAnswer({ query, tasks: [] });
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [board, query]);
  if (query === "") return { entries: [], busy: false };
  const number = readNumber(query);
  const exact = number === null ? null : store.byNumber(number);
  const known = store.cards().filter((card) => fits(`n${card.number} ${card.title}`, query));
  const asked = answer.query === query ? answer.tasks : [];
  const all = new Map<number, Named>();
  for (const task of [...(exact === null ? [] : [exact]), ...known.slice(0, SHOWN), ...asked])
    if (!all.has(task.number)) all.set(task.number, task);
  return {
    entries: [...all.values()].slice(0, SHOWN).map((task) => taskEntry(task, "Tasks")),
    busy: answer.query !== query,
  };
}

async function search(board: Board, query: string, signal: AbortSignal): Promise<readonly Named[]> {
  const number = readNumber(query);
  if (number === null) return (await board.tasks.list({ q: query, limit: SHOWN }, { signal })).tasks;
  return [(await board.tasks.get(`n${number}`, {}, { signal })).task];
}
