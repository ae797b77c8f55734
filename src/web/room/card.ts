/** A task as the board shows it, and what a whole task looks like as one. */
import { CARD_REASON_CHARS } from "../../contract/limits.ts";
import type { Task, TaskCard } from "../../contract/task.ts";
import { isReady } from "../../rules/readiness.ts";

export type Card = TaskCard;

export function cardOf(task: Task): Card {
  const { verification, blockedReason, ...rest } = task;
  const card: Partial<Task> = rest;
  for (const name of LEFT_OUT) delete card[name];
  return {
    ...(card as Omit<Card, "verdict" | "blockedReason">),
    blockedReason: blockedReason === null ? null : [...blockedReason].slice(0, CARD_REASON_CHARS).join(""),
    verdict: verification?.status ?? null,
  };
}

/** What a card does not have of a task. */
const LEFT_OUT = [
  "description",
  "verification",
  "sourceDelegationId",
  "parentSessionId",
  "scheduledBy",
  "tenantId",
  "worktreeRef",
  "branchRef",
] as const;

/** Whether it can be claimed; also once the time has come that it was put off to. */
export function isCardReady(card: Card, now: number): boolean {
  return isReady(
    {
      status: card.status,
      dropped: card.dropped,
      assigned: card.assigneeAgentId !== null,
      openDependencies: card.openDependencies,
      notBefore: card.notBefore,
    },
    now,
  );
}
