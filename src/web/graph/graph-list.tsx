/** The same graph as nested lists, for whoever would rather read it, or hears it read. */
import { useMemo, useState } from "react";
import { plural } from "../ui/format.ts";
import { Status } from "../ui/status.tsx";
import { TaskLink } from "../ui/task-link.tsx";
import { type Outline, outlineOf } from "./outline.ts";
import { type GraphNode, openEdgesOf } from "./shape.ts";
import type { LiveGraph } from "./use-graph.ts";

/** More than this is not opened by itself. */
const OPENED_MAX = 150;
const ROOTS_STEP = 100;

interface Lists {
  graph: LiveGraph;
  outline: Outline;
  waitsFor: readonly (readonly number[])[];
  isOpen: (node: number) => boolean;
  turn: (node: number, open: boolean) => void;
}

export function GraphList({ graph }: { graph: LiveGraph }) {
  const { shape, nodes } = graph;
  const outline = useMemo(() => outlineOf(shape), [shape]);
  const waitsFor = useMemo(() => openEdgesOf(shape, nodes).before, [shape, nodes]);
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [roots, setRoots] = useState(ROOTS_STEP);
  const idOf = (node: number) => shape.ids[node] as string;
  const lists: Lists = {
    graph,
    outline,
    waitsFor,
    isOpen: (node) => turned.get(idOf(node)) ?? shape.count <= OPENED_MAX,
    turn: (node, open) => setTurned((last) => new Map(last).set(idOf(node), open)),
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links and buttons within it have the focus
    <div className="graph-list" onKeyDown={walk}>
      <p className="soft">Below each task stands what waits for it.</p>
      <Items lists={lists} nodes={outline.roots.slice(0, roots)} under={null} />
      {outline.roots.length > roots && (
        <button type="button" className="button" onClick={() => setRoots(roots + ROOTS_STEP)}>
          Show {plural(Math.min(ROOTS_STEP, outline.roots.length - roots), "more task", "more tasks")}
        </button>
      )}
    </div>
  );
}

function Items({ lists, nodes, under }: { lists: Lists; nodes: readonly number[]; under: number | null }) {
  return (
    <ul>
      {nodes.map((node) => (
        <Item key={node} lists={lists} at={node} under={under} />
      ))}
    </ul>
  );
}

function Item({ lists, at, under }: { lists: Lists; at: number; under: number | null }) {
  const { graph, outline, waitsFor, isOpen, turn } = lists;
  const node = graph.nodes[at] as GraphNode;
  const below = graph.shape.after[at] as readonly number[];
  const home = outline.home[at] ?? null;
  const elsewhere = home !== under;
  const foldable = below.length > 0 && !elsewhere;
  const open = foldable && isOpen(at);
  const name = (other: number) => `n${graph.shape.numbers[other]}`;
  const waits = (waitsFor[at] as readonly number[]).filter((other) => other !== under);
  return (
    <li>
      <div className="graph-item" data-number={node.number}>
        {foldable ? (
          <button
            type="button"
            className="graph-fold"
            aria-expanded={open}
            aria-label={`What waits for n${node.number}`}
            onClick={() => turn(at, !open)}
          />
        ) : (
          <span className="graph-fold" />
        )}
        <Status status={node.status} bare />
        <TaskLink task={{ number: node.number, title: node.title }} />
        <span className="graph-item-more soft">
          {elsewhere && home !== null && below.length > 0
            ? `what waits for it stands below ${name(home)}`
            : waits.length > 0 && `${under === null ? "" : "also "}waits for ${waits.map(name).join(", ")}`}
        </span>
      </div>
      {open && <Items lists={lists} nodes={below} under={at} />}
    </li>
  );
}

/** Up and down along what is shown; right unfolds or goes on, left folds or goes back. */
function walk(event: React.KeyboardEvent<HTMLElement>): void {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>(".graph-item") : null;
  if (row === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const fold = row.querySelector<HTMLButtonElement>("button.graph-fold");
  const open = fold?.getAttribute("aria-expanded") === "true";
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(".graph-item")];
  const beside = (by: number) => rows[rows.indexOf(row) + by];
  let next: HTMLElement | null | undefined;
  if (event.key === "ArrowDown") next = beside(1);
  else if (event.key === "ArrowUp") next = beside(-1);
  else if (event.key === "ArrowRight" && open) next = beside(1);
  else if (event.key === "ArrowLeft" && !open)
    next = row.parentElement?.parentElement?.closest("li")?.querySelector<HTMLElement>(".graph-item");
  else if (event.key === "ArrowRight" || event.key === "ArrowLeft") fold?.click();
  else return;
  event.preventDefault();
  next?.querySelector<HTMLElement>("a")?.focus();
}
