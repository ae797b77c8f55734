/** One task in the graph: a link with its status, its number, its title and what it waits for. */
import { memo } from "react";
import { Link } from "wouter-preact";
import { useRoom } from "../room/room.tsx";
import { plural } from "../ui/format.ts";
import { Status } from "../ui/status.tsx";
import { taskPath } from "../ui/task-link.tsx";
import type { GraphNode } from "./shape.ts";

interface GraphNodeProps {
  node: GraphNode;
  /** Its place in the shape. */
  at: number;
  x: number;
  y: number;
  /** Open tasks it waits for right away. */
  waits: number;
  /** Whether Tab gets to it: of all nodes one does, and arrows go on from there. */
  current: boolean;
  inChain: boolean;
  lit: boolean;
}

export const GraphNodeLink = memo(function GraphNodeLink(props: GraphNodeProps) {
  const { node, at, x, y, waits, current, inChain, lit } = props;
  const { id } = useRoom();
  return (
    <Link
      href={taskPath(id, node.number)}
      className="graph-node"
      draggable={false}
      tabIndex={current ? 0 : -1}
      data-node={at}
      data-status={node.status}
      data-chain={inChain || undefined}
      data-lit={lit || undefined}
      style={{ left: x, top: y }}
    >
      <span className="graph-node-top">
        <Status status={node.status} bare />
        <span className="graph-number">n{node.number}</span>
        <span className="graph-beside">{besides(node, waits)}</span>
      </span>
      <bdi className="graph-title foreign">{node.title}</bdi>
    </Link>
  );
});

function besides({ holder, ready, dropped }: GraphNode, waits: number): string {
  if (dropped) return "dropped";
  if (holder !== undefined)
    return holder.state === "live"
      ? holder.agentId
      : holder.state === "expired"
        ? "lease expired"
        : "no lease";
  if (waits > 0) return `waits for ${waits}`;
  return ready ? "ready" : "";
}

/** What a node says in one sentence, for the line below the graph and for lists. */
export function waitingText(waits: number, waiting: number): string {
  const before = waits === 0 ? "waits for nothing that is shown" : `waits for ${plural(waits, "open task")}`;
  return waiting === 0
    ? before
    : `${before}; ${plural(waiting, "task")} ${waiting === 1 ? "waits" : "wait"} for it`;
}
