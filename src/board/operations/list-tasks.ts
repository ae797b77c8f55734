import { CLAIM_SCAN_MAX, SEARCH_SCAN_MAX, SEARCH_STEP } from "../../contract/limits.ts";
import { accept, type Result } from "../../contract/result.ts";
import type { Task } from "../../contract/task.ts";
import { readTerms } from "../../rules/search.ts";
import { fitting } from "../answer-size.ts";
import type { Context } from "../context.ts";
import { lastSeq } from "../store/events.ts";
import {
  isAfter,
  placeOf,
  promoteDeferred,
  type QueuePlace,
  readyAmong,
  readyTasks,
} from "../store/ready-queue.ts";
import type { TaskRow } from "../store/rows.ts";
import { listTasks as listByNumber, type TaskFilter } from "../store/task-lists.ts";
import { viewTasks } from "../view.ts";
import { badCursor } from "./bad-cursor.ts";
import { TextCheck } from "./check-texts.ts";
import { resolveId } from "./find-task.ts";
import { fewCandidates } from "./search-lead.ts";
import { searchTasks } from "./search-tasks.ts";

export interface ListTasks {
  filter: TaskFilter;
  /** `queue`: ready tasks only, in the order they are handed out. */
  order: "newest" | "oldest" | "queue";
  /** Every term of it has to stand in title, description or comments. */
  q?: string | null;
  cursor: string | null;
  limit: number;
}

export interface TaskPage {
  tasks: Task[];
  hasMore: boolean;
  nextCursor: string | null;
  seq: number;
}

export function listTasks(ctx: Context, input: ListTasks): Result<TaskPage> {
  const { parentTaskId } = input.filter;
  const filter = {
    ...input.filter,
    parentTaskId: parentTaskId === null ? null : resolveId(ctx, parentTaskId),
  };
  const resolved = { ...input, filter };
  return input.order === "queue" ? listQueue(ctx, resolved) : listNumbers(ctx, resolved, input.order);
}

function listNumbers(ctx: Context, input: ListTasks, order: "newest" | "oldest"): Result<TaskPage> {
  if (input.cursor !== null && !/^\d{1,15}$/.test(input.cursor)) return badCursor();
  const cursor = input.cursor === null ? null : Number(input.cursor);
  const { filter, limit } = input;
  const terms = readTerms(input.q ?? "");
  const { rows, stoppedAt } =
    terms.length === 0
      ? { rows: listByNumber(ctx.sql, filter, order, cursor, limit + 1), stoppedAt: null }
      : searchTasks(ctx.sql, { terms, filter, order }, cursor, limit + 1);
  const shown = page(ctx, rows, limit, (row) => String(row.number));
  if (shown.hasMore || stoppedAt === null) return accept(shown);
  return accept({ ...shown, hasMore: true, nextCursor: String(stoppedAt) });
}

/** Rows that moved meanwhile may be missed or seen twice; the number order has no such gap. */
function listQueue(ctx: Context, input: ListTasks): Result<TaskPage> {
  promoteDeferred(ctx.sql, ctx.now);
  const order = ctx.board.settings.readyOrder;
  let place = input.cursor === null ? null : readPlace(input.cursor);
  if (place === undefined) return badCursor();
  const terms = readTerms(input.q ?? "");
  const check = new TextCheck(ctx.sql, terms);
  const placed = (row: TaskRow) => writePlace(placeOf(row, order));
  const few = terms.length === 0 ? null : fewCandidates(ctx.sql, terms);
  if (few !== null) {
    const after = place;
    const rest = readyAmong(ctx.sql, order, [...few.keys()]).filter(
      (row) =>
        (after === null || isAfter(placeOf(row, order), after, order)) &&
        matches(row, input.filter) &&
        check.holds(row, few.get(row.number)),
    );
    return accept(page(ctx, rest, input.limit, placed));
  }
  const [size, most] =
    terms.length === 0 ? [input.limit + 1, CLAIM_SCAN_MAX] : [SEARCH_STEP, SEARCH_SCAN_MAX];
  const rows: TaskRow[] = [];
  let exhausted = false;
  for (let examined = 0; rows.length <= input.limit && !exhausted && examined + check.read < most; ) {
    const step = readyTasks(ctx.sql, order, size, place);
    exhausted = step.length < size;
    examined += step.length;
    const last = step.at(-1);
    if (last !== undefined) place = placeOf(last, order);
    rows.push(...step.filter((row) => matches(row, input.filter) && check.holds(row)));
  }
  const shown = page(ctx, rows, input.limit, placed);
  // The filter matched little and there is more of the queue: hand back where the walk stopped.
  if (!shown.hasMore && !exhausted && place !== null)
    return accept({ ...shown, hasMore: true, nextCursor: writePlace(place) });
  return accept(shown);
}

function matches(row: TaskRow, filter: TaskFilter): boolean {
  const labels: string[] = filter.labels.length === 0 ? [] : JSON.parse(row.labels);
  return (
    (filter.statuses.length === 0 || filter.statuses.includes(row.status)) &&
    (filter.teamId === null || row.team_id === filter.teamId) &&
    (filter.parentTaskId === null || row.parent_task_id === filter.parentTaskId) &&
    (filter.assigneeAgentId === null || row.assignee_agent_id === filter.assigneeAgentId) &&
    (filter.kind === null || row.kind === filter.kind) &&
    (filter.externalRef === null || row.external_ref === filter.externalRef) &&
    (filter.tenantId === null || row.tenant_id === filter.tenantId) &&
    filter.labels.every((label) => labels.includes(label))
  );
}

function page(ctx: Context, rows: TaskRow[], limit: number, cursorOf: (row: TaskRow) => string): TaskPage {
  const shown = fitting(rows.slice(0, limit));
  const last = shown.at(-1);
  const hasMore = rows.length > shown.length;
  return {
    tasks: viewTasks(ctx, shown),
    hasMore,
    nextCursor: hasMore && last !== undefined ? cursorOf(last) : null,
    seq: lastSeq(ctx.sql),
  };
}

function writePlace(place: QueuePlace): string {
  return `${place.priority}.${place.time}.${place.number}`;
}

function readPlace(cursor: string): QueuePlace | undefined {
  const match = /^(\d{1,2})\.(\d{1,15})\.(\d{1,15})$/.exec(cursor);
  if (match === null) return undefined;
  return { priority: Number(match[1]), time: Number(match[2]), number: Number(match[3]) };
}
