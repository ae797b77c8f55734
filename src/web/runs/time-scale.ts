/**
 * Where a moment stands on the timeline. Times in which nothing ran may be drawn short: then the scale is made of
 * pieces, and still every moment has one place and every place one moment.
 */

/** From when to when something ran. */
export interface Span {
  from: number;
  to: number;
}

export interface Piece extends Span {
  /** Where it begins and how wide it is, in pixels. */
  x: number;
  width: number;
  /** Nothing ran here, and it is drawn shorter than it was. */
  short: boolean;
}

export interface TimeScale {
  pieces: readonly Piece[];
  width: number;
  /** Pixels of a millisecond in which something ran. */
  perMs: number;
}

/** A time in which nothing ran is no wider than this when it is drawn short. */
export const SHORT_PX = 28;

/** The spans, joined where they touch, in order. */
export function busySpans(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.from - b.from);
  const busy: Span[] = [];
  for (const { from, to } of sorted) {
    const last = busy.at(-1);
    if (last === undefined || from > last.to) busy.push({ from, to });
    else last.to = Math.max(last.to, to);
  }
  return busy;
}

export function timeScale(busy: readonly Span[], whole: Span, perMs: number, shorten: boolean): TimeScale {
  const pieces: Piece[] = [];
  let x = 0;
  const add = (from: number, to: number, idle: boolean) => {
    if (to <= from) return;
    const own = (to - from) * perMs;
    const short = shorten && idle && own > SHORT_PX;
    const width = short ? SHORT_PX : own;
    const last = pieces.at(-1);
    if (!short && last !== undefined && !last.short) {
      last.to = to;
      last.width += width;
    } else pieces.push({ from, to, x, width, short });
    x += width;
  };
  let at = whole.from;
  for (const { from, to } of busy) {
    add(at, Math.min(from, whole.to), true);
    at = Math.max(at, Math.min(from, whole.to));
    add(at, Math.min(to, whole.to), false);
    at = Math.max(at, Math.min(to, whole.to));
  }
  add(at, whole.to, true);
  return { pieces, width: x, perMs };
}

/** The last piece that begins at or before a value. */
function pieceAt(pieces: readonly Piece[], value: number, of: "from" | "x"): Piece | undefined {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle] as Piece)[of] <= value) low = middle;
    else high = middle - 1;
  }
  return pieces[low];
}

export function xOf({ pieces, perMs }: TimeScale, at: number): number {
  const piece = pieceAt(pieces, at, "from");
  if (piece === undefined) return 0;
  const within = at >= piece.from && at <= piece.to;
  return piece.x + (at - piece.from) * (within ? piece.width / (piece.to - piece.from) : perMs);
}

export function timeOf({ pieces, perMs }: TimeScale, x: number): number {
  const piece = pieceAt(pieces, x, "x");
  if (piece === undefined) return 0;
  const within = x >= piece.x && x <= piece.x + piece.width;
  return piece.from + (x - piece.x) / (within ? piece.width / (piece.to - piece.from) : perMs);
}

/** The scale at which a span is so many pixels wide: halved in between, as pieces make it no straight line. */
export function perMsFor(
  busy: readonly Span[],
  whole: Span,
  shorten: boolean,
  { from, to }: Span,
  width: number,
): number {
  let [low, high] = [1e-12, 10];
  for (let round = 0; round < 50; round++) {
    const middle = Math.sqrt(low * high);
    const scale = timeScale(busy, whole, middle, shorten);
    if (xOf(scale, to) - xOf(scale, from) > width) high = middle;
    else low = middle;
  }
  return low;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 5, 15, 30].map((n) => n * SECOND),
  ...[1, 5, 15, 30].map((n) => n * MINUTE),
  ...[1, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((n) => n * DAY),
];
const TICK_PX = 96;

export interface Tick {
  at: number;
  x: number;
  /** It is the first one of its day that is shown. */
  newDay: boolean;
  /** Seconds between ticks, so whether the time is told with seconds. */
  step: number;
}

/** Round moments within a stretch of the timeline, none too near to the next. `offset`: local time less UTC, in ms. */
export function ticksIn(
  scale: TimeScale,
  left: number,
  right: number,
  offset: (at: number) => number,
): Tick[] {
  const step = STEPS.find((step) => step * scale.perMs >= TICK_PX) ?? (STEPS.at(-1) as number);
  const ticks: Tick[] = [];
  for (const piece of scale.pieces) {
    if (piece.short || piece.x > right || piece.x + piece.width < left) continue;
    const begin = Math.max(piece.from, timeOf(scale, Math.max(left, piece.x)));
    const shift = offset(begin);
    for (let at = Math.ceil((begin + shift) / step) * step - shift; at <= piece.to; at += step) {
      const x = xOf(scale, at);
      if (x > right) break;
      const last = ticks.at(-1);
      if (last !== undefined && x - last.x < TICK_PX * 0.75) continue;
      const day = (moment: number) => Math.floor((moment + offset(moment)) / DAY);
      ticks.push({ at, x, newDay: last === undefined || day(last.at) !== day(at), step });
    }
  }
  return ticks;
}
