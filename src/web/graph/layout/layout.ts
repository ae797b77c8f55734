/** Lays a graph out in ranks from left to right. The same graph gets the same places, wherever and whenever. */
import { type Dag, type Layout, NODE_HEIGHT, NODE_WIDTH, RANK_GAP } from "./dag.ts";
import { layersOf } from "./layers.ts";
import { partsOf, shelved } from "./parts.ts";
import { ranksOf } from "./ranks.ts";
import { rowsOf } from "./rows.ts";

export function layOut(dag: Dag): Layout {
  const parts = partsOf(dag).map((nodes) => ({ nodes, edges: [] as number[] }));
  const partOf = new Map(parts.flatMap((part) => part.nodes.map((node) => [node, part] as const)));
  for (const [index, [from]] of dag.edges.entries()) partOf.get(from)?.edges.push(index);
  const drawn = parts.map((part) => ({ ...part, layout: layOutPart(dag, part.nodes, part.edges) }));
  const places = shelved(drawn.map(({ layout }) => layout));
  const all: Layout = { x: [], y: [], lines: [], width: 0, height: 0 };
  for (const [at, { nodes, edges, layout }] of drawn.entries()) {
    const { x, y } = places[at] as { x: number; y: number };
    for (const [index, node] of nodes.entries()) {
      all.x[node] = x + (layout.x[index] as number);
      all.y[node] = y + (layout.y[index] as number);
    }
    for (const [index, edge] of edges.entries())
      all.lines[edge] = (layout.lines[index] as number[]).map((value, i) => value + (i % 2 === 0 ? x : y));
    all.width = Math.max(all.width, x + layout.width);
    all.height = Math.max(all.height, y + layout.height);
  }
  return all;
}

const rankX = (rank: number) => rank * (NODE_WIDTH + RANK_GAP);

/** One part by itself, from its own upper left corner. */
function layOutPart(dag: Dag, nodes: readonly number[], edgeIndexes: readonly number[]): Layout {
  const own = new Map(nodes.map((node, index) => [node, index]));
  const edges = edgeIndexes.map((index) => {
    const [from, to] = dag.edges[index] as readonly [number, number];
    return [own.get(from) as number, own.get(to) as number] as const;
  });
  const part: Dag = { count: nodes.length, edges };
  const absolute = ranksOf(part);
  const first = Math.min(...absolute);
  const ranks = absolute.map((rank) => rank - first);
  const layers = layersOf(part, ranks);
  const middle = rowsOf(layers, part.count);
  const lines = edges.map(([from, to], edge) => {
    const start = ranks[from] as number;
    const line = [rankX(start) + NODE_WIDTH, middle[from] as number];
    for (const [step, cell] of (layers.passing[edge] as number[]).entries()) {
      const x = rankX(start + 1 + step);
      line.push(x, middle[cell] as number, x + NODE_WIDTH, middle[cell] as number);
    }
    line.push(rankX(ranks[to] as number), middle[to] as number);
    return line;
  });
  return {
    x: ranks.map(rankX),
    y: ranks.map((_, node) => (middle[node] as number) - NODE_HEIGHT / 2),
    lines,
    width: rankX(Math.max(...ranks)) + NODE_WIDTH,
    height: Math.max(...middle.slice(0, part.count)) + NODE_HEIGHT / 2,
  };
}
