/** What of a row is drawn: its runs in view, and one bar for many where they are too narrow to be told apart. */
import type { Execution } from "../../contract/task.ts";
import { type TimeScale, xOf } from "./time-scale.ts";

export interface Bar {
  key: string;
  x: number;
  width: number;
  /** One, or all those it stands for. */
  runs: readonly Execution[];
}

export const BAR_MIN_PX = 4;

/**
 * Runs narrower than `within` that begin in the same stretch of so many pixels are drawn as one. The stretches stand
 * still on the timeline, so that nothing regroups while one scrolls. What still runs has no width yet.
 */
export function barsOf(
  runs: readonly Execution[],
  scale: TimeScale,
  left: number,
  right: number,
  within: number,
): Bar[] {
  const bars: { key: string; x: number; width: number; runs: Execution[] }[] = [];
  for (let at = firstFrom(runs, scale, left); at < runs.length; at++) {
    const run = runs[at] as Execution;
    const x = xOf(scale, run.startedAt);
    if (x > right) break;
    const width = Math.max(BAR_MIN_PX, endOf(run, scale) - x);
    const last = bars.at(-1);
    const together =
      last !== undefined &&
      width < within &&
      last.width < within &&
      Math.floor(x / within) === Math.floor(last.x / within);
    if (together) {
      last.width = Math.max(last.width, x + width - last.x);
      last.runs.push(run);
    } else bars.push({ key: run.id, x, width, runs: [run] });
  }
  return bars;
}

function endOf({ endedAt }: Execution, scale: TimeScale): number {
  return endedAt === null ? Number.POSITIVE_INFINITY : xOf(scale, endedAt);
}

/** The first run that ends at or after the left edge: they are in order, and none overlaps the next. */
function firstFrom(runs: readonly Execution[], scale: TimeScale, left: number): number {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endOf(runs[middle] as Execution, scale) + BAR_MIN_PX < left) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How near runs have to be to be drawn together, so that no more than so many bars are drawn. */
export function togetherWithin(count: (within: number) => number, most: number): number {
  let within = BAR_MIN_PX * 2;
  while (within < 512 && count(within) > most) within *= 2;
  return within;
}
