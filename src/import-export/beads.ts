/**
 * Beads JSONL, one issue a line. Its priorities run from 0 (urgent) to 4, ours the other way; `blocks` edges
 * become dependencies, `parent-child` the parent; notes and the close reason become the first comments.
 */
import * as z from "zod";
import { LABEL_MAX, TEXT_MAX } from "../contract/limits.ts";
import { agentId, label, labels, longText, reference, text, title } from "../contract/text.ts";
import type { TaskStatus } from "../rules/status.ts";
import type { Imported, ImportedComment, ImportedTask, ImportIssue, Skipped } from "./imported.ts";
import { isoMoment as moment } from "./moment.ts";
import { linesOf, type Source } from "./source.ts";

/** How a foreign reference is told in a comment, where it is too long for a label. */
const FOREIGN = "ref: ";

const issue = z.looseObject({
  id: reference,
  title,
  description: longText.nullish(),
  design: longText.nullish(),
  acceptance_criteria: longText.nullish(),
  notes: longText.nullish(),
  status: z.string(),
  priority: z.int().min(0).max(4).default(2),
  issue_type: label.nullish(),
  labels: z.array(label).nullish(),
  external_ref: text(TEXT_MAX - FOREIGN.length).nullish(),
  created_at: moment,
  created_by: agentId.nullish(),
  updated_at: moment,
  closed_at: moment.nullish(),
  close_reason: longText.nullish(),
  defer_until: moment.nullish(),
  dependencies: z.array(z.looseObject({ depends_on_id: reference, type: z.string() })).nullish(),
  comments: z.array(z.looseObject({ author: agentId, text: longText, created_at: moment })).nullish(),
});

type Issue = z.infer<typeof issue>;

/** An issue somebody works on comes in as `todo`: nobody holds it here. */
const STATUSES = new Map<string, TaskStatus>([
  ["open", "todo"],
  ["in_progress", "todo"],
  ["hooked", "todo"],
  ["pinned", "todo"],
  ["blocked", "blocked"],
  ["deferred", "backlog"],
  ["closed", "done"],
]);

const TOMBSTONE = "tombstone";

export interface BeadsOptions {
  /** Brings every issue in as `todo`, to run the plan again. */
  reset: boolean;
}

export function readBeads(source: Source, options: BeadsOptions): Imported {
  const issues: ImportIssue[] = [];
  const skipped: Skipped[] = [];
  const read: Issue[] = [];
  for (const line of linesOf(source)) {
    const parsed = readLine(line.text, line.number, issues);
    if (parsed === null) continue;
    if (parsed.status === TOMBSTONE) skipped.push({ ref: parsed.id, reason: "tombstone" });
    else read.push(parsed);
  }
  noteTwins(read, issues);
  const gone = new Set(skipped.map((entry) => entry.ref));
  const tasks = read.flatMap((entry) => mapIssue(entry, options, gone, skipped, issues));
  // Numbers follow age, so that the newest come first in lists.
  tasks.sort((a, b) => a.createdAt - b.createdAt);
  return { tasks, skipped, issues };
}

function readLine(line: string, number: number, issues: ImportIssue[]): Issue | null {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    issues.push({ path: `line ${number}`, message: "is not JSON" });
    return null;
  }
  const parsed = issue.safeParse(json);
  if (parsed.success) return parsed.data;
  for (const fault of parsed.error.issues)
    issues.push({ path: [`line ${number}`, ...fault.path].join("."), message: fault.message });
  return null;
}

function noteTwins(read: readonly Issue[], issues: ImportIssue[]): void {
  const seen = new Set<string>();
  for (const { id } of read) {
    if (seen.has(id)) issues.push({ path: id, message: "stands twice in the source" });
    seen.add(id);
  }
}

function mapIssue(
  entry: Issue,
  options: BeadsOptions,
  gone: ReadonlySet<string>,
  skipped: Skipped[],
  issues: ImportIssue[],
): ImportedTask[] {
  const fault = (field: string, message: string) => issues.push({ path: `${entry.id}.${field}`, message });
  const status = options.reset ? "todo" : STATUSES.get(entry.status);
  if (status === undefined) {
    fault("status", `"${entry.status}" is not a status Beads writes`);
    return [];
  }
  const description = longText.safeParse(describe(entry));
  if (!description.success) fault("description", "is too long together with design and acceptance criteria");
  const { parentRef, dependsOn } = readEdges(entry, gone, skipped);
  const taskLabels = labels.safeParse(labelsOf(entry));
  if (!taskLabels.success) fault("labels", "are too many");
  if (!description.success || !taskLabels.success) return [];
  return [
    {
      externalRef: entry.id,
      title: entry.title,
      description: description.data,
      status,
      priority: 4 - entry.priority,
      kind: entry.issue_type ?? null,
      labels: taskLabels.data,
      parentRef,
      dependsOn,
      comments: commentsOf(entry),
      createdBy: entry.created_by ?? null,
      notBefore: status === "backlog" ? null : (entry.defer_until ?? null),
      createdAt: entry.created_at,
      updatedAt: entry.updated_at,
      completedAt: status === "done" ? (entry.closed_at ?? entry.updated_at) : null,
    },
  ];
}

function describe(entry: Issue): string {
  const parts = [entry.description ?? ""];
  if (entry.design) parts.push(`## Design\n${entry.design}`);
  if (entry.acceptance_criteria) parts.push(`## Acceptance criteria\n${entry.acceptance_criteria}`);
  return parts.filter((part) => part !== "").join("\n\n");
}

function labelsOf(entry: Issue): string[] {
  const own = referenceLabel(entry);
  return [...new Set([...(entry.labels ?? []), ...(own === null ? [] : [own])])];
}

/** The source's own foreign reference; one too long for a label is told in a comment. */
function referenceLabel(entry: Issue): string | null {
  const text = `ref:${entry.external_ref ?? ""}`;
  return entry.external_ref && text.length <= LABEL_MAX ? text : null;
}

function commentsOf(entry: Issue): ImportedComment[] {
  const author = entry.created_by ?? "beads";
  const comments: ImportedComment[] = [];
  if (entry.notes) comments.push({ authorId: author, body: entry.notes, at: entry.created_at });
  if (entry.external_ref && referenceLabel(entry) === null)
    comments.push({ authorId: author, body: FOREIGN + entry.external_ref, at: entry.created_at });
  if (entry.close_reason)
    comments.push({ authorId: author, body: entry.close_reason, at: entry.closed_at ?? entry.updated_at });
  for (const { author: authorId, text, created_at: at } of entry.comments ?? [])
    comments.push({ authorId, body: text, at });
  return comments;
}

function readEdges(
  entry: Issue,
  gone: ReadonlySet<string>,
  skipped: Skipped[],
): { parentRef: string | null; dependsOn: string[] } {
  let parentRef: string | null = null;
  const dependsOn = new Set<string>();
  for (const { depends_on_id: target, type } of entry.dependencies ?? []) {
    const skip = (reason: string) => skipped.push({ ref: `${entry.id} → ${target}`, reason });
    if (gone.has(target)) skip("edge to a tombstone");
    else if (type === "blocks") dependsOn.add(target);
    else if (type !== "parent-child") skip(`edge of type ${type}`);
    else if (parentRef === null) parentRef = target;
    else skip("second parent");
  }
  return { parentRef, dependsOn: [...dependsOn] };
}
