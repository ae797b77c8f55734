/** A list that grows at both ends: older ones are read on, and what is new waits until somebody wants to see it. */
import { useCallback, useEffect, useRef, useState } from "react";

export interface Page<T> {
  items: T[];
  cursor: string | null;
}

export interface Feed<T> {
  /** Newest first; null: not there yet. */
  items: readonly T[] | null;
  /** Newer than what is shown, newest first. */
  waiting: readonly T[];
  hasOlder: boolean;
  busy: boolean;
  error: unknown;
  readOlder: () => void;
  /** Puts what waits on top. */
  showNew: () => void;
  /** What has just come, in any order; those that are known already say nothing. */
  hear: (news: readonly T[]) => void;
  reload: () => void;
}

/** Of what waits, so many are kept; whoever comes back after more of them reads the list anew. */
const WAITING_MAX = 500;

interface State<T> {
  name: string;
  items: readonly T[] | null;
  waiting: readonly T[];
  cursor: string | null;
}

/** `name` says which list: another name is another list. `placeOf` is higher for what is newer. */
export function useFeed<T>(
  name: string,
  read: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>,
  placeOf: (item: T) => number,
): Feed<T> {
  const empty: State<T> = { name, items: null, waiting: [], cursor: null };
  const [state, setState] = useState(empty);
  const [round, setRound] = useState(0);
  const [busy, setBusy] = useState(true);
  const [error, setError] = useState<unknown>(null);
  const latest = useRef(read);
  latest.current = read;
  const place = useRef(placeOf);
  place.current = placeOf;
  const reading = useRef<AbortController>(undefined);
  const load = useCallback(
    async (cursor: string | null, known: readonly T[]) => {
      reading.current?.abort();
      const over = new AbortController();
      reading.current = over;
      setBusy(true);
      setError(null);
      try {
        const page = await latest.current(cursor, over.signal);
        if (over.signal.aborted) return;
        setState((last) => ({
          name,
          items: [...known, ...page.items],
          waiting: cursor === null ? [] : last.waiting,
          cursor: page.cursor,
        }));
      } catch (reason) {
        if (!over.signal.aborted) setError(reason);
      } finally {
        if (!over.signal.aborted) setBusy(false);
      }
    },
    [name],
  );
  useEffect(() => {
    void load(null, []);
    return () => reading.current?.abort();
  }, [load, round]);
  const shown = state.name === name ? state : empty;
  const { items, waiting, cursor } = shown;
  const hear = useCallback((news: readonly T[]) => {
    setState((last) => {
      if (last.items === null) return last;
      const newest = last.waiting[0] ?? last.items[0];
      const above = newest === undefined ? -1 : place.current(newest);
      const fresh = news.filter((item) => place.current(item) > above);
      if (fresh.length === 0) return last;
      fresh.sort((a, b) => place.current(b) - place.current(a));
      return { ...last, waiting: [...fresh, ...last.waiting].slice(0, WAITING_MAX + 1) };
    });
  }, []);
  return {
    items,
    waiting,
    hasOlder: cursor !== null,
    busy,
    error,
    hear,
    readOlder: () => {
      if (items !== null && cursor !== null && !busy) void load(cursor, items);
    },
    showNew: () => {
      if (waiting.length > WAITING_MAX) setRound((last) => last + 1);
      else setState({ ...shown, items: [...waiting, ...(items ?? [])], waiting: [] });
    },
    reload: () => setRound((last) => last + 1),
  };
}
