/** How the runs are shown. It stands in the address. */
export interface Choice {
  by: "agent" | "task";
  as: "timeline" | "table";
  /** Whether times in which nothing ran are drawn short. */
  idle: "short" | "long";
}

export function readChoice(params: URLSearchParams): Choice {
  return {
    by: params.get("by") === "task" ? "task" : "agent",
    as: params.get("as") === "table" ? "table" : "timeline",
    idle: params.get("idle") === "long" ? "long" : "short",
  };
}

export function writeChoice({ by, as, idle }: Choice): URLSearchParams {
  const params = new URLSearchParams();
  if (by !== "agent") params.set("by", by);
  if (as !== "timeline") params.set("as", as);
  if (idle !== "short") params.set("idle", idle);
  return params;
}
