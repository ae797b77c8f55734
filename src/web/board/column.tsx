/** One column: of ten thousand cards, those that are seen. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { TaskStatus } from "../../rules/status.ts";
import { useCounts, useRoom, useTopic } from "../room/room.tsx";
import { readOn } from "../room/views.ts";
import { count } from "../ui/format.ts";
import { STATUS_NAMES, StatusShape } from "../ui/status.tsx";
import { useAnchored } from "./anchored.ts";
import { CardRow } from "./card-row.tsx";
import { useColumnDrop, useDragScroll } from "./drag.ts";
import { useReveal } from "./focus.ts";

/** A card and the gap below it, in pixels; board.css says the same. */
export const STRIDE = 100;
/** Cards drawn above and below those that are seen. */
const OVERSCAN = 4;
/** The next page is read when so few cards are left below. */
const READ_AHEAD = 20;

/** Where each column of each view was scrolled to, so that a filter taken away leaves one where one was. */
const places = new Map<string, number>();

interface ColumnProps {
  status: TaskStatus;
  viewKey: string;
  folded: boolean;
  onFold: (status: TaskStatus, folded: boolean) => void;
  onMenu: (id: string) => void;
}

export function Column({ status, viewKey, folded, onFold, onMenu }: ColumnProps) {
  const place = useRef<HTMLElement>(null);
  const { legal, over } = useColumnDrop(place, status);
  const name = STATUS_NAMES[status];
  return (
    <section
      ref={place}
      className="column"
      data-status={status}
      data-folded={folded || undefined}
      data-legal={legal || undefined}
      data-over={over || undefined}
      aria-label={name}
    >
      <h2 className="column-head">
        <button
          type="button"
          aria-expanded={!folded}
          title={folded ? "Unfold" : "Fold"}
          onClick={() => onFold(status, !folded)}
        >
          <span className="status" data-status={status}>
            <StatusShape status={status} />
          </span>
          <span className="column-name">{name}</span>
          <ColumnCount status={status} viewKey={viewKey} />
        </button>
      </h2>
      {!folded && <Cards status={status} viewKey={viewKey} onMenu={onMenu} />}
    </section>
  );
}

/** Of the whole board the true count; of a filter what is known, and whether there is more. */
function ColumnCount({ status, viewKey }: { status: TaskStatus; viewKey: string }) {
  const { store } = useRoom();
  const counts = useCounts();
  const known = useTopic(`column:${viewKey}\n${status}`, () => store.columns.shown(viewKey, status).length);
  const more = useTopic(
    `view:${viewKey}`,
    () => (store.columns.view(viewKey)?.lists[status].cursor ?? null) !== null,
  );
  const text =
    viewKey === "" ? (counts === null ? "" : count(counts[status])) : `${count(known)}${more ? "+" : ""}`;
  return <span className="column-count">{text}</span>;
}

function Cards({ status, viewKey, onMenu }: Pick<ColumnProps, "status" | "viewKey" | "onMenu">) {
  const { board, store } = useRoom();
  const box = useRef<HTMLDivElement>(null);
  const ids = useTopic(`column:${viewKey}\n${status}`, () => store.columns.shown(viewKey, status));
  const [current, setCurrent] = useState<string | null>(null);
  const name = `${viewKey}\n${status}`;
  const rows = useVirtualizer({
    count: ids.length,
    getScrollElement: () => box.current,
    estimateSize: () => STRIDE,
    getItemKey: (index) => ids[index] as string,
    overscan: OVERSCAN,
    initialOffset: places.get(name) ?? 0,
  });
  useAnchored(box, ids, STRIDE);
  useDragScroll(box);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.scrollTop = places.get(name) ?? 0;
    return () => void places.set(name, element.scrollTop);
  }, [name]);
  useReveal(box, status, ids, (index) => rows.scrollToIndex(index, { align: "auto" }));
  const seen = rows.getVirtualItems();
  const lastSeen = seen.at(-1)?.index ?? 0;
  useEffect(() => {
    const view = store.columns.view(viewKey);
    // A page that could not be read is asked for again as soon as somebody scrolls on.
    if (view?.state === "ready" && lastSeen >= ids.length - READ_AHEAD)
      readOn(board, store, view, status).catch(() => {});
  }, [board, store, viewKey, status, lastSeen, ids.length]);
  const inside = seen.some(({ index }) => ids[index] === current);
  const firstSeen = seen.find(({ start }) => start >= (rows.scrollOffset ?? 0))?.index ?? 0;
  const stop = inside ? current : (ids[firstSeen] ?? null);
  return (
    <div
      ref={box}
      className="column-cards"
      onFocusCapture={(event) => {
        const id = (event.target as HTMLElement).dataset["card"];
        if (id !== undefined) setCurrent(id);
      }}
    >
      {ids.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a list whose items are placed absolutely
        <div className="column-list" role="list" style={{ height: `${rows.getTotalSize()}px` }}>
          {seen.map(({ index, start, key }) => (
            <CardRow
              key={key}
              id={ids[index] as string}
              start={start}
              position={index + 1}
              size={ids.length}
              tabStop={ids[index] === stop}
              onMenu={onMenu}
            />
          ))}
        </div>
      )}
      {ids.length === 0 && <p className="column-empty">Nothing here</p>}
    </div>
  );
}
