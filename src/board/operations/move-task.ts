/** A task on its way from one status to the next: what every move changes, whoever asks for it. */
import { isDeferred } from "../../rules/readiness.ts";
import { isTerminal, type TaskStatus } from "../../rules/status.ts";
import type { TaskRow } from "../store/rows.ts";

export interface Move {
  now: number;
  changeSeq: number;
  /** People and holders touch `updatedAt`, sweeps and cascades do not: a swept task keeps its place. */
  touches: boolean;
  blockedReason?: string | null;
  /** Who takes it, where the move is a lead's own into `in_progress`. */
  holder?: string;
  attemptStreak?: number;
  /** Not offered again before this; absent: as it was. */
  notBefore?: number | null;
}

/** The row after the move. A release (`todo`) clears holder, runtime and verdict: the next run starts afresh. */
export function moved(task: TaskRow, to: TaskStatus, move: Move): TaskRow {
  const released = to === "todo";
  const notBefore = move.notBefore === undefined ? task.not_before : move.notBefore;
  return {
    ...task,
    status: to,
    assignee_agent_id: released ? null : (move.holder ?? task.assignee_agent_id),
    assignee_runtime: released || move.holder !== undefined ? null : task.assignee_runtime,
    verification: released ? null : task.verification,
    blocked_reason: to === "blocked" ? (move.blockedReason ?? null) : null,
    not_before: notBefore,
    deferred: isDeferred(notBefore, move.now) ? 1 : 0,
    ready_since: released ? move.now : task.ready_since,
    attempt_streak: move.attemptStreak ?? task.attempt_streak,
    updated_at: move.touches ? move.now : task.updated_at,
    completed_at: isTerminal(to) ? move.now : null,
    change_seq: move.changeSeq,
  };
}
