/** What a board shows of a task. */
import { CARD_REASON_CHARS } from "../contract/limits.ts";
import type { Task, TaskCard } from "../contract/task.ts";

export function cardOf(task: Task): TaskCard {
  const {
    description: _description,
    verification,
    sourceDelegationId: _delegation,
    parentSessionId: _session,
    scheduledBy: _scheduledBy,
    tenantId: _tenant,
    worktreeRef: _worktree,
    branchRef: _branch,
    ...card
  } = task;
  return {
    ...card,
    blockedReason: task.blockedReason === null ? null : firstCharacters(task.blockedReason),
    verdict: verification?.status ?? null,
  };
}

/** Cut between characters, never within one. */
function firstCharacters(text: string): string {
  return text.length <= CARD_REASON_CHARS ? text : [...text].slice(0, CARD_REASON_CHARS).join("");
}
