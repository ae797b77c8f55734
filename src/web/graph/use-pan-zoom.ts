/**
 * Moves a layer under its frame by pointer, wheel and fingers. The layer is moved by itself, without drawing anything;
 * only when other nodes come into reach is the page told, by another box.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import {
  type Box,
  bounded,
  boxOf,
  fitted,
  opened,
  SCALE_FAR,
  type Size,
  type View,
  zoomed,
} from "./viewport.ts";

/** A pointer that moves by less has clicked. */
const CLICK_PX = 4;

export interface PanZoom {
  /** Put on the frame and on the layer in it. */
  frame: React.RefObject<HTMLDivElement | null>;
  layer: React.RefObject<HTMLDivElement | null>;
  box: Box;
  far: boolean;
  change: (next: (view: View, room: Size) => View) => void;
  zoom: (factor: number) => void;
  fit: () => void;
}

export function usePanZoom(size: Size): PanZoom {
  const frame = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const view = useRef<View | null>(null);
  const [seen, setSeen] = useState<{ box: Box; far: boolean }>({ box: NOTHING, far: false });
  const sized = useRef(size);
  sized.current = size;

  const change = useCallback((next: (view: View, room: Size) => View) => {
    const room = roomOf(frame.current);
    if (room === null || layer.current === null) return;
    const now = bounded(next(view.current ?? opened(sized.current, room), room), sized.current, room);
    view.current = now;
    layer.current.style.transform = `translate(${now.x}px, ${now.y}px) scale(${now.scale})`;
    const [box, far] = [boxOf(now, room), now.scale < SCALE_FAR];
    setSeen((last) => (last.far === far && sameBox(last.box, box) ? last : { box, far }));
  }, []);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => change((now) => now));
    watch.observe(element);
    const stop = followPointers(element, change);
    return () => {
      watch.disconnect();
      stop();
    };
  }, [change]);

  return useMemo(
    () => ({
      frame,
      layer,
      ...seen,
      change,
      zoom: (factor) => change((now, room) => zoomed(now, factor, room.width / 2, room.height / 2)),
      fit: () => change((_, room) => fitted(sized.current, room)),
    }),
    [seen, change],
  );
}

const NOTHING: Box = { left: 0, top: 0, right: 0, bottom: 0 };

const sameBox = (a: Box, b: Box) =>
  a.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom;

function roomOf(element: HTMLElement | null): Size | null {
  if (element === null || element.clientWidth === 0) return null;
  return { width: element.clientWidth, height: element.clientHeight };
}

/** Drags with one pointer, pinches with two; the wheel moves, and with Ctrl or ⌘ it zooms. */
function followPointers(element: HTMLElement, change: PanZoom["change"]): () => void {
  const over = new AbortController();
  const pointers = new Map<number, { x: number; y: number }>();
  let moved = 0;
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    hear: (event: HTMLElementEventMap[K]) => void,
    options: AddEventListenerOptions = {},
  ) => element.addEventListener(type, hear, { ...options, signal: over.signal });
  const place = (event: MouseEvent) => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  on("pointerdown", (event) => {
    if (event.button !== 0 || (event.target as Element).closest("button, form") !== null) return;
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, place(event));
  });
  on("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (last === undefined) return;
    const now = place(event);
    const [dx, dy] = [now.x - last.x, now.y - last.y];
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved < CLICK_PX) return;
    // Not before it is a drag: a captured pointer clicks nothing.
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, now);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) change((view) => ({ ...view, x: view.x + dx, y: view.y + dy }));
    else {
      const apart = (from: { x: number; y: number }) => Math.hypot(from.x - other.x, from.y - other.y);
      change((view) => zoomed(view, apart(now) / Math.max(1, apart(last)), other.x, other.y));
    }
  });
  const lift = (event: PointerEvent) => void pointers.delete(event.pointerId);
  on("pointerup", lift);
  on("pointercancel", lift);
  on(
    "click",
    (event) => {
      if (moved < CLICK_PX) return;
      moved = 0;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
  on(
    "wheel",
    (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      if (event.ctrlKey || event.metaKey) {
        const { x, y } = place(event);
        change((view) => zoomed(view, Math.exp(-event.deltaY * unit * 0.005), x, y));
      } else {
        const [dx, dy] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
        change((view) => ({ ...view, x: view.x - dx * unit, y: view.y - dy * unit }));
      }
    },
    { passive: false },
  );
  return () => over.abort();
}
