/**
 * All that was read in one strip, and a window on it that is dragged, or resized at its edges. By keys the same is done
 * with the range and the zoom.
 */
import { memo, useMemo, useRef } from "react";
import type { Execution } from "../../contract/task.ts";
import { type Span, type TimeScale, timeOf, xOf } from "./time-scale.ts";

const HEIGHT = 32;
const COLUMN = 3;
const EDGE = 8;

interface OverviewProps {
  runs: readonly Execution[];
  /** Of the whole strip. */
  scale: TimeScale;
  /** The window; it is moved from outside, as the timeline is scrolled. */
  windowRef: React.RefObject<HTMLDivElement | null>;
  now: number;
  /** `resized`: it shows more or less than before, not only something else. */
  onShow: (span: Span, resized: boolean) => void;
}

export const Overview = memo(function Overview({ runs, scale, windowRef, now, onShow }: OverviewProps) {
  const path = useMemo(() => areaOf(runs, scale, now), [runs, scale, now]);
  const drag = useRef<{ x: number; left: number; right: number; edge: -1 | 0 | 1 } | null>(null);
  const begin = (event: React.PointerEvent<HTMLElement>) => {
    const shown = windowRef.current;
    if (shown === null || event.button !== 0) return;
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    let [left, right] = [shown.offsetLeft, shown.offsetLeft + shown.offsetWidth];
    const width = right - left;
    if (x < left - EDGE || x > right + EDGE) [left, right] = [x - width / 2, x + width / 2];
    drag.current = { x, left, right, edge: edgeAt(x, left, right) };
    event.currentTarget.setPointerCapture(event.pointerId);
    show(left, right, false);
  };
  const move = (event: React.PointerEvent<HTMLElement>) => {
    if (drag.current === null) return;
    const { x, left, right, edge } = drag.current;
    const by = event.clientX - event.currentTarget.getBoundingClientRect().left - x;
    if (edge === 0) show(left + by, right + by, false);
    else if (edge === -1) show(Math.min(left + by, right - EDGE), right, true);
    else show(left, Math.max(right + by, left + EDGE), true);
  };
  const show = (left: number, right: number, resized: boolean) =>
    onShow({ from: timeOf(scale, left), to: timeOf(scale, right) }, resized);
  return (
    <div
      className="runs-overview"
      aria-hidden="true"
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={() => {
        drag.current = null;
      }}
      onPointerCancel={() => {
        drag.current = null;
      }}
    >
      <svg width={Math.max(1, Math.round(scale.width))} height={HEIGHT} aria-hidden="true">
        <path d={path} />
      </svg>
      <div className="runs-window" ref={windowRef} />
    </div>
  );
});

/** Which edge of the window is taken hold of; 0: none. A narrow window has no edges of its own. */
function edgeAt(x: number, left: number, right: number): -1 | 0 | 1 {
  if (right - left < EDGE * 3) return 0;
  return Math.abs(x - left) < EDGE ? -1 : Math.abs(x - right) < EDGE ? 1 : 0;
}

/** How many ran at a time, as an area. */
function areaOf(runs: readonly Execution[], scale: TimeScale, now: number): string {
  const columns = Math.max(1, Math.ceil(scale.width / COLUMN));
  const steps = new Array<number>(columns + 1).fill(0);
  const column = (at: number) => Math.min(columns - 1, Math.max(0, Math.floor(xOf(scale, at) / COLUMN)));
  for (const { startedAt, endedAt } of runs) {
    steps[column(startedAt)] = (steps[column(startedAt)] as number) + 1;
    const after = column(endedAt ?? now) + 1;
    steps[after] = (steps[after] as number) - 1;
  }
  let running = 0;
  const heights = steps.slice(0, columns).map((step) => {
    running += step;
    return running;
  });
  const most = Math.max(1, ...heights);
  const y = (height: number) => Math.round(HEIGHT - (height / most) * (HEIGHT - 4));
  return `M0 ${HEIGHT}${heights.map((height, at) => `L${at * COLUMN} ${y(height)}h${COLUMN}`).join("")}V${HEIGHT}z`;
}
