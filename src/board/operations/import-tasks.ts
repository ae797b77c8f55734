/**
 * Brings another tool's board in, all or nothing. A source id seen before updates its task when the source is
 * newer, is left alone when it is the same, and never overwrites what changed here since; nothing is deleted.
 */
import { IMPORT_EVENT_MAX_CHARS } from "../../contract/limits.ts";
import { accept, type Refusal, type Result, refuse } from "../../contract/result.ts";
import type { ImportedTask, ImportIssue, Skipped } from "../../import-export/imported.ts";
import { audit, type Context } from "../context.ts";
import { viewComment } from "../store/comments.ts";
import { dependentIds, insertDependencies, recountOpen } from "../store/dependencies.ts";
import { followEvents, tellComments, tellCreated } from "../store/import-events.ts";
import type { CommentRow, DependencyRow, TaskRow } from "../store/rows.ts";
import { findByReferences, insertTasks, nextNumber } from "../store/tasks.ts";
import { compareTasks } from "./import-compare.ts";
import { graphFault, parentRing } from "./import-graph.ts";
import { addComments, type Placed, type Update, updateTasks } from "./import-update.ts";
import { newTask } from "./new-task.ts";

export interface ImportTasks {
  source: string;
  tasks: ImportedTask[];
  skipped: Skipped[];
  dryRun: boolean;
}

export interface ImportReport {
  created: number;
  updated: number;
  unchanged: number;
  staleSkipped: number;
  edges: number;
  comments: number;
  executions?: number;
  workspaces?: number;
  skipped: Skipped[];
  issues: ImportIssue[];
  masked?: string[];
}

export function importTasks(ctx: Context, input: ImportTasks): Result<ImportReport> {
  const standing = findStanding(ctx, input.tasks);
  const lineage = new Map(input.tasks.map((task) => [task.externalRef, [task.parentRef ?? []].flat()]));
  const refusal = unknownTargets(input.tasks, standing) ?? parentRing(lineage);
  if (refusal !== null) return refusal;
  const firstNumber = nextNumber(ctx.sql);
  const created = createTasks(ctx, input.tasks, standing, firstNumber);
  const rows = new Map([
    ...standing,
    ...created.map(({ source, row }) => [source.externalRef, row] as const),
  ]);
  const idOf = (ref: string) => (rows.get(ref) as TaskRow).id;
  for (const { source, row } of created)
    if (source.parentRef !== null) row.parent_task_id = idOf(source.parentRef);
  insertTasks(
    ctx.sql,
    created.map(({ row }) => row),
  );
  const { newer, unchanged, stale } = compareTasks(ctx, input.tasks, standing, idOf);
  const updates = updateTasks(ctx, newer, idOf);
  const fresh = [...created, ...updates.map(({ source, after }) => ({ source, row: after }))];
  const comments = addComments(ctx, created, updates);
  const edges = edgeRows(ctx, fresh, idOf);
  const added = insertDependencies(ctx.sql, edges);
  const refs = new Map(fresh.map(({ source, row }) => [row.id, source.externalRef]));
  const fault = graphFault(ctx, {
    taskIds: [...refs.keys()],
    blockerIds: new Set(edges.map((edge) => edge.depends_on_task_id)),
    nameOf: (id) => refs.get(id) ?? id,
  });
  if (fault !== null) return fault;
  const moved = updates
    .filter(({ before, after }) => before.status !== after.status)
    .map(({ after }) => after.id);
  const waiting = edges.map((edge) => edge.task_id);
  recountOpen(ctx.sql, new Set([...waiting, ...dependentIds(ctx.sql, moved)]), ctx.now);
  tellAll(ctx, { firstNumber, created, updates, edges, comments });
  audit(ctx, "import", { data: { source: input.source, created: created.length, updated: updates.length } });
  return accept({
    created: created.length,
    updated: updates.length,
    unchanged,
    staleSkipped: stale,
    edges: added,
    comments: comments.length,
    skipped: input.skipped,
    issues: [],
  });
}

/** The board's tasks that the source names, by their references. */
function findStanding(ctx: Context, tasks: readonly ImportedTask[]): Map<string, TaskRow> {
  const named = new Set(
    tasks.flatMap((task) => [task.externalRef, task.parentRef ?? [], task.dependsOn].flat()),
  );
  return new Map(findByReferences(ctx.sql, [...named]).map((row) => [row.external_ref as string, row]));
}

function unknownTargets(
  tasks: readonly ImportedTask[],
  standing: ReadonlyMap<string, TaskRow>,
): Refusal | null {
  const imported = new Set(tasks.map((task) => task.externalRef));
  const known = (ref: string) => imported.has(ref) || standing.has(ref);
  const issues: ImportIssue[] = [];
  for (const task of tasks) {
    for (const ref of task.dependsOn)
      if (!known(ref))
        issues.push({ path: `${task.externalRef}.dependencies`, message: `unknown task ${ref}` });
    if (task.parentRef !== null && !known(task.parentRef))
      issues.push({ path: `${task.externalRef}.parent`, message: `unknown task ${task.parentRef}` });
  }
  return issues.length === 0
    ? null
    : refuse("import_invalid", "The source names tasks that are neither in it nor on the board.", { issues });
}

function createTasks(
  ctx: Context,
  tasks: readonly ImportedTask[],
  standing: ReadonlyMap<string, TaskRow>,
  firstNumber: number,
): Placed[] {
  const missing = tasks.filter((task) => !standing.has(task.externalRef));
  const firstSeq = ctx.log.reserve(missing.length);
  return missing.map((source, index) => {
    const { title, description, status, priority, labels, externalRef } = source;
    const kind = source.kind ?? undefined;
    const notBefore = source.notBefore ?? undefined;
    const row = newTask(
      ctx,
      { title, description, status, priority, labels, kind, notBefore, externalRef },
      {
        number: firstNumber + index,
        changeSeq: firstSeq + index,
        parentTaskId: null,
        openDeps: 0,
        guarded: false,
      },
    );
    const {
      createdBy: created_by,
      createdAt: created_at,
      updatedAt: updated_at,
      completedAt: completed_at,
    } = source;
    return { source, row: { ...row, created_by, created_at, updated_at, completed_at } };
  });
}

function edgeRows(ctx: Context, fresh: readonly Placed[], idOf: (ref: string) => string): DependencyRow[] {
  return fresh.flatMap(({ source, row }) =>
    source.dependsOn.map((ref) => ({
      task_id: row.id,
      depends_on_task_id: idOf(ref),
      on_cancel: "hold" as const,
      created_at: ctx.now,
      tenant_id: row.tenant_id,
    })),
  );
}

interface Written {
  firstNumber: number;
  created: readonly Placed[];
  updates: readonly Update[];
  edges: readonly DependencyRow[];
  comments: readonly CommentRow[];
}

/**
 * One event for each task, with the edges and comments it came with, so that the log alone can rebuild it. What
 * many words were said on at once is told comment by comment: an event has to fit into a row.
 */
function tellAll(ctx: Context, { firstNumber, created, updates, edges, comments }: Written): void {
  const said = Map.groupBy(comments, (comment) => comment.task_id);
  const size = (rows: CommentRow[]) => rows.reduce((sum, { body }) => sum + body.length, 0);
  const large = [...said].filter(([, rows]) => size(rows) > IMPORT_EVENT_MAX_CHARS).map(([id]) => id);
  const told = { now: ctx.now, actor: ctx.log.actor };
  if (created.length > 0) tellCreated(ctx.sql, told, firstNumber, large);
  const waitsFor = Map.groupBy(edges, (edge) => edge.task_id);
  ctx.log.appendAll(
    updates.map(({ event, after: { id } }) => ({
      ...event,
      data: {
        ...event.data,
        dependsOn: (waitsFor.get(id) ?? []).map((edge) => edge.depends_on_task_id),
        comments: large.includes(id) ? [] : (said.get(id) ?? []).map(viewComment),
      },
    })),
  );
  if (large.length === 0) return;
  const from = Math.min(...large.map((id) => said.get(id)?.[0]?.number ?? Number.MAX_SAFE_INTEGER));
  ctx.log.reserve(tellComments(ctx.sql, told, ctx.log.last(), from, large));
  followEvents(ctx.sql, large);
}
