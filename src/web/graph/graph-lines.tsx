/** The edges in reach, few paths for all of them; what is to stand out is drawn over the rest. */
import { memo } from "react";
import { headOf, pathOf } from "./lines.ts";
import type { Placed } from "./use-layout.ts";
import { type Box, touches } from "./viewport.ts";

interface GraphLinesProps {
  placed: Placed;
  box: Box;
  open: readonly boolean[];
  chain: readonly number[];
  /** The open edges upstream of what is looked at; null: nothing is. */
  lit: ReadonlySet<number> | null;
}

export const GraphLines = memo(function GraphLines({ placed, box, open, chain, lit }: GraphLinesProps) {
  const { shape, layout } = placed;
  const steps = new Set(chain.slice(1).map((to, at) => `${chain[at]} ${to}`));
  const groups: Record<"settled" | "open" | "chain" | "lit", string[]> = {
    settled: [],
    open: [],
    chain: [],
    lit: [],
  };
  const heads: typeof groups = { settled: [], open: [], chain: [], lit: [] };
  for (const [edge, line] of layout.lines.entries()) {
    if (!touches(line, box)) continue;
    const [from, to] = shape.edges[edge] as readonly [number, number];
    const kind = lit?.has(edge)
      ? "lit"
      : !open[edge]
        ? "settled"
        : steps.has(`${from} ${to}`)
          ? "chain"
          : "open";
    groups[kind].push(pathOf(line));
    heads[kind].push(headOf(line));
  }
  return (
    <svg className="graph-lines" width={layout.width} height={layout.height} aria-hidden="true">
      {(["settled", "open", "chain", "lit"] as const).map((kind) => (
        <g key={kind} data-kind={kind}>
          <path d={groups[kind].join("")} fill="none" />
          <path className="graph-heads" d={heads[kind].join("")} />
        </g>
      ))}
    </svg>
  );
});
