/**
 * Something read from the server for one page. A first failure is told; after a later one the last good answer stays,
 * marked as stale. What happens on the board has it read again, at most once in a while.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import type { BoardEvent } from "../../contract/events.ts";
import { useEvents } from "./room.tsx";

export interface Resource<T> {
  /** Null: not there yet. */
  value: T | null;
  /** The last try failed with this. */
  error: unknown;
  stale: boolean;
  reload: () => void;
}

const AGAIN_MS = 1_000;

/** `name` says what is read: another name is another thing, and the former one goes. `againMs`: how soon it is read again. */
export function useResource<T>(
  name: string,
  read: (signal: AbortSignal) => Promise<T>,
  wants: (event: BoardEvent) => boolean = () => false,
  againMs = AGAIN_MS,
): Resource<T> {
  const [state, setState] = useState<{ name: string; value: T | null; error: unknown }>({
    name,
    value: null,
    error: null,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  const wanted = useRef(wants);
  wanted.current = wants;
  const again = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const over = new AbortController();
    latest.current(over.signal).then(
      (value) => {
        if (!over.signal.aborted) setState({ name, value, error: null });
      },
      (error) => {
        if (over.signal.aborted) return;
        setState((last) => ({ name, value: last.name === name ? last.value : null, error }));
      },
    );
    return () => over.abort();
  }, [name, round]);
  useEffect(() => () => clearTimeout(again.current), []);
  const hear = useCallback(
    (events: readonly BoardEvent[]) => {
      if (again.current !== undefined || !events.some((event) => wanted.current(event))) return;
      again.current = setTimeout(() => {
        again.current = undefined;
        setRound((last) => last + 1);
      }, againMs);
    },
    [againMs],
  );
  useEvents(hear);
  const value = state.name === name ? state.value : null;
  const error = state.name === name ? state.error : null;
  return {
    value,
    error,
    stale: value !== null && error !== null,
    reload: () => setRound((last) => last + 1),
  };
}
