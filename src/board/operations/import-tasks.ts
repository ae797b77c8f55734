/**
 * Brings another tool's board in, all or nothing. A source id seen before updates its task when the source is
 * newer, is left alone when it is the same, and never overwrites what changed here since; nothing is deleted.
 */
import { accept, type Refusal, type Result, refuse } from "../../contract/result.ts";
import type { ImportedTask, ImportIssue, Skipped } from "../../import-export/imported.ts";
import { findCycle } from "../../rules/graph.ts";
import { audit, type Context } from "../context.ts";
import { viewComment } from "../store/comments.ts";
import { dependentIds, insertDependencies, recountOpen, upstreamEdges } from "../store/dependencies.ts";
import type { NewEvent } from "../store/events.ts";
import type { CommentRow, DependencyRow, TaskRow } from "../store/rows.ts";
import { findByReferences, insertTasks, nextNumber } from "../store/tasks.ts";
import { addComments, type Placed, updateTask } from "./import-update.ts";
import { createdEvent, newTask } from "./new-task.ts";

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
  skipped: Skipped[];
  issues: ImportIssue[];
}

export function importTasks(ctx: Context, input: ImportTasks): Result<ImportReport> {
  const targets = input.tasks.flatMap((task) =>
    [task.externalRef, task.parentRef ?? [], task.dependsOn].flat(),
  );
  const standing = new Map(
    findByReferences(ctx.sql, [...new Set(targets)]).map((row) => [row.external_ref as string, row]),
  );
  const unknown = unknownTargets(input.tasks, standing);
  if (unknown !== null) return unknown;
  const created = createTasks(ctx, input.tasks, standing);
  const ids = new Map([...standing, ...created.map(({ source, row }) => [source.externalRef, row] as const)]);
  for (const { source, row } of created)
    if (source.parentRef !== null) row.parent_task_id = (ids.get(source.parentRef) as TaskRow).id;
  insertTasks(
    ctx.sql,
    created.map(({ row }) => row),
  );
  const known = input.tasks.filter((task) => standing.has(task.externalRef));
  const newer = known.filter(
    (task) => task.updatedAt > (standing.get(task.externalRef) as TaskRow).updated_at,
  );
  const same = known.filter(
    (task) => task.updatedAt === (standing.get(task.externalRef) as TaskRow).updated_at,
  );
  const updates = newer.map((source) =>
    updateTask(ctx, source, standing.get(source.externalRef) as TaskRow, ids),
  );
  const fresh = [...created, ...updates.map(({ source, after }) => ({ source, row: after }))];
  const comments = addComments(ctx, created, updates);
  const edges = addEdges(ctx, fresh, ids);
  const cycles = findCycles(ctx, fresh);
  if (cycles !== null) return cycles;
  const moved = updates
    .filter(({ before, after }) => before.status !== after.status)
    .map(({ after }) => after.id);
  const waiting = fresh.filter(({ source }) => source.dependsOn.length > 0).map(({ row }) => row.id);
  recountOpen(ctx.sql, [...waiting, ...dependentIds(ctx.sql, moved)], ctx.now);
  const whole = tellEdgesAndComments(edges.rows, comments);
  ctx.log.appendAll([
    ...created.map(({ row }) => whole(createdEvent(row, []))),
    ...updates.map(({ event }) => whole(event)),
  ]);
  audit(ctx, "import", { data: { source: input.source, created: created.length, updated: updates.length } });
  return accept({
    created: created.length,
    updated: updates.length,
    unchanged: same.length,
    staleSkipped: known.length - newer.length - same.length,
    edges: edges.added,
    comments: comments.length,
    skipped: input.skipped,
    issues: [],
  });
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
): Placed[] {
  const missing = tasks.filter((task) => !standing.has(task.externalRef));
  const firstNumber = nextNumber(ctx.sql);
  const firstSeq = ctx.log.reserve(missing.length);
  return missing.map((source, index) => {
    const row = newTask(
      ctx,
      {
        title: source.title,
        description: source.description,
        status: source.status,
        priority: source.priority,
        labels: source.labels,
        kind: source.kind ?? undefined,
        notBefore: source.notBefore ?? undefined,
        externalRef: source.externalRef,
      },
      {
        number: firstNumber + index,
        changeSeq: firstSeq + index,
        parentTaskId: null,
        openDeps: 0,
        guarded: false,
      },
    );
    return {
      source,
      row: {
        ...row,
        created_by: source.createdBy,
        created_at: source.createdAt,
        updated_at: source.updatedAt,
        completed_at: source.completedAt,
      },
    };
  });
}

function addEdges(
  ctx: Context,
  fresh: readonly Placed[],
  ids: ReadonlyMap<string, TaskRow>,
): { rows: DependencyRow[]; added: number } {
  const rows = fresh.flatMap(({ source, row }) =>
    source.dependsOn.map((ref) => ({
      task_id: row.id,
      depends_on_task_id: (ids.get(ref) as TaskRow).id,
      on_cancel: "hold" as const,
      created_at: ctx.now,
      tenant_id: row.tenant_id,
    })),
  );
  return { rows, added: insertDependencies(ctx.sql, rows) };
}

function findCycles(ctx: Context, fresh: readonly Placed[]): Refusal | null {
  const refs = new Map(fresh.map(({ source, row }) => [row.id, source.externalRef]));
  const name = (path: string[]) => path.map((id) => refs.get(id) ?? id);
  const waits = findCycle(upstreamEdges(ctx.sql, [...refs.keys()]));
  if (waits !== null)
    return refuse("task_dependency_cycle", "These tasks would wait for each other for ever.", {
      path: name(waits),
    });
  const parents = new Map(
    fresh.map(({ row }) => [row.id, row.parent_task_id === null ? [] : [row.parent_task_id]]),
  );
  const lineage = findCycle(parents);
  return lineage === null
    ? null
    : refuse("parent_cycle", "A task cannot lie under itself.", { path: name(lineage) });
}

/** The events of an import carry what came with each task, so that the log alone can rebuild it. */
function tellEdgesAndComments(edges: readonly DependencyRow[], comments: readonly CommentRow[]) {
  const dependsOn = Map.groupBy(edges, (edge) => edge.task_id);
  const said = Map.groupBy(comments, (comment) => comment.task_id);
  return (event: NewEvent): NewEvent => ({
    ...event,
    data: {
      ...event.data,
      dependsOn: (dependsOn.get(event.taskId ?? "") ?? []).map((edge) => edge.depends_on_task_id),
      comments: (said.get(event.taskId ?? "") ?? []).map(viewComment),
    },
  });
}
