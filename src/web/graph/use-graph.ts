/**
 * The graph as it stands: read once, its statuses kept up by events, read anew where its shape changes. What gets done
 * meanwhile stays where it is until then, so that nothing jumps away from under somebody's eyes.
 */
import { useCallback, useMemo, useState } from "react";
import type { BoardEvent } from "../../contract/events.ts";
import { type Resource, useResource } from "../room/resource.ts";
import { useEvents, useRoom } from "../room/room.tsx";
import { type Choice, nameOf, queryOf } from "./choice.ts";
import { type Patch, patched, patchOf, reshapes } from "./patches.ts";
import { type GraphNode, type Shape, shapeOf } from "./shape.ts";

export interface LiveGraph {
  shape: Shape;
  /** In the shape's order. A node is the same object until something about it changes. */
  nodes: readonly GraphNode[];
  truncated: boolean;
}

export function useGraph(choice: Choice): Resource<LiveGraph> {
  const { board } = useRoom();
  const read = useResource(nameOf(choice), (signal) => board.graph(queryOf(choice), { signal }), reshapes);
  const [patches, setPatches] = useState<ReadonlyMap<string, Patch>>(NONE);
  const hear = useCallback((events: readonly BoardEvent[]) => {
    const fresh = events.flatMap((event) => {
      const patch = patchOf(event);
      return patch === null || event.taskId === null ? [] : [[event.taskId, patch] as const];
    });
    if (fresh.length > 0) setPatches((last) => new Map([...last, ...fresh]));
  }, []);
  useEvents(hear);
  const { value } = read;
  const base = useMemo(() => {
    if (value === null) return null;
    return { nodes: [...value.nodes].sort((a, b) => a.number - b.number), shape: shapeOf(value) };
  }, [value]);
  const shape = useSame(base?.shape ?? null);
  const drawn = useMemo(() => new Map<string, { patch: Patch; from: GraphNode; node: GraphNode }>(), []);
  const graph = useMemo(() => {
    if (base === null || shape === null || value === null) return null;
    const nodes = base.nodes.map((from) => {
      const patch = patches.get(from.id);
      if (patch === undefined || patch.seq <= value.seq) return from;
      const last = drawn.get(from.id);
      if (last?.patch === patch && last.from === from) return last.node;
      const node = patched(from, patch);
      drawn.set(from.id, { patch, from, node });
      return node;
    });
    return { shape, nodes, truncated: value.truncated };
  }, [base, shape, value, patches, drawn]);
  return { ...read, value: graph };
}

const NONE: ReadonlyMap<string, Patch> = new Map();

/** The first of equal shapes, so that what was laid out for it stands. */
function useSame(shape: Shape | null): Shape | null {
  const [kept, setKept] = useState(shape);
  const same = kept?.key === shape?.key ? kept : shape;
  if (same !== kept) setKept(same);
  return same;
}
