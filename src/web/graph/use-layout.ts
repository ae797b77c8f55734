/** The places of a shape, from the worker. Until those of another shape are there, the last ones are shown. */
import { useEffect, useRef, useState } from "react";
import type { Layout } from "./layout/dag.ts";
import type { Answered, Asked } from "./layout/layout.worker.ts";
import type { Shape } from "./shape.ts";

export interface Placed {
  shape: Shape;
  layout: Layout;
}

export function useLayout(shape: Shape): Placed | null {
  const [placed, setPlaced] = useState<Placed | null>(null);
  const worker = useRef<Worker | null>(null);
  const asked = useRef<{ round: number; shape: Shape } | null>(null);
  useEffect(() => {
    const own = new Worker(new URL("./layout/layout.worker.ts", import.meta.url), { type: "module" });
    worker.current = own;
    own.onmessage = ({ data: { round, layout } }: MessageEvent<Answered>) => {
      if (round === asked.current?.round) setPlaced({ shape: asked.current.shape, layout });
    };
    return () => own.terminate();
  }, []);
  useEffect(() => {
    asked.current = { round: (asked.current?.round ?? 0) + 1, shape };
    const { count, edges } = shape;
    worker.current?.postMessage({ round: asked.current.round, dag: { count, edges } } satisfies Asked);
  }, [shape]);
  return placed;
}
