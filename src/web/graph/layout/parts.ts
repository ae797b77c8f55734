/** The parts of the graph that do not touch, and how they are put on shelves beside and below each other. */
import { type Dag, PART_GAP } from "./dag.ts";

/** The nodes of each part, in their order; the largest part first, then the one with the lowest number. */
export function partsOf({ count, edges }: Dag): number[][] {
  const root = Array.from({ length: count }, (_, node) => node);
  const find = (node: number): number => {
    let at = node;
    while (root[at] !== at) {
      root[at] = root[root[at] as number] as number;
      at = root[at] as number;
    }
    return at;
  };
  for (const [from, to] of edges) {
    const [a, b] = [find(from), find(to)];
    if (a !== b) root[Math.max(a, b)] = Math.min(a, b);
  }
  const parts = new Map<number, number[]>();
  for (let node = 0; node < count; node++) {
    const first = find(node);
    const part = parts.get(first);
    if (part === undefined) parts.set(first, [node]);
    else part.push(node);
  }
  return [...parts.values()].sort((a, b) => b.length - a.length || (a[0] as number) - (b[0] as number));
}

interface Size {
  width: number;
  height: number;
}

/** About as wide as a screen is, and never narrower than the widest part. */
export function shelved(sizes: readonly Size[]): { x: number; y: number }[] {
  const area = sizes.reduce((sum, { width, height }) => sum + (width + PART_GAP) * (height + PART_GAP), 0);
  const room = Math.max(...sizes.map(({ width }) => width), Math.sqrt(area * 1.8));
  let [x, y, tallest] = [0, 0, 0];
  return sizes.map(({ width, height }) => {
    if (x > 0 && x + width > room) {
      y += tallest + PART_GAP;
      [x, tallest] = [0, 0];
    }
    const place = { x, y };
    x += width + PART_GAP;
    tallest = Math.max(tallest, height);
    return place;
  });
}
