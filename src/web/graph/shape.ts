/** The graph that was read, made ready to be drawn: its shape, which stays while statuses change, and its nodes. */
import type { Graph } from "../../contract/insight.ts";
import type { OnCancel } from "../../contract/task.ts";
import { isEdgeSatisfied } from "../../rules/readiness.ts";
import { isTerminal } from "../../rules/status.ts";
import type { OpenEdges } from "./chains.ts";
import type { Dag } from "./layout/dag.ts";

export type GraphNode = Graph["nodes"][number];

/** Nodes by their numbers, and edges between their places in this order. */
export interface Shape extends Dag {
  /** The same text for the same shape. */
  key: string;
  ids: readonly string[];
  numbers: readonly number[];
  onCancel: readonly OnCancel[];
  /** What each node waits for, and what waits for it. */
  before: readonly (readonly number[])[];
  after: readonly (readonly number[])[];
}

export function shapeOf({ nodes, edges }: Graph): Shape {
  const order = [...nodes].sort((a, b) => a.number - b.number);
  const place = new Map(order.map(({ id }, at) => [id, at]));
  const sorted = edges
    .map(({ from, to, onCancel }) => ({ from: at(place, from), to: at(place, to), onCancel }))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  const before: number[][] = order.map(() => []);
  const after: number[][] = order.map(() => []);
  for (const { from, to } of sorted) {
    before[to]?.push(from);
    after[from]?.push(to);
  }
  return {
    key: [order.map(({ id }) => id).join(), sorted.map(Object.values).join(";")].join("\n"),
    count: order.length,
    ids: order.map(({ id }) => id),
    numbers: order.map(({ number }) => number),
    edges: sorted.map(({ from, to }) => [from, to] as const),
    onCancel: sorted.map(({ onCancel }) => onCancel),
    before,
    after,
  };
}

const at = (place: ReadonlyMap<string, number>, id: string) => place.get(id) as number;

/** The edges that still hold something up, as the nodes stand now. */
export function openEdgesOf(shape: Shape, nodes: readonly GraphNode[]): OpenEdges & { open: boolean[] } {
  const before: number[][] = nodes.map(() => []);
  const after: number[][] = nodes.map(() => []);
  const open = shape.edges.map(([from, to], edge) => {
    const [blocker, waiting] = [nodes[from] as GraphNode, nodes[to] as GraphNode];
    const satisfied = isEdgeSatisfied(blocker.status, shape.onCancel[edge] as OnCancel);
    if (satisfied || isTerminal(waiting.status)) return false;
    before[to]?.push(from);
    after[from]?.push(to);
    return true;
  });
  return { before, after, open };
}
