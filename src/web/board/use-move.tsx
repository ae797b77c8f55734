/** A move as somebody asks for it: with the questions that belong to it, and what came of it. */
import { type ReactNode, Suspense, useCallback, useState } from "react";
import type { TaskStatus } from "../../rules/status.ts";
import type { Card } from "../room/card.ts";
import { type Extra, moveTask } from "../room/moves.ts";
import { useRoom } from "../room/room.tsx";
import { later } from "../shell/later.tsx";
import type { Question } from "./move-question.tsx";

const MoveQuestion = later(() => import("./move-question.tsx"));

export interface Mover {
  move: (id: string, to: TaskStatus) => void;
  /** What is still to be asked; it belongs somewhere on the page. */
  question: ReactNode;
}

export function useMove(): Mover {
  const { board, store, may } = useRoom();
  const [asked, setAsked] = useState<Question | null>(null);
  const go = useCallback(
    async (card: Card, to: TaskStatus, extra: Extra = {}) => {
      const moved = await moveTask(board, store, card.id, to, extra);
      if (moved === "gated") setAsked({ kind: "override", card, to, extra });
    },
    [board, store],
  );
  const begin = useCallback(
    (card: Card, to: TaskStatus, extra: Extra = {}) => {
      if (to === "blocked") setAsked({ kind: "block", card, extra });
      else if (to === "cancelled") setAsked({ kind: "cancel", card, extra });
      else void go(card, to, extra);
    },
    [go],
  );
  const move = useCallback(
    (id: string, to: TaskStatus) => {
      const card = store.card(id);
      if (card === null || card.status === to) return;
      if (card.lease !== null && may("lead")) setAsked({ kind: "displace", card, to });
      else begin(card, to);
    },
    [store, may, begin],
  );
  const close = useCallback(() => setAsked(null), []);
  return {
    move,
    question: (
      <Suspense fallback={null}>
        {asked !== null && (
          <MoveQuestion key={asked.kind} asked={asked} begin={begin} go={go} onClose={close} />
        )}
      </Suspense>
    ),
  };
}
