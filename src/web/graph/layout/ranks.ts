/** How far to the right each node stands: behind everything it waits for. */
import type { Dag } from "./dag.ts";

export function ranksOf({ count, edges }: Dag): number[] {
  const after: number[][] = Array.from({ length: count }, () => []);
  const waits = new Array<number>(count).fill(0);
  for (const [from, to] of edges) {
    after[from]?.push(to);
    waits[to] = (waits[to] as number) + 1;
  }
  const ranks = new Array<number>(count).fill(0);
  const settled = new Array<boolean>(count).fill(false);
  const queue = waits.flatMap((open, node) => (open === 0 ? [node] : []));
  let next = 0;
  for (let done = 0; done < count; done++) {
    // Damaged edges may form a ring: it is cut before its lowest number.
    if (done === queue.length) {
      while (settled[next] || queue.includes(next, done)) next++;
      queue.push(next);
    }
    const node = queue[done] as number;
    settled[node] = true;
    for (const to of after[node] as number[]) {
      if (settled[to]) continue;
      ranks[to] = Math.max(ranks[to] as number, (ranks[node] as number) + 1);
      waits[to] = (waits[to] as number) - 1;
      if (waits[to] === 0) queue.push(to);
    }
  }
  return tightened(ranks, edges);
}

/** What waits for nothing stands right before the first thing that waits for it, not at the far left. */
function tightened(ranks: number[], edges: Dag["edges"]): number[] {
  const nearest = new Array<number>(ranks.length).fill(Number.POSITIVE_INFINITY);
  const isSource = new Array<boolean>(ranks.length).fill(true);
  for (const [from, to] of edges) {
    isSource[to] = false;
    if ((ranks[to] as number) > (ranks[from] as number))
      nearest[from] = Math.min(nearest[from] as number, ranks[to] as number);
  }
  return ranks.map((rank, node) => {
    const first = nearest[node] as number;
    return isSource[node] && Number.isFinite(first) ? first - 1 : rank;
  });
}
