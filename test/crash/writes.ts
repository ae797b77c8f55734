/**
 * What a client asked a board to do, and how often the board did it. Each write carries a mark of its own (a title, a
 * comment, a summary …), so that it can be found in the log and in the tables, and counted. Pure.
 */
import type { BoardEvent } from "../../src/contract/events.ts";
import type { Tables } from "./read-board.ts";

export type Verb = "create" | "edit" | "comment" | "link" | "claim" | "complete" | "release";

export interface Write {
  verb: Verb;
  mark: string;
  /**
   * `sent`: nobody knows yet. `done`: acknowledged, or told to have been done. `refused`: by a refusal that says it was
   * not done before either. `unsure`: by one that does not.
   */
  state: "sent" | "done" | "refused" | "unsure";
  /** How often its answer was lost. */
  lost: number;
  /** Where the answer said it is. */
  taskId?: string;
  epoch?: number;
}

export interface Found {
  taskId: string;
  epoch?: number | undefined;
}

export const linkMark = (taskId: string, dependsOnTaskId: string) => `${taskId} waits for ${dependsOnTaskId}`;

export type Traces = Map<string, Found[]>;

export function tracesInLog(events: readonly BoardEvent[]): Traces {
  const traces: Traces = new Map();
  for (const event of events) {
    const mark = markOf(event);
    if (typeof mark === "string" && event.taskId !== null)
      note(traces, mark, { taskId: event.taskId, epoch: event.epoch });
  }
  return traces;
}

// biome-ignore lint/suspicious/noExplicitAny: events carry data of every shape
function markOf({ kind, taskId, data }: { kind: string; taskId: string | null; data: any }): unknown {
  if (kind === "task_created") return data.task.title;
  if (kind === "task_edited") return data.fields.description;
  if (kind === "comment_added") return data.comment.body;
  if (kind === "task_claimed") return data.runtime;
  if (kind === "execution_completed") return data.summary;
  if (kind === "task_released") return data.via === "release" ? data.reason : null;
  if (kind === "dependency_linked") return linkMark(taskId ?? "", data.dependsOnTaskId);
  return null;
}

/** A description holds only the last of its edits: those are found where they are the last. */
export function tracesInTables({ tasks, edges, comments, runs }: Tables): Traces {
  const traces: Traces = new Map();
  for (const { id, title } of tasks) note(traces, title, { taskId: id });
  for (const { taskId, body } of comments) note(traces, body, { taskId });
  for (const { taskId, dependsOnTaskId } of edges)
    note(traces, linkMark(taskId, dependsOnTaskId), { taskId });
  for (const { taskId, epoch, runtime, summary, reason } of runs)
    for (const mark of [runtime, summary, reason]) if (mark !== null) note(traces, mark, { taskId, epoch });
  return traces;
}

function note(traces: Traces, mark: string, found: Found): void {
  const before = traces.get(mark);
  if (before === undefined) traces.set(mark, [found]);
  else before.push(found);
}
