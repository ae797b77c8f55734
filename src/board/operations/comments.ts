/** Comments: append-only, by whom the token says. */
import { accept, type Result } from "../../contract/result.ts";
import type { Comment } from "../../contract/task.ts";
import { fitting } from "../answer-size.ts";
import type { Context } from "../context.ts";
import {
  commentsOf,
  insertComments,
  nextCommentNumber,
  saveCommentsRead,
  viewComment,
} from "../store/comments.ts";
import { lastSeq } from "../store/events.ts";
import type { CommentRow, TaskRow } from "../store/rows.ts";
import { runningExecution } from "../store/running.ts";
import { saveChangeSeq } from "../store/tasks.ts";
import { requireTask } from "./find-task.ts";

export function addComment(ctx: Context, input: { id: string; body: string }): Result<{ comment: Comment }> {
  const found = requireTask(ctx, input.id);
  if (!found.ok) return found;
  const { task } = found;
  const seq = ctx.log.reserve();
  const row: CommentRow = {
    number: nextCommentNumber(ctx.sql),
    task_id: task.id,
    author_id: ctx.caller.sub,
    body: input.body,
    created_at: ctx.now,
    tenant_id: task.tenant_id,
  };
  insertComments(ctx.sql, [row]);
  saveChangeSeq(ctx.sql, task.number, seq);
  ctx.log.append({
    seq,
    kind: "comment_added",
    taskId: task.id,
    tenantId: task.tenant_id,
    data: { comment: viewComment(row) },
  });
  return accept({ comment: viewComment(row) });
}

export interface CommentPage {
  comments: Comment[];
  hasMore: boolean;
  nextCursor: string | null;
  seq: number;
}

/** Oldest first. When the holder reads them, its beats stop counting them as new. */
export function listComments(
  ctx: Context,
  input: { id: string; after: number; limit: number },
): Result<CommentPage> {
  const found = requireTask(ctx, input.id);
  if (!found.ok) return found;
  const rows = commentsOf(ctx.sql, found.task.id, input.after, input.limit + 1);
  const shown = fitting(rows.slice(0, input.limit));
  const last = shown.at(-1);
  markRead(ctx, found.task, last?.number ?? 0);
  const hasMore = rows.length > shown.length;
  return accept({
    comments: shown.map(viewComment),
    hasMore,
    nextCursor: hasMore && last !== undefined ? String(last.number) : null,
    seq: lastSeq(ctx.sql),
  });
}

export function markRead(ctx: Context, task: TaskRow, upTo: number): void {
  if (task.assignee_agent_id !== ctx.caller.sub || upTo === 0) return;
  const running = runningExecution(ctx.sql, task.id);
  if (running !== null && running.agent_id === ctx.caller.sub && running.comments_read < upTo)
    saveCommentsRead(ctx.sql, task.id, running.epoch, upTo);
}
