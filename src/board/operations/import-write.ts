/** Writes the tasks and the edges of an export, a batch at a time. */
import { batchesOf, type Survey } from "../../import-export/edgeboard.ts";
import type { Skipped } from "../../import-export/imported.ts";
import type { Source } from "../../import-export/source.ts";
import type { Masking } from "../../rules/masking.ts";
import type { Context } from "../context.ts";
import { dependentIds, insertDependencies, recountOpen } from "../store/dependencies.ts";
import { freeReferences, saveContents, saveParents } from "../store/import-writes.ts";
import type { DependencyRow, TaskRow } from "../store/rows.ts";
import { insertTasks, moveTasks } from "../store/tasks.ts";
import { type Arrival, maskTask, newRow } from "./import-lines.ts";
import { type Overwrite, overwrite } from "./import-overwrite.ts";
import type { Place, Places } from "./import-places.ts";

/** What the board's tasks are now that the source knew better; by id, with whether the status is another. */
export type Updated = Map<string, { moved: boolean }>;

/** New tasks get the numbers of the log from `firstSeq` on, in the order of their own numbers. */
export function writeTasks(
  ctx: Context,
  input: { source: Source; reset: boolean; masking: Masking },
  survey: Survey,
  places: Places,
  firstSeq: number,
): Updated {
  const seqs = new Map(places.created.map((place, index) => [place.id, firstSeq + index]));
  const missing = new Set(seqs.keys());
  const late: { id: string; parent: string }[] = [];
  const updated: Updated = new Map();
  freeReferences(
    ctx.sql,
    [...places.bySource.values()].filter(losesReference).map(({ id }) => id),
  );
  for (const lines of batchesOf(input.source, ["task"])) {
    const created: TaskRow[] = [];
    const overwrites: Overwrite[] = [];
    for (const sent of lines) {
      const place = places.bySource.get(sent.id) as Place;
      if (place.fate !== "created" && place.fate !== "updated") continue;
      const line = maskTask(input.masking, sent);
      const arrival: Arrival = {
        id: place.id,
        number: place.number,
        changeSeq: seqs.get(place.id) ?? ctx.log.reserve(),
        parentTaskId: line.parentTaskId === null ? null : places.idOf(line.parentTaskId),
        now: ctx.now,
        reset: input.reset,
      };
      if (place.before === null) created.push(newRow(line, place.brief, arrival, places.restores));
      else
        overwrites.push(
          overwrite(line, place.brief, place.before, arrival, blockersOf(survey, places, line.id)),
        );
    }
    for (const { id } of created) missing.delete(id);
    insertTasks(ctx.sql, orphaned(created, missing, late));
    saveContents(
      ctx.sql,
      orphaned(
        overwrites.map(({ content }) => content),
        missing,
        late,
      ),
    );
    moveTasks(
      ctx.sql,
      overwrites.flatMap(({ move }) => move ?? []),
    );
    ctx.log.appendAll(overwrites.map(({ event }) => event));
    for (const { content, move } of overwrites)
      updated.set(content.id, { moved: move?.after.status !== move?.before.status });
  }
  saveParents(ctx.sql, late);
  return updated;
}

function losesReference({ fate, brief, before }: Place): boolean {
  return fate === "updated" && before?.external_ref !== null && before?.external_ref !== brief.externalRef;
}

/** Where a parent is still to come, the child is written without it and told so when all are there. */
function orphaned<Row extends { id: string; parent_task_id: string | null }>(
  rows: Row[],
  missing: ReadonlySet<string>,
  late: { id: string; parent: string }[],
): Row[] {
  return rows.map((row) => {
    if (row.parent_task_id === null || !missing.has(row.parent_task_id)) return row;
    late.push({ id: row.id, parent: row.parent_task_id });
    return { ...row, parent_task_id: null };
  });
}

function blockersOf(survey: Survey, places: Places, sourceId: string): string[] {
  return (survey.edges.get(sourceId) ?? []).map((edge) => places.idOf(edge.dependsOnTaskId) as string);
}

export interface WrittenEdges {
  added: number;
  /** Tasks that the edges lead to. */
  blockerIds: Set<string>;
  skipped: Skipped[];
}

/** Edges of new and of updated tasks, and the counters that go by them. None is taken away. */
export function writeEdges(ctx: Context, survey: Survey, places: Places, updated: Updated): WrittenEdges {
  const written: WrittenEdges = { added: 0, blockerIds: new Set(), skipped: [] };
  const [newcomers, others] = [new Set<string>(), new Set<string>()];
  let rows: DependencyRow[] = [];
  for (const [sourceId, edges] of survey.edges) {
    const place = places.bySource.get(sourceId);
    if (place === undefined)
      written.skipped.push({ ref: sourceId, reason: "edges of a task that is not in the source" });
    if (place?.fate !== "created" && place?.fate !== "updated") continue;
    (place.fate === "created" ? newcomers : others).add(place.id);
    for (const edge of edges) {
      const blocker = places.idOf(edge.dependsOnTaskId) as string;
      written.blockerIds.add(blocker);
      rows.push({
        task_id: place.id,
        depends_on_task_id: blocker,
        on_cancel: edge.onCancel,
        created_at: edge.createdAt,
        tenant_id: edge.tenantId,
      });
    }
    if (rows.length < EDGE_BATCH) continue;
    written.added += insertDependencies(ctx.sql, rows);
    rows = [];
  }
  written.added += insertDependencies(ctx.sql, rows);
  const moved = [...updated].filter(([, { moved }]) => moved).map(([id]) => id);
  for (const id of dependentIds(ctx.sql, moved)) others.add(id);
  // Those that are new keep the time since which they were ready where they come from.
  recountOpen(ctx.sql, newcomers, 0);
  recountOpen(ctx.sql, others, ctx.now);
  return written;
}

const EDGE_BATCH = 2_000;
