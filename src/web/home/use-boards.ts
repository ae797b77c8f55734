/** The boards there are, page by page. There is no board to be told changes by: it is read again after one's own. */
import { useCallback, useEffect, useState } from "react";
import type { Answer } from "../../client/calls.ts";
import { server } from "../server.ts";
import { sessionEndedBy } from "../session/session.ts";

export type Listed = Answer<"listBoards">["boards"][number];

export interface Boards {
  list: Listed[] | null;
  error: unknown;
  more: boolean;
  busy: boolean;
  readOn: () => void;
  reload: () => void;
}

const PAGE = 50;

export function useBoards(): Boards {
  const [list, setList] = useState<Listed[] | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const read = useCallback(async (from: string | null) => {
    setBusy(true);
    try {
      const page = await server.listBoards({ limit: PAGE, ...(from === null ? {} : { cursor: from }) });
      setList((last) => (from === null ? page.boards : [...(last ?? []), ...page.boards]));
      setCursor(page.nextCursor);
      setError(null);
    } catch (fault) {
      if (!sessionEndedBy(fault)) setError(fault);
    } finally {
      setBusy(false);
    }
  }, []);
  useEffect(() => void read(null), [read]);
  return {
    list,
    error,
    more: cursor !== null,
    busy,
    readOn: () => void read(cursor),
    reload: () => void read(null),
  };
}
