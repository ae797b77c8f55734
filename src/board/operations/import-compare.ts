/** Which of a source's tasks are newer than the board's, which the same, and which older. */
import type { ImportedTask } from "../../import-export/imported.ts";
import type { Context } from "../context.ts";
import { edgesOf } from "../store/import-graph.ts";
import type { TaskRow } from "../store/rows.ts";
import { statusAfter } from "./import-update.ts";

export interface Known {
  source: ImportedTask;
  row: TaskRow;
}

export interface Compared {
  newer: Known[];
  unchanged: number;
  stale: number;
}

/**
 * The later time wins. Where the source tells none, the board's row still has the time it came in with until
 * somebody here touches it: before that a difference is the source's doing, and after it ours.
 */
export function compareTasks(
  ctx: Context,
  tasks: readonly ImportedTask[],
  standing: ReadonlyMap<string, TaskRow>,
  idOf: (ref: string) => string,
): Compared {
  const known = tasks.flatMap((source): Known[] => {
    const row = standing.get(source.externalRef);
    return row === undefined ? [] : [{ source, row }];
  });
  const undated = known.filter(({ source }) => source.undated === true);
  const edges = edgesOf(
    ctx.sql,
    undated.map(({ row }) => row.id),
  );
  const compared: Compared = { newer: [], unchanged: 0, stale: 0 };
  for (const one of known) {
    const { source, row } = one;
    const same =
      source.undated === true
        ? saysTheSame(one, edges.get(row.id) ?? new Set(), idOf)
        : source.updatedAt === row.updated_at;
    if (same) compared.unchanged++;
    else if (source.updatedAt < row.updated_at) compared.stale++;
    else compared.newer.push(one);
  }
  return compared;
}

/** Whether an update would change nothing. */
function saysTheSame(
  { source, row }: Known,
  edges: ReadonlySet<string>,
  idOf: (ref: string) => string,
): boolean {
  return (
    source.title === row.title &&
    source.description === row.description &&
    source.priority === row.priority &&
    source.kind === row.kind &&
    source.notBefore === row.not_before &&
    JSON.stringify(source.labels) === row.labels &&
    statusAfter(source, row) === row.status &&
    (source.parentRef === null || idOf(source.parentRef) === row.parent_task_id) &&
    source.dependsOn.every((ref) => edges.has(idOf(ref)))
  );
}
