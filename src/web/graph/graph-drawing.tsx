/** The drawn graph: nodes and edges in reach, the longest chain, and what holds up the task one looks at. */
import { useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter-preact";
import { useRoom } from "../room/room.tsx";
import { plural } from "../ui/format.ts";
import { taskPath } from "../ui/task-link.tsx";
import { longestChain, upstreamOf } from "./chains.ts";
import { GraphLines } from "./graph-lines.tsx";
import { GraphNodeLink } from "./graph-node.tsx";
import { NODE_HEIGHT, NODE_WIDTH } from "./layout/dag.ts";
import { type GraphNode, openEdgesOf } from "./shape.ts";
import type { LiveGraph } from "./use-graph.ts";
import { type Placed, useLayout } from "./use-layout.ts";
import { usePanZoom } from "./use-pan-zoom.ts";
import { nodesIn, revealing } from "./viewport.ts";
import { stepFrom } from "./walk.ts";
import { Why } from "./why.tsx";

const DRAWN_MAX = 400;
const KEY_PAN = 80;

export function GraphDrawing({ graph, start }: { graph: LiveGraph; start: number | null }) {
  const placed = useLayout(graph.shape);
  const known = useRef(new Map<string, GraphNode>());
  // What is placed may be an older shape than what was read: a newer one is still being laid out.
  const nodes = useMemo(() => {
    for (const node of graph.nodes) known.current.set(node.id, node);
    return placed?.shape.ids.map((id) => known.current.get(id) as GraphNode) ?? [];
  }, [graph.nodes, placed]);
  if (placed === null)
    return (
      <p className="waiting soft" role="status">
        Laying it out …
      </p>
    );
  return <Drawing placed={placed} nodes={nodes} start={start} />;
}

interface DrawingProps {
  placed: Placed;
  nodes: readonly GraphNode[];
  /** The number of the task to begin at. */
  start: number | null;
}

function Drawing({ placed, nodes, start }: DrawingProps) {
  const { id } = useRoom();
  const [, navigate] = useLocation();
  const { shape, layout } = placed;
  const pan = usePanZoom(layout);
  const { frame, layer, box, far, change } = pan;
  const [most, setMost] = useState(DRAWN_MAX);
  const edges = useMemo(() => openEdgesOf(shape, nodes), [shape, nodes]);
  const chain = useMemo(() => longestChain(edges), [edges]);
  const [currentId, setCurrent] = useState<string | null>(null);
  const first = start === null ? (chain[0] ?? 0) : Math.max(0, shape.numbers.indexOf(start));
  const current = Math.max(currentId === null ? first : shape.ids.indexOf(currentId), 0);
  const [looked, setLooked] = useState<number | null>(null);
  const wantsFocus = useRef(false);

  const shown = useMemo(() => nodesIn(layout, box, most), [layout, box, most]);
  const full = shown.full.includes(current) ? shown.full : [...shown.full, current];
  const upstream = useMemo(() => (looked === null ? null : upstreamOf(edges, looked)), [edges, looked]);
  const litEdges = useMemo(() => {
    if (upstream === null || looked === null) return null;
    const reached = (node: number) => node === looked || upstream.nodes.has(node);
    return new Set(
      shape.edges.flatMap(([from, to], edge) =>
        edges.open[edge] && reached(from) && reached(to) ? [edge] : [],
      ),
    );
  }, [shape, edges, upstream, looked]);
  const chained = useMemo(() => new Set(chain), [chain]);

  const reveal = (node: number) =>
    change((view, room) => revealing(view, layout.x[node] as number, layout.y[node] as number, room));
  const goTo = (node: number) => {
    setCurrent(shape.ids[node] as string);
    setLooked(node);
    reveal(node);
    // Where it is not drawn yet it is now, and gets the focus then.
    wantsFocus.current = !focus(node);
  };
  const focus = (node: number): boolean => {
    const link = frame.current?.querySelector<HTMLElement>(`[data-node="${node}"]`);
    link?.focus({ preventScroll: true });
    return link !== null && link !== undefined;
  };
  useEffect(() => change((view) => view), [layout]);
  useEffect(() => {
    if (start !== null) reveal(first);
  }, [start]);
  useEffect(() => {
    if (wantsFocus.current && focus(current)) wantsFocus.current = false;
  });

  const press = (event: React.KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const node = nodeOf(event.target);
    const arrow = ARROWS[event.key];
    if (arrow !== undefined && event.shiftKey)
      change((view) => ({ ...view, x: view.x - arrow[0] * KEY_PAN, y: view.y - arrow[1] * KEY_PAN }));
    else if (arrow !== undefined && node !== null) {
      const next = stepFrom(placed, node, arrow);
      if (next !== null) goTo(next);
    } else if (event.key === "+" || event.key === "=") pan.zoom(1.25);
    else if (event.key === "-") pan.zoom(0.8);
    else if (event.key === "0") pan.fit();
    else if (event.key === "Enter" && node !== null && event.target instanceof HTMLAnchorElement)
      navigate(taskPath(id, shape.numbers[node] as number));
    else return;
    event.preventDefault();
  };

  return (
    <section
      className="graph-frame"
      ref={frame}
      aria-label="Tasks and what they wait for"
      aria-describedby="graph-keys"
      data-looking={looked === null ? undefined : ""}
      data-far={far ? "" : undefined}
      onKeyDown={press}
      onPointerOver={(event) => setLooked(nodeOf(event.target))}
      onPointerLeave={() => setLooked(null)}
      onFocusCapture={(event) => {
        const node = nodeOf(event.target);
        setLooked(node);
        if (node === null) return;
        setCurrent(shape.ids[node] as string);
        reveal(node);
      }}
      onBlurCapture={() => setLooked(null)}
    >
      <p id="graph-keys" className="visually-hidden">
        Left and right go to what a task waits for and to what waits for it, up and down along its rank; Enter
        opens it. Plus, minus and 0 zoom, Shift with an arrow moves.
      </p>
      <div className="graph-layer" ref={layer} style={{ width: layout.width, height: layout.height }}>
        <GraphLines placed={placed} box={box} open={edges.open} chain={chain} lit={litEdges} />
        {shown.rest.length > 0 && (
          <svg className="graph-outlines" width={layout.width} height={layout.height} aria-hidden="true">
            <path
              d={shown.rest
                .map((node) => outline(layout.x[node] as number, layout.y[node] as number))
                .join("")}
            />
          </svg>
        )}
        {full.map((at) => {
          const node = nodes[at];
          if (node === undefined) return null;
          return (
            <GraphNodeLink
              key={node.id}
              node={node}
              at={at}
              x={layout.x[at] as number}
              y={layout.y[at] as number}
              waits={edges.before[at]?.length ?? 0}
              current={at === current}
              inChain={chained.has(at)}
              lit={looked !== null && (at === looked || upstream?.nodes.has(at) === true)}
            />
          );
        })}
      </div>
      <Why nodes={nodes} edges={edges} looked={looked} upstream={upstream} chain={chain} onGoTo={goTo} />
      <div className="graph-zoom">
        {shown.rest.length > 0 && (
          <button type="button" className="button" onClick={() => setMost(most + DRAWN_MAX)}>
            Draw {plural(Math.min(DRAWN_MAX, shown.rest.length), "outline")} in full
          </button>
        )}
        <button type="button" className="button" aria-label="Zoom out" onClick={() => pan.zoom(0.8)}>
          −
        </button>
        <button type="button" className="button" aria-label="Zoom in" onClick={() => pan.zoom(1.25)}>
          +
        </button>
        <button type="button" className="button" onClick={() => pan.fit()}>
          Fit
        </button>
      </div>
    </section>
  );
}

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function nodeOf(target: EventTarget | null): number | null {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-node]") : null;
  return element === null ? null : Number(element.dataset["node"]);
}

const outline = (x: number, y: number) => `M${x} ${y}h${NODE_WIDTH}v${NODE_HEIGHT}h${-NODE_WIDTH}z`;
