/** Where an arrow key goes from a node: along an edge, or along the rank. */
import type { Placed } from "./use-layout.ts";

/**
 * To the left what it waits for, to the right what waits for it: of several, the nearest. Up and down go along the
 * rank, so that all of them can be got to.
 */
export function stepFrom(
  { shape, layout }: Placed,
  node: number,
  [dx, dy]: readonly [number, number],
): number | null {
  const [x, y] = [layout.x[node] as number, layout.y[node] as number];
  const away = (other: number) => (layout.y[other] as number) - y;
  const candidates =
    dx !== 0
      ? (((dx < 0 ? shape.before : shape.after)[node] as readonly number[]) ?? [])
      : shape.ids.map((_, other) => other).filter((other) => layout.x[other] === x && away(other) * dy > 0);
  let best: number | null = null;
  for (const other of candidates)
    if (best === null || Math.abs(away(other)) < Math.abs(away(best))) best = other;
  return best;
}
