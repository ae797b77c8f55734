/**
 * Where the timeline is scrolled to. The browser scrolls; the page is told only when other rows or another stretch of
 * time come into reach. Whatever becomes of the scale, the moment one looks at stays where it is.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type TimeScale, timeOf, xOf } from "./time-scale.ts";

export const ROW_PX = 28;
const LABEL_PX = 168;
const LABEL_NARROW_PX = 88;
/** Rows are drawn in steps of so many, with as many more above and below. */
const ROW_STEP = 4;

interface Reach {
  left: number;
  right: number;
  firstRow: number;
  lastRow: number;
}

interface Scrolled {
  scale: TimeScale;
  overview: TimeScale;
  rows: number;
  /** What there is to see of the time, and of the rows. */
  room: { current: { width: number; height: number } };
  onNearOldest: () => void;
}

export function useTimelineScroll({ scale, overview, rows, room, onNearOldest }: Scrolled) {
  const frame = useRef<HTMLElement>(null);
  const windowRef = useRef<HTMLDivElement>(null);
  const [label, setLabel] = useState(LABEL_PX);
  const [reach, setReach] = useState<Reach>({ left: 0, right: 2_000, firstRow: 0, lastRow: 30 });
  /** How wide the frame is; 0: not known yet. */
  const [width, setWidth] = useState(0);
  const at = useRef({ left: 0, pinned: true });
  const before = useRef<TimeScale | null>(null);
  const wanted = useRef<{ time: number; px: number } | null>(null);
  const now = useRef({ scale, overview, rows, onNearOldest });
  now.current = { scale, overview, rows, onNearOldest };

  const paintWindow = useCallback(() => {
    const { scale, overview } = now.current;
    if (windowRef.current === null) return;
    const left = xOf(overview, timeOf(scale, at.current.left));
    const right = xOf(overview, timeOf(scale, at.current.left + room.current.width));
    windowRef.current.style.left = `${Math.max(0, left)}px`;
    windowRef.current.style.width = `${Math.max(6, Math.min(right, overview.width) - Math.max(0, left))}px`;
  }, [room]);

  const look = useCallback(() => {
    const element = frame.current;
    if (element === null) return;
    const { width } = room.current;
    const { scrollLeft, scrollTop, scrollWidth, clientWidth, clientHeight } = element;
    at.current = { left: scrollLeft, pinned: scrollLeft + clientWidth >= scrollWidth - 4 };
    const half = width / 2;
    const step = Math.floor(scrollLeft / half);
    const firstRow = Math.max(0, (Math.floor(scrollTop / ROW_PX / ROW_STEP) - 1) * ROW_STEP);
    const seen = (Math.ceil(clientHeight / ROW_PX / ROW_STEP) + 3) * ROW_STEP;
    const next = {
      left: (step - 0.5) * half,
      right: (step + 3.5) * half,
      firstRow,
      lastRow: firstRow + seen,
    };
    setReach((last) =>
      last.left === next.left &&
      last.right === next.right &&
      last.firstRow === next.firstRow &&
      last.lastRow === next.lastRow
        ? last
        : next,
    );
    paintWindow();
    const lowest = (now.current.rows + 1) * ROW_PX;
    const atBottom = lowest > clientHeight && scrollTop + clientHeight > lowest - clientHeight / 2;
    if (scrollLeft < half || atBottom) now.current.onNearOldest();
  }, [room, paintWindow]);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => {
      const label = element.clientWidth < 560 ? LABEL_NARROW_PX : LABEL_PX;
      room.current = { width: Math.max(100, element.clientWidth - label), height: element.clientHeight };
      setLabel(label);
      setWidth(room.current.width);
      look();
    });
    watch.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [room, look]);

  useLayoutEffect(() => {
    const element = frame.current;
    const last = before.current;
    before.current = scale;
    if (element === null) return;
    const want = wanted.current;
    wanted.current = null;
    if (want !== null) element.scrollLeft = xOf(scale, want.time) - want.px;
    else if (last === null || at.current.pinned) element.scrollLeft = element.scrollWidth;
    else if (last !== scale) element.scrollLeft = xOf(scale, timeOf(last, at.current.left));
    look();
  }, [scale, look]);

  /** What is to stay (or to come) at `px` from the left when the scale changes next: a moment, or what is there now. */
  const anchorAt = (px?: number, time?: number) => {
    const { width } = room.current;
    const place = px ?? (at.current.pinned ? width : width / 2);
    wanted.current = { px: place, time: time ?? timeOf(scale, at.current.left + place) };
  };

  /** Scrolls a row and a stretch of time into view, by as little as does it; `to` null: exactly to `from`. */
  const scrollTo = (row: number | null, from: number, to: number | null) => {
    const element = frame.current;
    if (element === null) return;
    const { width } = room.current;
    if (to === null) element.scrollLeft = from;
    else if (from < element.scrollLeft || Math.min(to, from + width / 2) > element.scrollLeft + width)
      element.scrollLeft = (from + Math.min(to, from + width)) / 2 - width / 2;
    if (row === null) return;
    const top = row * ROW_PX;
    const height = element.clientHeight - 2 * ROW_PX;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top > element.scrollTop + height) element.scrollTop = top - height;
  };

  return { frame, windowRef, reach, label, width, anchorAt, scrollTo, paintWindow };
}
