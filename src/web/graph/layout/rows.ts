/** How far down each cell of a part stands: as near to its neighbours as the order of its rank lets it. */
import { NODE_HEIGHT, PASSING_HEIGHT, ROW_GAP } from "./dag.ts";
import type { Layers } from "./layers.ts";

const SWEEPS = 6;

/** The middle of each cell; the highest has its upper edge at 0. */
export function rowsOf({ ranks, before, after }: Layers, count: number): number[] {
  const height = (cell: number) => (cell < count ? NODE_HEIGHT : PASSING_HEIGHT);
  const middle: number[] = [];
  for (const rank of ranks) {
    let y = 0;
    for (const cell of rank) {
      middle[cell] = y + height(cell) / 2;
      y += height(cell) + ROW_GAP;
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forwards = sweep % 2 === 0;
    const last = sweep >= SWEEPS - 2;
    for (const rank of forwards ? ranks : [...ranks].reverse()) {
      const wanted = rank.map((cell) => {
        const [near, far] = [before[cell] as number[], after[cell] as number[]];
        const beside = last ? [...near, ...far] : forwards ? near : far;
        if (beside.length === 0) return middle[cell] as number;
        return beside.reduce((sum, one) => sum + (middle[one] as number), 0) / beside.length;
      });
      const placed = spaced(wanted, rank.map(height), ROW_GAP);
      for (const [at, cell] of rank.entries()) middle[cell] = placed[at] as number;
    }
  }
  const top = Math.min(...ranks.flat().map((cell) => (middle[cell] as number) - height(cell) / 2));
  return middle.map((y) => Math.round(y - top));
}

/**
 * The places nearest to those wanted (by least squares) at which nothing overlaps and the order stands: what presses
 * on its neighbour becomes one block with it, and the block goes to where its members want it on average.
 */
export function spaced(wanted: readonly number[], heights: readonly number[], gap: number): number[] {
  let offset = 0;
  const offsets = heights.map((height, at) => {
    if (at > 0) offset += ((heights[at - 1] as number) + height) / 2 + gap;
    return offset;
  });
  const blocks: { sum: number; size: number }[] = [];
  for (const [at, want] of wanted.entries()) {
    let block = { sum: want - (offsets[at] as number), size: 1 };
    for (let above = blocks.at(-1); above !== undefined; above = blocks.at(-1)) {
      if (above.sum / above.size <= block.sum / block.size) break;
      blocks.pop();
      block = { sum: above.sum + block.sum, size: above.size + block.size };
    }
    blocks.push(block);
  }
  const places = blocks.flatMap(({ sum, size }) => new Array<number>(size).fill(sum / size));
  return places.map((place, at) => place + (offsets[at] as number));
}
