/** The scale of the timeline and that of the strip over it. Both reach from the oldest run to a little after now. */
import { useMemo } from "react";
import type { Execution } from "../../contract/task.ts";
import { useBoard, useRoom } from "../room/room.tsx";
import { useTime } from "../ui/time.ts";
import { busySpans, perMsFor, type Span, type TimeScale, timeScale } from "./time-scale.ts";

/** However little happened, less than this is not shown. */
const WHOLE_MIN_MS = 60_000;
/** The end is moved on in steps of this share of what is shown, so that the scale stands still in between. */
const STEP = 1 / 16;

export interface Scales {
  scale: TimeScale;
  overview: TimeScale;
  busy: readonly Span[];
  whole: Span;
}

export function useScales(
  runs: readonly Execution[],
  shorten: boolean,
  perMs: number | null,
  width: number,
): Scales {
  const { store } = useRoom();
  const ttl = useBoard()?.settings.leaseTtlMs ?? 0;
  const oldest = runs.at(-1)?.startedAt ?? store.now();
  const anyRuns = runs.some(({ endedAt }) => endedAt === null);
  const shown = perMs === null ? null : width / perMs;
  const to = useTime((now) => {
    const at = now + store.skewMs;
    const step = Math.max(5_000, (shown ?? Math.max(WHOLE_MIN_MS, at - oldest)) * STEP);
    // Room for the lease's end of what runs, unless that is far away at this scale.
    const ahead = anyRuns ? Math.min(ttl, step) : 0;
    return Math.ceil((at + ahead) / step + 0.25) * step;
  });
  const busy = useMemo(
    () => busySpans(runs.map(({ startedAt, endedAt }) => ({ from: startedAt, to: endedAt ?? to }))),
    [runs, to],
  );
  return useMemo(() => {
    const length = Math.max(WHOLE_MIN_MS, to - oldest);
    const whole = { from: to - length - length * 0.01, to };
    const fit = perMsFor(busy, whole, shorten, whole, width);
    return {
      busy,
      whole,
      overview: timeScale(busy, whole, fit, shorten),
      scale: timeScale(busy, whole, perMs ?? fit, shorten),
    };
  }, [busy, to, oldest, shorten, perMs, width]);
}
