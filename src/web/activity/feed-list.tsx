/** Draws a feed day by day, with what is new behind one button on top and what is older below. */
import { useEffect, useRef } from "react";
import { useRoom } from "../room/room.tsx";
import { Empty } from "../ui/empty.tsx";
import { Fault } from "../ui/fault.tsx";
import { count } from "../ui/format.ts";
import { errorText } from "../ui/problem.ts";
import { ActivityRow, type Line } from "./activity-row.tsx";
import { byDay } from "./days.ts";
import type { Feed } from "./feed.ts";

interface FeedListProps<T> {
  feed: Feed<T>;
  lineOf: (item: T) => Line;
}

export function FeedList<T>({ feed, lineOf }: FeedListProps<T>) {
  const { store } = useRoom();
  const { items, waiting, hasOlder, busy, error } = feed;
  if (items === null)
    return error === null ? (
      <p className="waiting soft" role="status">
        Loading …
      </p>
    ) : (
      <Fault text={errorText(error)} onRetry={feed.reload} />
    );
  const days = byDay(items.map(lineOf), store.now());
  return (
    <div className="activity-feed">
      <div className="activity-new" role="status">
        {waiting.length > 0 && (
          <button type="button" className="button" data-kind="primary" onClick={feed.showNew}>
            {count(waiting.length)} new
          </button>
        )}
      </div>
      {items.length === 0 && !hasOlder && (
        <Empty title="Nothing of this kind has happened">
          <p>What happens shows up here by itself.</p>
        </Empty>
      )}
      {days.map(({ name, lines }) => (
        <section key={name} className="panel" aria-label={name}>
          <header>
            <h2>{name}</h2>
          </header>
          <ul>
            {lines.map((line) => (
              <ActivityRow key={line.key} line={line} />
            ))}
          </ul>
        </section>
      ))}
      {error !== null && <Fault text={errorText(error)} onRetry={feed.readOlder} />}
      {hasOlder && error === null && <Older busy={busy} onReach={feed.readOlder} />}
    </div>
  );
}

/** Reads on by itself once it is scrolled near; the button is for whoever has got there by keyboard. */
function Older({ busy, onReach }: { busy: boolean; onReach: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const latest = useRef(onReach);
  latest.current = onReach;
  useEffect(() => {
    const seen = new IntersectionObserver(
      (entries) => {
        if (!busy && entries.some(({ isIntersecting }) => isIntersecting)) latest.current();
      },
      { rootMargin: "400px" },
    );
    if (button.current !== null) seen.observe(button.current);
    return () => seen.disconnect();
  }, [busy]);
  return (
    <button
      ref={button}
      type="button"
      className="button activity-older"
      aria-disabled={busy}
      onClick={onReach}
    >
      {busy ? "Reading …" : "Show older"}
    </button>
  );
}
