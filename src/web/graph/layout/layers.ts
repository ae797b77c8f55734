/** The ranks of one part of the graph, each in an order that crosses few edges: sweeps by barycentres. */
import { type Dag, PASSING_MAX } from "./dag.ts";

const SWEEPS = 8;

export interface Layers {
  /** Of each rank its cells from above to below. */
  ranks: number[][];
  /** Cells on the rank before and after that a cell is joined to. Those from `dag.count` on are passing edges. */
  before: number[][];
  after: number[][];
  /** Of each edge the cells it passes through. */
  passing: number[][];
}

export function layersOf(dag: Dag, ranks: readonly number[]): Layers {
  const layers = joined(dag, ranks);
  let best = layers.ranks.map((rank) => [...rank]);
  let fewest = crossings(layers, best);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    sweepOnce(layers, sweep % 2 === 0);
    const now = crossings(layers, layers.ranks);
    if (now >= fewest) continue;
    fewest = now;
    best = layers.ranks.map((rank) => [...rank]);
  }
  return { ...layers, ranks: best };
}

/** Every edge in steps of one rank, by cells that it passes through. */
function joined({ count, edges }: Dag, rankOf: readonly number[]): Layers {
  const ranks: number[][] = [];
  const before: number[][] = [];
  const after: number[][] = [];
  let cells = 0;
  const add = (rank: number) => {
    while (ranks.length <= rank) ranks.push([]);
    ranks[rank]?.push(cells);
    before.push([]);
    after.push([]);
    return cells++;
  };
  for (let node = 0; node < count; node++) add(rankOf[node] as number);
  const passing = edges.map(([from, to]) => {
    const [start, end] = [rankOf[from] as number, rankOf[to] as number];
    const through: number[] = [];
    if (end <= start) return through;
    if (end - start <= PASSING_MAX) for (let rank = start + 1; rank < end; rank++) through.push(add(rank));
    else return through;
    const chain = [from, ...through, to];
    for (let at = 1; at < chain.length; at++) {
      after[chain[at - 1] as number]?.push(chain[at] as number);
      before[chain[at] as number]?.push(chain[at - 1] as number);
    }
    return through;
  });
  return { ranks, before, after, passing };
}

/** Sorts each rank by where its neighbours on the rank before (or after) stand on average. */
function sweepOnce({ ranks, before, after }: Layers, forwards: boolean): void {
  const beside = forwards ? before : after;
  const place: number[] = [];
  const note = (rank: readonly number[]) => {
    for (const [at, cell] of rank.entries()) place[cell] = at;
  };
  const order = forwards ? ranks : [...ranks].reverse();
  for (const [at, rank] of order.entries()) {
    note(rank);
    if (at > 0) {
      const wanted = new Map(rank.map((cell) => [cell, mean(beside[cell] as number[], place)]));
      const own = (cell: number) => wanted.get(cell) ?? (place[cell] as number);
      rank.sort((a, b) => own(a) - own(b) || (place[a] as number) - (place[b] as number));
      note(rank);
    }
  }
}

function mean(cells: readonly number[], place: readonly number[]): number | null {
  if (cells.length === 0) return null;
  return cells.reduce((sum, cell) => sum + (place[cell] as number), 0) / cells.length;
}

/** Pairs of edges that cross, counted with a tree of sums as one goes through each rank from above. */
export function crossings({ after }: Pick<Layers, "after">, ranks: readonly number[][]): number {
  let crossed = 0;
  for (let at = 0; at + 1 < ranks.length; at++) {
    const right = ranks[at + 1] as number[];
    const place = new Map(right.map((cell, index) => [cell, index]));
    const sums = new Array<number>(right.length + 1).fill(0);
    let seen = 0;
    for (const cell of ranks[at] as number[]) {
      const ends = (after[cell] as number[]).map((to) => place.get(to) as number);
      for (const end of ends) {
        let notBelow = 0;
        for (let i = end + 1; i > 0; i -= i & -i) notBelow += sums[i] as number;
        crossed += seen - notBelow;
      }
      for (const end of ends)
        for (let i = end + 1; i < sums.length; i += i & -i) sums[i] = (sums[i] as number) + 1;
      seen += ends.length;
    }
  }
  return crossed;
}
