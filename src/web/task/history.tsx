/** Everything that happened to a task, newest first; older pages come when asked for. */
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import type { BoardEvent } from "../../contract/events.ts";
import { useEvents, useRoom } from "../room/room.tsx";
import { Fault } from "../ui/fault.tsx";
import { LongText } from "../ui/long-text.tsx";
import { Ago } from "../ui/moment.tsx";
import { errorText } from "../ui/problem.ts";
import { sentenceOf, tellEvent } from "../ui/told.ts";
import { Section } from "./section.tsx";

const PAGE = 50;

interface Log {
  events: BoardEvent[];
  /** Where older ones begin; null: there are none. */
  cursor: string | null;
}

export default function History({ taskId }: { taskId: string }) {
  const { board, connection } = useRoom();
  const [log, setLog] = useState<Log | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // After a gap that was too long the events in between were not told: it is read anew.
  const rejoinedAt = useSyncExternalStore(connection.onChange, () => connection.rejoinedAt);

  const read = useCallback(
    async (cursor: string | null, signal?: AbortSignal) => {
      setBusy(true);
      setFault(null);
      try {
        const page = await board.events(
          { taskId, order: "desc", limit: PAGE, ...(cursor === null ? {} : { cursor }) },
          { signal },
        );
        setLog((last) => ({
          events: cursor === null ? page.events : [...(last?.events ?? []), ...page.events],
          cursor: page.nextCursor,
        }));
      } catch (error) {
        if (signal?.aborted !== true) setFault(errorText(error));
      } finally {
        if (signal?.aborted !== true) setBusy(false);
      }
    },
    [board, taskId],
  );
  useEffect(() => {
    const over = new AbortController();
    void read(null, over.signal);
    return () => over.abort();
  }, [read, rejoinedAt]);
  const hear = useCallback(
    (heard: readonly BoardEvent[]) => {
      const mine = heard.filter((event) => event.taskId === taskId);
      if (mine.length > 0)
        setLog((last) => (last === null ? null : { ...last, events: onTop(mine, last.events) }));
    },
    [taskId],
  );
  useEvents(hear);

  return (
    <Section title="History">
      <ol className="task-history">
        {log?.events.map((event) => (
          <Happened key={event.seq} event={event} />
        ))}
      </ol>
      {fault !== null && <Fault text={fault} onRetry={() => void read(log?.cursor ?? null)} />}
      {log === null && fault === null && <p className="soft">Loading …</p>}
      {log !== null && log.cursor !== null && fault === null && (
        <button type="button" className="button" disabled={busy} onClick={() => void read(log.cursor)}>
          {busy ? "Loading …" : "Older"}
        </button>
      )}
    </Section>
  );
}

/** Newest first, each once. */
function onTop(heard: readonly BoardEvent[], known: readonly BoardEvent[]): BoardEvent[] {
  const newest = known[0]?.seq ?? 0;
  return [...heard.filter(({ seq }) => seq > newest).reverse(), ...known];
}

function Happened({ event }: { event: BoardEvent }) {
  const told = tellEvent(event);
  const who = event.actor.type === "board" ? "The board" : event.actor.id;
  return (
    <li>
      <p>
        <bdi className="foreign task-strong">{who}</bdi> <span className="foreign">{sentenceOf(told)}</span>{" "}
        <span className="soft">
          <Ago at={event.at} />
        </span>
      </p>
      {told.words !== undefined && (
        <div className="task-words soft">
          <LongText text={told.words} chars={280} lines={4} />
        </div>
      )}
    </li>
  );
}
