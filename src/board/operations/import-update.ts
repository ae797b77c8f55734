/** What an import does to a task that is on the board already, and to the comments it brings. */
import type { ImportedTask } from "../../import-export/imported.ts";
import { isDeferred } from "../../rules/readiness.ts";
import { isLocked, isTerminal } from "../../rules/status.ts";
import type { Context } from "../context.ts";
import { commentsOf, insertComments, nextCommentNumber } from "../store/comments.ts";
import type { NewEvent } from "../store/events.ts";
import type { CommentRow, TaskRow } from "../store/rows.ts";
import { moveTasks, saveContent } from "../store/tasks.ts";

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
export function updateTask(
  ctx: Context,
  source: ImportedTask,
  before: TaskRow,
  ids: ReadonlyMap<string, TaskRow>,
): Update {
  const seq = ctx.log.reserve();
  const settled = isLocked(before.status) || isTerminal(before.status);
  const status = settled ? before.status : source.status;
  const deferred = isDeferred(source.notBefore, ctx.now) ? 1 : 0;
  const parent = source.parentRef === null ? before.parent_task_id : (ids.get(source.parentRef)?.id ?? null);
  const fields = {
    title: source.title,
    description: source.description,
    priority: source.priority,
    labels: JSON.stringify(source.labels),
    kind: source.kind,
    not_before: source.notBefore,
    parent_task_id: parent,
  };
  const after: TaskRow = {
    ...before,
    ...fields,
    status,
    deferred,
    version: before.version + 1,
    completed_at: settled ? before.completed_at : source.completedAt,
    updated_at: source.updatedAt,
    change_seq: seq,
  };
  saveContent(ctx.sql, after);
  if (status !== before.status) moveTasks(ctx.sql, [{ before, after }]);
  const event: NewEvent = {
    seq,
    kind: status === before.status ? "task_edited" : "status_changed",
    taskId: before.id,
    tenantId: before.tenant_id,
    data: {
      fields: { ...fields, labels: source.labels },
      version: after.version,
      ...(status === before.status ? {} : { from: before.status, to: status }),
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
  let number = nextCommentNumber(ctx.sql);
  const rows: CommentRow[] = [];
  const add = ({ source, row }: Placed, seen: ReadonlySet<string>) => {
    for (const { authorId, body, at } of source.comments)
      if (!seen.has(`${authorId}\n${body}`))
        rows.push({
          number: number++,
          task_id: row.id,
          author_id: authorId,
          body,
          created_at: at,
          tenant_id: row.tenant_id,
        });
  };
  for (const placed of created) add(placed, new Set());
  for (const { source, after } of updates) {
    const have = commentsOf(ctx.sql, after.id, 0, 10_000);
    add({ source, row: after }, new Set(have.map((comment) => `${comment.author_id}\n${comment.body}`)));
  }
  insertComments(ctx.sql, rows);
  return rows;
}
