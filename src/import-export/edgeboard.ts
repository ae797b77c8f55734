/**
 * Reads an Edgeboard export. It is gone through once to see what is in it, which keeps a few words of each task
 * and no text, and then again by whoever stores it: a large board is never in memory whole.
 */
import { IMPORT_ISSUES_MAX, IMPORT_LINE_MAX_CHARS, IMPORT_MAX_BOARD_TASKS } from "../contract/limits.ts";
import type { OnCancel } from "../contract/task.ts";
import type { TaskStatus } from "../rules/status.ts";
import { LINES, type Line, type LineOf, type LineType } from "./edgeboard-lines.ts";
import type { ImportIssue } from "./imported.ts";
import { linesOf, type Source } from "./source.ts";

/** What has to be known of a task before any is stored. */
export interface TaskBrief {
  id: string;
  number: number;
  externalRef: string | null;
  parentTaskId: string | null;
  status: TaskStatus;
  dropped: boolean;
  updatedAt: number;
  /** The highest its runs have, or its own. */
  epoch: number;
  /** A run of it had not ended. */
  running: boolean;
  /** Characters of its comments, runs and workspaces. */
  history: number;
}

export interface Edge {
  dependsOnTaskId: string;
  onCancel: OnCancel;
  createdAt: number;
  tenantId: string | null;
}

export interface Survey {
  board: LineOf<"board"> | null;
  tasks: Map<string, TaskBrief>;
  /** By the task that waits. */
  edges: Map<string, Edge[]>;
  /** Tasks that are named, and are not in the source. */
  elsewhere: Set<string>;
  /** Those of them that have edges, comments, runs or workspaces in it. */
  speaksOf: Set<string>;
  issues: ImportIssue[];
}

export function surveyBoard(source: Source): Survey {
  const survey: Survey = {
    board: null,
    tasks: new Map(),
    edges: new Map(),
    elsewhere: new Set(),
    speaksOf: new Set(),
    issues: [],
  };
  const runs = new Map<string, { epoch: number; running: boolean; history: number }>();
  let ended = false;
  for (const { number, text } of linesOf(source, IMPORT_LINE_MAX_CHARS)) {
    if (survey.issues.length >= IMPORT_ISSUES_MAX) break;
    const fault = (message: string, field = "") =>
      survey.issues.push({ path: `line ${number}${field}`, message });
    const line = readLine(text, fault);
    if (line === null) continue;
    if (line.type === "end") {
      if (ended) fault("is a second end");
      ended = true;
    } else if (line.type === "board") {
      if (survey.board !== null) fault("is a second header");
      survey.board = line;
    } else if (line.type === "task") {
      if (survey.tasks.has(line.id)) fault("has an id that stands twice", ".id");
      else survey.tasks.set(line.id, briefOf(line));
      if (survey.tasks.size > IMPORT_MAX_BOARD_TASKS) {
        fault(`is one task more than the ${IMPORT_MAX_BOARD_TASKS} that an import may bring`);
        break;
      }
    } else if (line.type === "dependency") addEdge(survey, line);
    else {
      const known = runs.get(line.taskId) ?? { epoch: 0, running: false, history: 0 };
      known.history += text.length;
      if (line.type === "execution") {
        known.epoch = Math.max(known.epoch, line.epoch);
        known.running ||= line.status === "running";
      }
      runs.set(line.taskId, known);
    }
  }
  if (survey.issues.length > 0) return survey;
  if (survey.board === null)
    survey.issues.push({ path: "", message: "has no header: no line of type board" });
  if (!ended) survey.issues.push({ path: "", message: "has no end: the file was cut short" });
  for (const [taskId, { epoch, running, history }] of runs) {
    const brief = survey.tasks.get(taskId);
    if (brief === undefined) survey.speaksOf.add(taskId);
    else Object.assign(brief, { epoch: Math.max(brief.epoch, epoch), running, history });
  }
  nameElsewhere(survey);
  return survey;
}

function nameElsewhere({ tasks, edges, elsewhere, speaksOf }: Survey): void {
  const name = (id: string) => {
    if (!tasks.has(id)) elsewhere.add(id);
  };
  for (const taskId of edges.keys()) if (!tasks.has(taskId)) speaksOf.add(taskId);
  for (const taskId of speaksOf) elsewhere.add(taskId);
  for (const targets of edges.values()) for (const { dependsOnTaskId } of targets) name(dependsOnTaskId);
  for (const { parentTaskId } of tasks.values()) if (parentTaskId !== null) name(parentTaskId);
}

/** Characters of lines that are in memory as rows at once. */
const BATCH_CHARS = 500_000;

/** The lines of these types, some at a time, of a source that was surveyed without an issue. */
export function* batchesOf<T extends LineType>(source: Source, types: readonly T[]): Generator<LineOf<T>[]> {
  const wanted: readonly string[] = types;
  let batch: LineOf<T>[] = [];
  let size = 0;
  for (const { text } of linesOf(source)) {
    // Our own lines say their type first, so that most need not be read to be passed over.
    const shown = /^\{"type":"(\w+)"/.exec(text)?.[1];
    if (shown !== undefined && !wanted.includes(shown)) continue;
    // It was held against its schema by the survey; what a line may leave out is null.
    const line: Line = JSON.parse(text);
    if (!wanted.includes(line.type)) continue;
    batch.push(line as LineOf<T>);
    size += text.length;
    if (size < BATCH_CHARS) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

type Fault = (message: string, field?: string) => void;

function readLine(text: string, fault: Fault): Line | null {
  if (text.length > IMPORT_LINE_MAX_CHARS) {
    fault(`is longer than ${IMPORT_LINE_MAX_CHARS} characters`);
    return null;
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    fault("is not JSON");
    return null;
  }
  const schema = schemaOf(json);
  if (schema === null) {
    fault(`has none of the types ${Object.keys(LINES).join(", ")}`, ".type");
    return null;
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data as Line;
  for (const { path, message } of parsed.error.issues)
    fault(message, path.map((part) => `.${String(part)}`).join(""));
  return null;
}

function schemaOf(json: unknown) {
  const type = typeof json === "object" && json !== null && "type" in json ? json.type : null;
  return typeof type === "string" && Object.hasOwn(LINES, type) ? LINES[type as LineType] : null;
}

function briefOf(line: LineOf<"task">): TaskBrief {
  const { id, number, externalRef, parentTaskId, status, dropped, updatedAt, epoch } = line;
  return {
    id,
    number,
    externalRef,
    parentTaskId,
    status,
    dropped,
    updatedAt,
    epoch,
    running: false,
    history: 0,
  };
}

function addEdge({ edges }: Survey, line: LineOf<"dependency">): void {
  const { taskId, dependsOnTaskId, onCancel, createdAt, tenantId } = line;
  const edge = { dependsOnTaskId, onCancel, createdAt, tenantId };
  const known = edges.get(taskId);
  if (known === undefined) edges.set(taskId, [edge]);
  else known.push(edge);
}
