/** Which tasks of the board are drawn, and how. It stands in the address. */
import { GRAPH_DEPTH, GRAPH_DEPTH_MAX, GRAPH_NODES_MAX } from "../../contract/limits.ts";
import { isTerminal, TASK_STATUSES } from "../../rules/status.ts";

export interface Choice {
  /** What is not done yet, everything, or what lies around a task. */
  show: "open" | "all" | "around";
  /** `n12`; empty unless `show` is `around`. */
  around: string;
  depth: number;
  as: "graph" | "list";
}

export function readChoice(params: URLSearchParams): Choice {
  const around = params.get("around")?.trim() ?? "";
  const depth = Number(params.get("depth"));
  return {
    show: around !== "" ? "around" : params.get("show") === "all" ? "all" : "open",
    around,
    depth: Number.isInteger(depth) && depth >= 1 && depth <= GRAPH_DEPTH_MAX ? depth : GRAPH_DEPTH,
    as: params.get("as") === "list" ? "list" : "graph",
  };
}

export function writeChoice({ show, around, depth, as }: Choice): URLSearchParams {
  const params = new URLSearchParams();
  if (show === "all") params.set("show", "all");
  if (show === "around") params.set("around", around);
  if (show === "around" && depth !== GRAPH_DEPTH) params.set("depth", String(depth));
  if (as === "list") params.set("as", "list");
  return params;
}

const OPEN = TASK_STATUSES.filter((status) => !isTerminal(status));

export function queryOf({ show, around, depth }: Choice) {
  if (show === "around") return { around, depth, limit: GRAPH_NODES_MAX };
  return show === "all" ? { limit: GRAPH_NODES_MAX } : { status: OPEN, limit: GRAPH_NODES_MAX };
}

/** Graph or list, it is the same that is read. */
export function nameOf(choice: Choice): string {
  return `graph:${writeChoice({ ...choice, as: "graph" })}`;
}
