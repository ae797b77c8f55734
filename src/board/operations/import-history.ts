/** What people said and agents did: comments, runs and workspaces, each of which a board has once. */
import { accept, type Result, refuse } from "../../contract/result.ts";
import { batchesOf } from "../../import-export/edgeboard.ts";
import type { ImportIssue, Skipped } from "../../import-export/imported.ts";
import type { Source } from "../../import-export/source.ts";
import type { Masking } from "../../rules/masking.ts";
import { isLocked } from "../../rules/status.ts";
import type { Context } from "../context.ts";
import { nextCommentNumber } from "../store/comments.ts";
import {
  insertNewComments,
  insertNewRuns,
  insertNewWorkspaces,
  insertOwnComments,
  otherRuns,
  type RunKey,
  type WorkspaceKey,
} from "../store/import-history.ts";
import type { StandingTask } from "../store/import-standing.ts";
import { raiseEpochs } from "../store/import-writes.ts";
import type { CommentRow, ExecutionRow, WorkspaceRow } from "../store/rows.ts";
import { commentRow, executionRow, maskRun, workspaceRow } from "./import-lines.ts";
import type { Places } from "./import-places.ts";

export interface AddedHistory {
  comments: number;
  /** The number of the first comment that was added. */
  firstComment: number;
  /** Tasks that comments were added to. */
  saidOn: Set<string>;
  runs: RunKey[];
  workspaces: WorkspaceKey[];
  skipped: Skipped[];
}

export function addHistory(
  ctx: Context,
  source: Source,
  places: Places,
  masking: Masking,
): Result<AddedHistory> {
  const added: AddedHistory = {
    comments: 0,
    firstComment: nextCommentNumber(ctx.sql),
    saidOn: new Set(),
    runs: [],
    workspaces: [],
    skipped: [],
  };
  for (const lines of batchesOf(source, ["comment", "execution", "workspace"])) {
    const comments: CommentRow[] = [];
    const runs: ExecutionRow[] = [];
    const workspaces: WorkspaceRow[] = [];
    for (const line of lines) {
      const taskId = places.idOf(line.taskId) as string;
      if (line.type === "comment") comments.push(commentRow(line, taskId));
      else if (line.type === "workspace") workspaces.push(workspaceRow(line, taskId));
      else if (isOvertaken(line.epoch, places.standing.get(taskId)))
        added.skipped.push({ ref: line.id, reason: "a later run of a task that is being worked on here" });
      else runs.push(executionRow(maskRun(masking, line), taskId));
    }
    const twin =
      addComments(ctx, comments, places.restores, added) ??
      addRuns(ctx, runs, places.restores, added) ??
      addWorkspaces(ctx, workspaces, places.restores, added);
    if (twin !== null)
      return refuse("import_invalid", "The source has faults; nothing was stored.", { issues: [twin] });
  }
  raiseEpochs(ctx.sql, new Set(added.runs.map((run) => run.task_id)));
  return accept(added);
}

/** The holder's epoch is the task's last one while its lease runs. */
function isOvertaken(epoch: number, task: StandingTask | undefined): boolean {
  return task !== undefined && isLocked(task.status) && epoch > task.epoch;
}

function addComments(
  ctx: Context,
  rows: readonly CommentRow[],
  restores: boolean,
  added: AddedHistory,
): ImportIssue | null {
  const inserted = restores ? insertOwnComments(ctx.sql, rows) : insertNewComments(ctx.sql, rows, "moment");
  if (restores && inserted.length < rows.length)
    return { path: "comments", message: "two comments share an id" };
  added.comments += inserted.length;
  for (const { task_id } of inserted) added.saidOn.add(task_id);
  return null;
}

function addRuns(
  ctx: Context,
  rows: readonly ExecutionRow[],
  restores: boolean,
  added: AddedHistory,
): ImportIssue | null {
  const strangers = restores ? [] : otherRuns(ctx.sql, rows);
  for (const { id, epoch } of strangers)
    added.skipped.push({ ref: id, reason: `another run here has its epoch ${epoch}` });
  const inserted = insertNewRuns(ctx.sql, rows);
  if (restores && inserted.length < rows.length)
    return { path: "executions", message: "two runs share an id, or an epoch of one task" };
  added.runs.push(...inserted);
  return null;
}

function addWorkspaces(
  ctx: Context,
  rows: readonly WorkspaceRow[],
  restores: boolean,
  added: AddedHistory,
): ImportIssue | null {
  const inserted = insertNewWorkspaces(ctx.sql, rows);
  if (restores && inserted.length < rows.length)
    return { path: "workspaces", message: "two workspaces share an id" };
  added.workspaces.push(...inserted);
  return null;
}
