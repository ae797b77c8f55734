/**
 * Task Master's tasks as ours. A tag is a world of its own there, so it becomes a label and the first part of
 * each reference; subtasks become children, and what a task has besides a description becomes part of it.
 */
import { labels, longText, reference } from "../contract/text.ts";
import { isTerminal, type TaskStatus } from "../rules/status.ts";
import type { Imported, ImportedTask, ImportIssue, Skipped } from "./imported.ts";
import { type Family, familyOf, targetOf } from "./taskmaster-edges.ts";
import { type Item, readTags } from "./taskmaster-file.ts";

/**
 * Work under way comes in as `todo`: nobody holds it here. Work under review has been handed in, and needs no
 * holder to be judged; as `todo` it would be done a second time.
 */
const STATUSES = new Map<string, TaskStatus>([
  ["pending", "todo"],
  ["in-progress", "todo"],
  ["review", "in_review"],
  ["done", "done"],
  ["completed", "done"],
  ["deferred", "backlog"],
  ["cancelled", "cancelled"],
  ["blocked", "blocked"],
]);

const PRIORITIES = new Map([
  ["critical", 4],
  ["high", 3],
  ["medium", 2],
  ["low", 1],
]);
/** The tool's own default. */
const USUAL_PRIORITY = 2;

/**
 * The date of tasks whose file knows none: before the tool was there, so that whatever is changed on a board is
 * later. It never moves, so that the same file is the same again.
 */
const UNDATED = Date.UTC(2025, 0, 1);

export interface TaskMasterOptions {
  /** Brings every task in as `todo`, to run the plan again. */
  reset: boolean;
}

interface Reading extends Imported {
  reset: boolean;
  /** How often a reference was asked for. */
  taken: Map<string, number>;
}

/** Where an item stands: what its id, its dependencies and what it leaves out are relative to. */
interface Place {
  /** `backend/`; nothing without tags. */
  prefix: string;
  labels: string[];
  madeAt: number;
  parent: ImportedTask | null;
  family: Family | null;
}

export function readTaskMaster(source: string, options: TaskMasterOptions): Imported {
  const reading: Reading = { tasks: [], skipped: [], issues: [], reset: options.reset, taken: new Map() };
  for (const { name, createdAt, items } of readTags(source, reading.issues, reading.skipped)) {
    const top: Place = {
      prefix: name === null ? "" : `${name}/`,
      labels: labelsOf(name, reading.issues),
      madeAt: createdAt ?? UNDATED,
      parent: null,
      family: null,
    };
    const taskIds = new Set(items.map(({ id }) => id));
    for (const { subtasks, ...item } of items) {
      const parent = mapItem(item, top, reading);
      if (parent === null || !subtasks) continue;
      const named = { id: item.id, externalRef: parent.externalRef };
      const family = familyOf(named, subtasks, taskIds, reading.skipped);
      for (const child of subtasks) mapItem(child, { ...top, parent, family }, reading);
    }
  }
  const { tasks, skipped, issues } = reading;
  return { tasks, skipped, issues };
}

function labelsOf(tag: string | null, issues: ImportIssue[]): string[] {
  if (tag === null) return [];
  const parsed = labels.safeParse([`tag:${tag}`]);
  if (!parsed.success) issues.push({ path: tag, message: "is no name for a label" });
  return [`tag:${tag}`];
}

/** Adds the task to what was read; null where the item has a fault. */
function mapItem(item: Item, place: Place, reading: Reading): ImportedTask | null {
  const { parent } = place;
  const named = parent === null ? `${place.prefix}${item.id}` : `${parent.externalRef}.${item.id}`;
  const externalRef = freeReference(named, reading.taken, reading.skipped);
  const before = reading.issues.length;
  const fault = (field: string, message: string) =>
    reading.issues.push({ path: `${externalRef}.${field}`, message });
  const said = item.status ?? "pending";
  const status = reading.reset ? "todo" : STATUSES.get(said);
  const priority =
    item.priority == null ? (parent?.priority ?? USUAL_PRIORITY) : PRIORITIES.get(item.priority);
  const description = describe(item);
  if (status === undefined) fault("status", `"${said}" is not a status Task Master writes`);
  if (priority === undefined) fault("priority", `"${item.priority}" is not a priority Task Master writes`);
  if (!longText.safeParse(description).success)
    fault("description", "is too long together with details, test strategy and acceptance criteria");
  if (!reference.safeParse(externalRef).success) fault("id", "is too long together with tag and parent");
  if (parent !== null && Array.isArray(item["subtasks"]) && item["subtasks"].length > 0)
    fault("subtasks", "lie too deep: a subtask has none of its own");
  if (reading.issues.length > before || status === undefined || priority === undefined) return null;
  const updatedAt = item.updatedAt ?? item.createdAt ?? place.madeAt;
  const targets = (item.dependencies ?? []).map((target) =>
    targetOf(item, target, place.prefix, place.family),
  );
  const task: ImportedTask = {
    externalRef,
    title: item.title,
    description,
    status,
    priority,
    kind: null,
    labels: place.labels,
    parentRef: parent?.externalRef ?? null,
    dependsOn: [...new Set(targets)],
    comments: [],
    createdBy: null,
    notBefore: null,
    createdAt: item.createdAt ?? Math.min(place.madeAt, updatedAt),
    updatedAt,
    completedAt: isTerminal(status) ? updatedAt : null,
    ...(item.updatedAt == null ? { undated: true } : {}),
  };
  reading.tasks.push(task);
  return task;
}

/** The tool has written files whose subtasks share an id: the first has it, the others are told apart. */
function freeReference(named: string, taken: Map<string, number>, skipped: Skipped[]): string {
  const nth = (taken.get(named) ?? 0) + 1;
  taken.set(named, nth);
  if (nth === 1) return named;
  const ref = freeReference(`${named}#${nth}`, taken, skipped);
  skipped.push({ ref: named, reason: `the id stands twice; this one came in as ${ref}` });
  return ref;
}

function describe(item: Item): string {
  const parts = [item.description ?? ""];
  if (item.details) parts.push(`## Details\n${item.details}`);
  if (item.testStrategy) parts.push(`## Test strategy\n${item.testStrategy}`);
  if (item.acceptanceCriteria) parts.push(`## Acceptance criteria\n${item.acceptanceCriteria}`);
  return parts.filter((part) => part !== "").join("\n\n");
}
