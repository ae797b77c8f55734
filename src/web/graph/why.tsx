/** One line under the graph: why the task one looks at has to wait, or else how long the longest chain is. */
import { plural } from "../ui/format.ts";
import { STATUS_NAMES } from "../ui/status.tsx";
import type { OpenEdges, Upstream } from "./chains.ts";
import { waitingText } from "./graph-node.tsx";
import type { GraphNode } from "./shape.ts";

const NAMED = 3;

interface WhyProps {
  nodes: readonly GraphNode[];
  edges: OpenEdges;
  looked: number | null;
  upstream: Upstream | null;
  chain: readonly number[];
  onGoTo: (node: number) => void;
}

export function Why({ nodes, edges, looked, upstream, chain, onGoTo }: WhyProps) {
  const node = looked === null ? undefined : nodes[looked];
  if (node !== undefined && looked !== null && upstream !== null) {
    const waiting = edges.after[looked]?.length ?? 0;
    return (
      <div className="graph-why">
        <b>n{node.number}</b> {waitingText(upstream.nodes.size, waiting)}.
        {upstream.first.length > 0 && (
          <>
            {" First: "}
            {upstream.first.slice(0, NAMED).map((at, index) => (
              <span key={at}>
                {index > 0 && ", "}
                <Named node={nodes[at]} />
              </span>
            ))}
            {upstream.first.length > NAMED && ` and ${plural(upstream.first.length - NAMED, "other")}`}
          </>
        )}
      </div>
    );
  }
  if (chain.length === 0) return null;
  const [begin, end] = [chain[0] as number, chain.at(-1) as number];
  return (
    <div className="graph-why">
      <span className="graph-chain-mark" aria-hidden="true" />
      Longest chain of open work: {plural(chain.length, "task")},{" "}
      <button type="button" className="graph-goto" onClick={() => onGoTo(begin)}>
        n{nodes[begin]?.number}
      </button>{" "}
      to{" "}
      <button type="button" className="graph-goto" onClick={() => onGoTo(end)}>
        n{nodes[end]?.number}
      </button>
    </div>
  );
}

function Named({ node }: { node: GraphNode | undefined }) {
  if (node === undefined) return null;
  return (
    <>
      n{node.number} <bdi className="foreign">{node.title.slice(0, 60)}</bdi> (
      {STATUS_NAMES[node.status].toLowerCase()}
      {node.holder === undefined ? "" : `, ${node.holder.agentId}`})
    </>
  );
}
