/** Many tasks and their edges at once: all of them, or none. */
import { MAX_DEPENDENTS } from "../../contract/limits.ts";
import { accept, type Refusal, type Result, refuse } from "../../contract/result.ts";
import { findCycle } from "../../rules/graph.ts";
import { isEdgeSatisfied } from "../../rules/readiness.ts";
import type { Context } from "../context.ts";
import { countDependents, insertDependencies } from "../store/dependencies.ts";
import type { DependencyRow, TaskRow } from "../store/rows.ts";
import { findByReferences, findTasksByRef, insertTasks, nextNumber } from "../store/tasks.ts";
import { dependentCap } from "./create-task.ts";
import { duplicateReference } from "./edit-content.ts";
import { createdEvent, newTask, type TaskDraft } from "./new-task.ts";

export interface PlannedTask {
  ref: string;
  draft: TaskDraft;
  parentRef?: string;
  parentTaskId?: string;
  /** Refs of this plan, or ids of tasks on the board; a ref wins. */
  dependsOn: string[];
}

export interface CreatePlan {
  tasks: PlannedTask[];
  dryRun: boolean;
}

export interface PlanReport {
  tasks: { ref: string; id: string; number: number }[];
  edges: number;
}

export function createPlan(ctx: Context, input: CreatePlan): Result<PlanReport> {
  const planned = new Map(input.tasks.map((task) => [task.ref, task]));
  const standing = findStanding(ctx, input.tasks, planned);
  const faults =
    unknownTargets(input.tasks, planned, standing) ??
    cycles(input.tasks, planned) ??
    takenReferences(ctx, input.tasks);
  if (faults !== null) return faults;
  const rows = placeTasks(ctx, input.tasks, planned, standing);
  const edges = planEdges(ctx, input.tasks, rows, standing);
  const capped = crowded(ctx, edges, standing);
  if (capped !== null) return capped;
  for (const [id, open] of openEdges(edges, rows, standing)) (rows.byId.get(id) as TaskRow).open_deps = open;
  insertTasks(ctx.sql, rows.ordered);
  insertDependencies(ctx.sql, edges);
  const dependsOn = Map.groupBy(edges, (edge) => edge.task_id);
  ctx.log.appendAll(
    rows.ordered.map((row) =>
      createdEvent(
        row,
        (dependsOn.get(row.id) ?? []).map((edge) => edge.depends_on_task_id),
      ),
    ),
  );
  return accept({
    tasks: input.tasks.map((task) => {
      const row = rows.byRef.get(task.ref) as TaskRow;
      return { ref: task.ref, id: row.id, number: row.number };
    }),
    edges: edges.length,
  });
}

/** Tasks the plan names that stand on the board already, by the name it uses; and the same by their id. */
interface StandingTasks {
  byRef: ReadonlyMap<string, TaskRow>;
  byId: ReadonlyMap<string, TaskRow>;
}

function findStanding(
  ctx: Context,
  tasks: readonly PlannedTask[],
  planned: ReadonlyMap<string, PlannedTask>,
): StandingTasks {
  const named = tasks.flatMap((task) => [...task.dependsOn, task.parentTaskId ?? []].flat());
  const byRef = findTasksByRef(
    ctx.sql,
    named.filter((ref) => !planned.has(ref)),
  );
  return { byRef, byId: new Map([...byRef.values()].map((row) => [row.id, row])) };
}

function unknownTargets(
  tasks: readonly PlannedTask[],
  planned: ReadonlyMap<string, PlannedTask>,
  standing: StandingTasks,
): Refusal | null {
  for (const [index, task] of tasks.entries()) {
    for (const ref of task.dependsOn)
      if (!planned.has(ref) && !standing.byRef.has(ref))
        return refuse(
          "dependency_not_found",
          "A task depends on one that is neither in the plan nor on the board.",
          {
            ref,
            path: ["tasks", index, "dependsOn"],
          },
        );
    const parent = task.parentTaskId;
    const unknownParent =
      (task.parentRef !== undefined && !planned.has(task.parentRef)) ||
      (parent !== undefined && (standing.byRef.get(parent)?.dropped ?? 1) === 1);
    if (unknownParent)
      return refuse("parent_not_found", "A task's parent is neither in the plan nor on the board.", {
        ref: task.parentRef ?? parent,
        path: ["tasks", index, task.parentRef === undefined ? "parentTaskId" : "parentRef"],
      });
  }
  return null;
}

/** Tasks on the board wait for none of the plan's, so a cycle can only lie within the plan. */
function cycles(tasks: readonly PlannedTask[], planned: ReadonlyMap<string, PlannedTask>): Refusal | null {
  const within = (refs: string[]) => refs.filter((ref) => planned.has(ref));
  const waits = findCycle(new Map(tasks.map((task) => [task.ref, within(task.dependsOn)])));
  if (waits !== null)
    return refuse("task_dependency_cycle", "The plan's tasks would wait for each other for ever.", {
      path: waits,
    });
  const parents = findCycle(
    new Map(tasks.map((task) => [task.ref, task.parentRef === undefined ? [] : [task.parentRef]])),
  );
  if (parents !== null) return refuse("parent_cycle", "A task cannot lie under itself.", { path: parents });
  return null;
}

function takenReferences(ctx: Context, tasks: readonly PlannedTask[]): Refusal | null {
  const seen = new Map<string, string>();
  for (const { ref, draft } of tasks) {
    if (draft.externalRef === undefined) continue;
    const twin = seen.get(draft.externalRef);
    if (twin !== undefined)
      return refuse("duplicate", "Two tasks of the plan have one externalRef.", { refs: [twin, ref] });
    seen.set(draft.externalRef, ref);
  }
  const [holder] = seen.size === 0 ? [] : findByReferences(ctx.sql, [...seen.keys()]);
  return holder === undefined ? null : duplicateReference(holder);
}

interface PlacedTasks {
  ordered: TaskRow[];
  byRef: Map<string, TaskRow>;
  byId: Map<string, TaskRow>;
}

function placeTasks(
  ctx: Context,
  tasks: readonly PlannedTask[],
  planned: ReadonlyMap<string, PlannedTask>,
  standing: StandingTasks,
): PlacedTasks {
  const firstNumber = nextNumber(ctx.sql);
  const firstSeq = ctx.log.reserve(tasks.length);
  const byRef = new Map<string, TaskRow>();
  for (const [index, task] of tasks.entries())
    byRef.set(
      task.ref,
      newTask(ctx, task.draft, {
        number: firstNumber + index,
        changeSeq: firstSeq + index,
        parentTaskId:
          task.parentTaskId === undefined ? null : (standing.byRef.get(task.parentTaskId)?.id ?? null),
        openDeps: 0,
        guarded: false,
      }),
    );
  for (const { ref, parentRef } of planned.values())
    if (parentRef !== undefined)
      (byRef.get(ref) as TaskRow).parent_task_id = (byRef.get(parentRef) as TaskRow).id;
  const ordered = [...byRef.values()];
  return { ordered, byRef, byId: new Map(ordered.map((row) => [row.id, row])) };
}

function planEdges(
  ctx: Context,
  tasks: readonly PlannedTask[],
  rows: PlacedTasks,
  standing: StandingTasks,
): DependencyRow[] {
  return tasks.flatMap((task) => {
    const row = rows.byRef.get(task.ref) as TaskRow;
    const blockers = new Set(
      task.dependsOn.map((ref) => rows.byRef.get(ref)?.id ?? standing.byRef.get(ref)?.id),
    );
    return [...blockers].map((id) => ({
      task_id: row.id,
      depends_on_task_id: id as string,
      on_cancel: "hold" as const,
      created_at: ctx.now,
      tenant_id: row.tenant_id,
    }));
  });
}

function crowded(ctx: Context, edges: readonly DependencyRow[], standing: StandingTasks): Refusal | null {
  const added = Map.groupBy(
    edges.filter((edge) => standing.byId.has(edge.depends_on_task_id)),
    (edge) => edge.depends_on_task_id,
  );
  if (added.size === 0) return null;
  for (const [id, count] of countDependents(ctx.sql, [...added.keys()]))
    if (count + (added.get(id)?.length ?? 0) > MAX_DEPENDENTS)
      return dependentCap(standing.byId.get(id) as TaskRow);
  return null;
}

function openEdges(
  edges: readonly DependencyRow[],
  rows: PlacedTasks,
  standing: StandingTasks,
): Map<string, number> {
  const open = new Map<string, number>();
  for (const edge of edges) {
    const blocker = rows.byId.get(edge.depends_on_task_id) ?? standing.byId.get(edge.depends_on_task_id);
    if (blocker !== undefined && !isEdgeSatisfied(blocker.status, edge.on_cancel))
      open.set(edge.task_id, (open.get(edge.task_id) ?? 0) + 1);
  }
  return open;
}
