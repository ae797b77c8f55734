/** What an import does to tasks that are on the board already, and to the comments it brings. */
import type { ImportedTask } from "../../import-export/imported.ts";
import { isDeferred } from "../../rules/readiness.ts";
import { isLocked, isTerminal, type TaskStatus } from "../../rules/status.ts";
import type { Context } from "../context.ts";
import { insertComments, nextCommentNumber } from "../store/comments.ts";
import type { NewEvent } from "../store/events.ts";
import { insertNewComments } from "../store/import-history.ts";
import { saveContents } from "../store/import-writes.ts";
import type { CommentRow, TaskRow } from "../store/rows.ts";
import { moveTasks } from "../store/tasks.ts";
import type { Known } from "./import-compare.ts";
import { moved } from "./move-task.ts";

/** A source task and the row it became. */
export interface Placed {
  source: ImportedTask;
  row: TaskRow;
}

export interface Update {
  source: ImportedTask;
  before: TaskRow;
  after: TaskRow;
  event: NewEvent;
}

/** A task that is being worked on, or has ended, keeps its status whatever the source says. */
export function statusAfter(source: { status: TaskStatus }, before: { status: TaskStatus }): TaskStatus {
  return isLocked(before.status) || isTerminal(before.status) ? before.status : source.status;
}

/** All of them in two statements; the events are left to the caller, who knows what else came. */
export function updateTasks(ctx: Context, newer: readonly Known[], idOf: (ref: string) => string): Update[] {
  const firstSeq = ctx.log.reserve(newer.length);
  const updates = newer.map((known, index) => updateOf(ctx, known, firstSeq + index, idOf));
  saveContents(
    ctx.sql,
    updates.map(({ after }) => after),
  );
  const moves = updates.filter(({ before, after }) => before.status !== after.status);
  if (moves.length > 0) moveTasks(ctx.sql, moves);
  return updates;
}

function updateOf(
  ctx: Context,
  { source, row: before }: Known,
  seq: number,
  idOf: (ref: string) => string,
): Update {
  const status = statusAfter(source, before);
  const stays = status === before.status;
  const fields = {
    title: source.title,
    description: source.description,
    priority: source.priority,
    labels: JSON.stringify(source.labels),
    kind: source.kind,
    not_before: source.notBefore,
    parent_task_id: source.parentRef === null ? before.parent_task_id : idOf(source.parentRef),
  };
  const after: TaskRow = {
    ...(stays ? before : moved(before, status, { now: ctx.now, changeSeq: seq, touches: false })),
    ...fields,
    deferred: isDeferred(source.notBefore, ctx.now) ? 1 : 0,
    version: before.version + 1,
    completed_at: isTerminal(before.status)
      ? before.completed_at
      : isTerminal(status)
        ? source.completedAt
        : null,
    updated_at: source.updatedAt,
    change_seq: seq,
  };
  const event: NewEvent = {
    seq,
    kind: stays ? "task_edited" : "status_changed",
    taskId: before.id,
    tenantId: before.tenant_id,
    data: {
      fields: { ...fields, labels: source.labels },
      version: after.version,
      ...(stays ? {} : { from: before.status, to: status }),
      reason: "import",
    },
  };
  return { source, before, after, event };
}

/** Every comment of a new task; of a known one, those it does not have yet. */
export function addComments(
  ctx: Context,
  created: readonly Placed[],
  updates: readonly Update[],
): CommentRow[] {
  const first = nextCommentNumber(ctx.sql);
  const rows = created
    .flatMap(commentRows)
    .map((comment, index): CommentRow => ({ ...comment, number: first + index }));
  insertComments(ctx.sql, rows);
  const offered = updates.flatMap(({ source, after }) => commentRows({ source, row: after }));
  return [...rows, ...insertNewComments(ctx.sql, offered, "words")];
}

/** Without a number yet: 0 is nobody's. */
function commentRows({ source, row }: Placed): CommentRow[] {
  return source.comments.map(({ authorId, body, at }) => ({
    number: 0,
    task_id: row.id,
    author_id: authorId,
    body,
    created_at: at,
    tenant_id: row.tenant_id,
  }));
}
