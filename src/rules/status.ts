/**
 * The task status machine. Pure and without a single import, so that the page, the client and the board
 * enforce one and the same table.
 */

export const TASK_STATUSES = [
  "backlog",
  "todo",
  "in_progress",
  "in_review",
  "blocked",
  "done",
  "cancelled",
] as const;

export type TaskStatus = (typeof TASK_STATUSES)[number];

const LEGAL: Record<TaskStatus, readonly TaskStatus[]> = {
  backlog: ["todo", "blocked", "cancelled"],
  todo: ["in_progress", "blocked", "backlog", "cancelled"],
  in_progress: ["in_review", "done", "blocked", "todo", "cancelled"],
  in_review: ["done", "in_progress", "blocked", "cancelled"],
  blocked: ["todo", "in_progress", "backlog", "cancelled"],
  done: [],
  cancelled: [],
};

/** True for every legal move, and for a status onto itself: asking again for what already is changes nothing. */
export function canTransition(from: TaskStatus, to: TaskStatus): boolean {
  return from === to || LEGAL[from].includes(to);
}

/** The moves a task may make from here, as a fresh array the caller may keep or change. */
export function legalTargets(from: TaskStatus): TaskStatus[] {
  return [...LEGAL[from]];
}

/** Done or cancelled: there is no way out. */
export function isTerminal(status: TaskStatus): boolean {
  return LEGAL[status].length === 0;
}

/** Somebody works on it or waits for its review, so nobody else may be given it. */
export function isLocked(status: TaskStatus): boolean {
  return status === "in_progress" || status === "in_review";
}
