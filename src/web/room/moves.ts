/** Moves a task: shown at once, taken back where the board says no, and never alongside another one's change. */
import type { Board } from "../../client/board.ts";
import type { Body } from "../../client/calls.ts";
import { Refused } from "../../client/errors.ts";
import type { Me } from "../../contract/answers.ts";
import { legalTargets, type TaskStatus } from "../../rules/status.ts";
import { mayAs } from "../session/session.ts";
import { errorText } from "../ui/problem.ts";
import { STATUS_NAMES } from "../ui/status.tsx";
import { announce, notify } from "../ui/toasts.tsx";
import { type Card, cardOf } from "./card.ts";
import type { Store } from "./store.ts";

export type Extra = Pick<
  Body<"changeTask">,
  "displace" | "humanOverride" | "overrideReason" | "blockedReason"
>;

/** Where somebody who is signed in may move a card. A verifier only lets pass what is in review. */
export function targetsOf(card: Card, me: Me): TaskStatus[] {
  if (card.dropped) return [];
  if (mayAs(me, "lead")) return legalTargets(card.status);
  return me.role === "verifier" && card.status === "in_review" ? ["done"] : [];
}

/** What a move came to. `gated`: only a lead's override, with a reason, gets it through. */
export type Moved = "moved" | "refused" | "gated";

export async function moveTask(
  board: Board,
  store: Store,
  id: string,
  to: TaskStatus,
  extra: Extra = {},
): Promise<Moved> {
  const card = store.card(id);
  if (card === null || card.status === to || store.move(id) !== null) return "refused";
  store.startMove(id, { to, base: card.changeSeq });
  try {
    const { task } = await editAsSeen(board, card, to, extra);
    store.apply([cardOf(task)], task.changeSeq);
    store.endMove(id);
    announce(`n${card.number} is now ${STATUS_NAMES[task.status].toLowerCase()}.`);
    return "moved";
  } catch (error) {
    store.endMove(id);
    if (Refused.is(error, "verification_required", "not_ready") && mayAs(store.me, "lead")) return "gated";
    if (Refused.is(error, "version_mismatch")) {
      const { task } = error.problem;
      store.apply([cardOf(task)], task.changeSeq);
      notify(
        `n${card.number} was changed meanwhile: it is ${STATUS_NAMES[task.status].toLowerCase()}.`,
        "bad",
      );
    } else notify(`n${card.number} was not moved. ${errorText(error)}`, "bad");
    return "refused";
  }
}

/** A comment or an edit in between does not matter to a move; another move does. */
async function editAsSeen(board: Board, card: Card, to: TaskStatus, extra: Extra) {
  const body = { status: to, ...extra };
  try {
    return await board.tasks.edit(card.id, body, { ifChangeSeq: card.changeSeq });
  } catch (error) {
    if (!Refused.is(error, "version_mismatch")) throw error;
    const { task } = error.problem;
    if (task.status !== card.status || task.epoch !== card.epoch) throw error;
    return board.tasks.edit(card.id, body, { ifChangeSeq: task.changeSeq });
  }
}
