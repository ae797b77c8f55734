/** The rows of the timeline: a lane for each agent or task, with as many rows as it had runs at a time. */
import type { Execution } from "../../contract/task.ts";

export interface Row {
  key: string;
  /** The agent's or the task's id. */
  lane: string;
  /** The lane's first row, which has its name. */
  first: boolean;
  /** Oldest first; none overlaps the next. */
  runs: readonly Execution[];
}

/** Agents by their names; tasks by their newest run, so that older ones come below as they are read. */
export function rowsOf(newestFirst: readonly Execution[], by: "agent" | "task"): Row[] {
  const lanes = new Map<string, Execution[]>();
  for (const run of newestFirst) {
    const name = by === "agent" ? run.agentId : run.taskId;
    const lane = lanes.get(name);
    if (lane === undefined) lanes.set(name, [run]);
    else lane.push(run);
  }
  const names = [...lanes.keys()];
  if (by === "agent") names.sort((a, b) => (a < b ? -1 : 1));
  return names.flatMap((lane) =>
    stacked([...(lanes.get(lane) as Execution[])].reverse()).map((runs, index) => ({
      key: `${lane}\n${index}`,
      lane,
      first: index === 0,
      runs,
    })),
  );
}

/** Each run goes into the first row that is free when it begins. So a run never changes its row as others end. */
function stacked(oldestFirst: readonly Execution[]): Execution[][] {
  const rows: Execution[][] = [];
  for (const run of oldestFirst) {
    const free = rows.find((row) => (row.at(-1)?.endedAt ?? Number.POSITIVE_INFINITY) <= run.startedAt);
    if (free === undefined) rows.push([run]);
    else free.push(run);
  }
  return rows;
}

/** Rows that say the same as before are the same, so that only the others are drawn anew. */
export function reused(before: readonly Row[], now: readonly Row[]): Row[] {
  const known = new Map(before.map((row) => [row.key, row]));
  return now.map((row) => {
    const last = known.get(row.key);
    const stands =
      last !== undefined &&
      last.runs.length === row.runs.length &&
      last.runs.every((run, index) => run === row.runs[index]);
    return stands ? last : row;
  });
}
