/** Which task of an export is which of the board's, and what becomes of each; before anything is written. */
import { IMPORT_ISSUES_MAX } from "../../contract/limits.ts";
import { accept, type Refusal, type Result, refuse } from "../../contract/result.ts";
import type { Survey, TaskBrief } from "../../import-export/edgeboard.ts";
import type { ImportIssue } from "../../import-export/imported.ts";
import type { Context } from "../context.ts";
import { type StandingTask, standingByIds, standingByReferences } from "../store/import-standing.ts";
import { nextNumber } from "../store/tasks.ts";

export interface Place {
  /** On this board; another than in the source where the reference matched. */
  id: string;
  number: number;
  fate: "created" | "updated" | "unchanged" | "stale";
  brief: TaskBrief;
  before: StandingTask | null;
}

export interface Places {
  /** An empty board takes everything as it is: numbers, comments' ids, name and settings too. */
  restores: boolean;
  /** By the source's ids. */
  bySource: ReadonlyMap<string, Place>;
  /** New tasks in the order of their numbers. */
  created: readonly Place[];
  /** The board's tasks that are spoken of, by their ids here. */
  standing: ReadonlyMap<string, StandingTask>;
  /** A source's id as the board's; null: it is neither in the source nor here. */
  idOf: (sourceId: string) => string | null;
}

export function placeTasks(ctx: Context, survey: Survey): Result<Places> {
  const next = nextNumber(ctx.sql);
  const restores = next === 1;
  const briefs = [...survey.tasks.values()].sort((a, b) => a.number - b.number);
  const standing = restores ? NOBODY : findStanding(ctx, survey, briefs);
  const bySource = new Map<string, Place>();
  const created: Place[] = [];
  for (const brief of briefs) {
    const before = standing.byId.get(brief.id) ?? matchByReference(brief, survey, standing);
    const number = before?.number ?? (restores ? brief.number : next + created.length);
    const place: Place = { id: before?.id ?? brief.id, number, fate: fateOf(brief, before), brief, before };
    bySource.set(brief.id, place);
    if (before === null) created.push(place);
  }
  const idOf = (id: string) => bySource.get(id)?.id ?? standing.byId.get(id)?.id ?? null;
  const issues = [...twins(briefs, bySource, restores), ...unknowns(survey, idOf)];
  if (issues.length > 0)
    return refuse("import_invalid", "The source has faults; nothing was stored.", {
      issues: issues.slice(0, IMPORT_ISSUES_MAX),
    });
  const taken = takenReference(bySource, standing);
  if (taken !== null) return taken;
  const rows = [...standing.byId.values(), ...standing.byReference.values()];
  return accept({ restores, bySource, created, standing: new Map(rows.map((row) => [row.id, row])), idOf });
}

interface Standing {
  byId: ReadonlyMap<string, StandingTask>;
  byReference: ReadonlyMap<string, StandingTask>;
}

const NOBODY: Standing = { byId: new Map(), byReference: new Map() };

function findStanding(ctx: Context, survey: Survey, briefs: readonly TaskBrief[]): Standing {
  const ids = standingByIds(ctx.sql, new Set([...survey.tasks.keys(), ...survey.elsewhere]));
  const references = briefs.flatMap(({ externalRef, dropped }) => (dropped ? [] : (externalRef ?? [])));
  const rows = standingByReferences(ctx.sql, new Set(references));
  return {
    byId: new Map(ids.map((row) => [row.id, row])),
    byReference: new Map(rows.map((row) => [row.external_ref as string, row])),
  };
}

/** A dropped task has let go of its reference, and one that the source knows by its id is matched by it. */
function matchByReference(brief: TaskBrief, survey: Survey, { byReference }: Standing): StandingTask | null {
  if (brief.externalRef === null || brief.dropped) return null;
  const holder = byReference.get(brief.externalRef);
  return holder === undefined || survey.tasks.has(holder.id) ? null : holder;
}

function fateOf({ updatedAt }: TaskBrief, before: StandingTask | null): Place["fate"] {
  if (before === null) return "created";
  if (updatedAt === before.updated_at) return "unchanged";
  return updatedAt > before.updated_at ? "updated" : "stale";
}

/** What is to be one of a kind, and is not. */
function twins(
  briefs: readonly TaskBrief[],
  places: ReadonlyMap<string, Place>,
  restores: boolean,
): ImportIssue[] {
  const issues: ImportIssue[] = [];
  const numbers = new Set<number>();
  const references = new Set<string>();
  const targets = new Set<string>();
  for (const { id, number, externalRef, dropped } of briefs) {
    if (restores && numbers.has(number)) issues.push({ path: id, message: `number ${number} stands twice` });
    numbers.add(number);
    if (externalRef !== null && !dropped) {
      if (references.has(externalRef))
        issues.push({ path: id, message: `externalRef ${externalRef} stands twice` });
      references.add(externalRef);
    }
    const target = places.get(id)?.id ?? id;
    if (targets.has(target)) issues.push({ path: id, message: "is a second task for one on the board" });
    targets.add(target);
  }
  return issues;
}

function unknowns(survey: Survey, idOf: Places["idOf"]): ImportIssue[] {
  const unknown = new Set([...survey.elsewhere].filter((id) => idOf(id) === null));
  if (unknown.size === 0) return [];
  const issues: ImportIssue[] = [];
  for (const { id, parentTaskId } of survey.tasks.values())
    if (parentTaskId !== null && unknown.has(parentTaskId))
      issues.push({ path: `${id}.parentTaskId`, message: `unknown task ${parentTaskId}` });
  for (const [id, edges] of survey.edges)
    for (const { dependsOnTaskId } of edges)
      if (unknown.has(dependsOnTaskId))
        issues.push({ path: `${id}.dependencies`, message: `unknown task ${dependsOnTaskId}` });
  for (const id of unknown)
    if (survey.speaksOf.has(id)) issues.push({ path: id, message: "unknown task, of which lines speak" });
  return issues;
}

/** A task that would come to a reference somebody else on the board has, and keeps. */
function takenReference(places: ReadonlyMap<string, Place>, { byId, byReference }: Standing): Refusal | null {
  if (byReference.size === 0) return null;
  const updates = new Map(
    [...places.values()].filter(({ fate }) => fate === "updated").map((place) => [place.id, place]),
  );
  for (const { id, fate, brief, before } of places.values()) {
    if (brief.externalRef === null || (fate !== "created" && fate !== "updated")) continue;
    if ((before?.dropped ?? (brief.dropped ? 1 : 0)) === 1) continue;
    const holder = byReference.get(brief.externalRef);
    if (holder === undefined || holder.id === id) continue;
    const letsGo = updates.get(holder.id);
    if (letsGo !== undefined && letsGo.brief.externalRef !== brief.externalRef) continue;
    return refuse("duplicate", "Another task has this externalRef.", {
      taskId: holder.id,
      taskStatus: byId.get(holder.id)?.status ?? holder.status,
      externalRef: brief.externalRef,
    });
  }
  return null;
}
