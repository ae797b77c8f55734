/** Lays out beside the page, so that a large graph holds nothing up. */
import type { Dag, Layout } from "./dag.ts";
import { layOut } from "./layout.ts";

export interface Asked {
  /** Which question this is; its answer says so too. */
  round: number;
  dag: Dag;
}

export interface Answered {
  round: number;
  layout: Layout;
}

addEventListener("message", ({ data: { round, dag } }: MessageEvent<Asked>) => {
  const answer: Answered = { round, layout: layOut(dag) };
  postMessage(answer);
});
