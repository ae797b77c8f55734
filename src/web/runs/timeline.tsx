/** The timeline: rows of runs over a scale of time, scrolled by the browser itself. Only what is in reach is drawn. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Execution } from "../../contract/task.ts";
import { plural } from "../ui/format.ts";
import { barsOf, togetherWithin } from "./bars.ts";
import { isPlainKey } from "./keys.ts";
import { type Row, reused, rowsOf } from "./lanes.ts";
import { Overview } from "./overview.tsx";
import { RangeBar } from "./range-bar.tsx";
import { RunRow } from "./run-row.tsx";
import { TimeAxis, TimeGrid } from "./time-axis.tsx";
import { perMsFor, xOf } from "./time-scale.ts";
import { useScales } from "./use-scales.ts";
import { ROW_PX, useTimelineScroll } from "./use-timeline-scroll.ts";

/** More bars than this are not drawn: narrow ones are drawn together instead. */
const BARS_MAX = 800;

interface TimelineProps {
  runs: readonly Execution[];
  by: "agent" | "task";
  shorten: boolean;
  hasMore: boolean;
  chosen: Execution | null;
  onChoose: (run: Execution) => void;
  onOlder: () => void;
}

export function Timeline({ runs, by, shorten, hasMore, chosen, onChoose, onOlder }: TimelineProps) {
  const rows = useRows(runs, by);
  const [perMs, setPerMs] = useState<number | null>(null);
  const room = useRef({ width: 800, height: 400 });
  const { scale, overview, busy, whole } = useScales(runs, shorten, perMs, room.current.width);
  const { frame, windowRef, reach, label, width, anchorAt, scrollTo, paintWindow } = useTimelineScroll({
    scale,
    overview,
    rows: rows.length,
    room,
    onNearOldest: () => hasMore && onOlder(),
  });
  const { left, right } = reach;
  // At first all that was read is shown; what is read later lies beyond the edge.
  useEffect(() => {
    if (perMs === null && width > 0) setPerMs(scale.perMs);
  }, [perMs, width, scale]);
  const shown = rows.slice(reach.firstRow, reach.lastRow);
  const within = useMemo(
    () =>
      togetherWithin(
        (within) => shown.reduce((sum, row) => sum + barsOf(row.runs, scale, left, right, within).length, 0),
        BARS_MAX,
      ),
    [shown, scale, left, right],
  );

  const zoom = (factor: number, px?: number) => {
    anchorAt(px);
    const least = perMsFor(busy, whole, shorten, whole, room.current.width);
    setPerMs(Math.min(MOST_PER_MS, Math.max(Math.min(least, scale.perMs), scale.perMs * factor)));
  };
  const show = (from: number, to: number) => {
    anchorAt(0, from);
    setPerMs(Math.min(MOST_PER_MS, perMsFor(busy, whole, shorten, { from, to }, room.current.width)));
  };
  const acts = useRef({ zoom, show });
  acts.current = { zoom, show };

  useEffect(() => {
    if (chosen === null) return;
    const row = rows.findIndex(({ runs }) => runs.some(({ id }) => id === chosen.id));
    if (row < 0) return;
    scrollTo(row, xOf(scale, chosen.startedAt), xOf(scale, chosen.endedAt ?? Date.now()));
  }, [chosen?.id, by]);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const over = new AbortController();
    const { signal } = over;
    element.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        const px = event.clientX - element.getBoundingClientRect().left - label;
        acts.current.zoom(Math.exp(-event.deltaY * 0.004), px);
      },
      { passive: false, signal },
    );
    addEventListener(
      "keydown",
      (event) => {
        if (!isPlainKey(event)) return;
        if (event.key === "+" || event.key === "=") acts.current.zoom(1.5);
        else if (event.key === "-") acts.current.zoom(1 / 1.5);
        else return;
        event.preventDefault();
      },
      { signal },
    );
    return () => over.abort();
  }, [frame, label]);

  const press = (event: React.MouseEvent<HTMLElement>) => {
    const bar = (event.target as Element).closest<HTMLElement>("[data-id], [data-from]");
    if (bar === null) return;
    const { id, from, to } = bar.dataset;
    const run = runs.find((one) => one.id === id);
    if (run !== undefined) onChoose(run);
    else if (from !== undefined) {
      const [begin, end] = [Number(from), Number(to)];
      const margin = Math.max(1_000, (end - begin) / 8);
      show(begin - margin, end + margin);
    }
  };
  useLayoutEffect(paintWindow, [overview]);

  return (
    <div className="runs-timeline" style={{ "--runs-label": `${label}px` }}>
      <RangeBar whole={whole} onShow={show} onZoom={zoom} />
      <Overview
        runs={runs}
        scale={overview}
        windowRef={windowRef}
        now={whole.to}
        onShow={({ from, to }, resized) => {
          if (resized) show(from, to);
          else scrollTo(null, xOf(scale, from), null);
        }}
      />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: J, K and Enter do the same, wherever the focus is */}
      <section
        className="runs-scroll"
        ref={frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        tabIndex={0}
        aria-label={`Timeline of ${plural(runs.length, "run")}`}
        onClick={press}
      >
        <div
          className="runs-canvas"
          style={{ width: label + scale.width, height: (rows.length + 1) * ROW_PX }}
        >
          <TimeAxis scale={scale} left={left} right={right} />
          <TimeGrid scale={scale} left={left} right={right} />
          {shown.map((row, index) => (
            <RunRow
              key={row.key}
              row={row}
              by={by}
              top={(reach.firstRow + index + 1) * ROW_PX}
              scale={scale}
              left={left}
              right={right}
              within={within}
              chosen={
                chosen !== null && row.lane === (by === "agent" ? chosen.agentId : chosen.taskId)
                  ? chosen.id
                  : null
              }
            />
          ))}
        </div>
      </section>
    </div>
  );
}

/** A second is no wider than this. */
const MOST_PER_MS = 0.2;

function useRows(runs: readonly Execution[], by: "agent" | "task"): readonly Row[] {
  const last = useRef<readonly Row[]>([]);
  return useMemo(() => {
    last.current = reused(last.current, rowsOf(runs, by));
    return last.current;
  }, [runs, by]);
}
