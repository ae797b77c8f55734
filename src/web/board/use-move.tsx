/** A move as somebody asks for it: with the questions that belong to it, and what came of it. */
import { type ReactNode, useCallback, useState } from "react";
import type { TaskStatus } from "../../rules/status.ts";
import type { Card } from "../room/card.ts";
import { type Extra, moveTask } from "../room/moves.ts";
import { useRoom } from "../room/room.tsx";
import { Ask } from "../ui/ask.tsx";
import { STATUS_NAMES } from "../ui/status.tsx";

type Question =
  | { kind: "displace"; card: Card; to: TaskStatus }
  | { kind: "block"; card: Card; extra: Extra }
  | { kind: "override"; card: Card; to: TaskStatus; extra: Extra };

export interface Mover {
  move: (id: string, to: TaskStatus) => void;
  /** What is still to be asked; it belongs somewhere on the page. */
  question: ReactNode;
}

export function useMove(): Mover {
  const { board, store } = useRoom();
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
      else void go(card, to, extra);
    },
    [go],
  );
  const move = useCallback(
    (id: string, to: TaskStatus) => {
      const card = store.card(id);
      if (card === null || card.status === to) return;
      if (card.lease !== null) setAsked({ kind: "displace", card, to });
      else begin(card, to);
    },
    [store, begin],
  );
  const close = useCallback(() => setAsked(null), []);
  return {
    move,
    question:
      asked === null ? null : <Asked key={asked.kind} asked={asked} begin={begin} go={go} onClose={close} />,
  };
}

interface AskedProps {
  asked: Question;
  begin: (card: Card, to: TaskStatus, extra?: Extra) => void;
  go: (card: Card, to: TaskStatus, extra?: Extra) => Promise<void>;
  onClose: () => void;
}

function Asked({ asked, begin, go, onClose }: AskedProps) {
  const { card } = asked;
  switch (asked.kind) {
    case "displace":
      return (
        <Ask
          title={`n${card.number} is being worked on`}
          action={`Move to ${STATUS_NAMES[asked.to].toLowerCase()}`}
          danger
          onAnswer={() => {
            // The next question opens once this one has closed.
            setTimeout(() => begin(card, asked.to, { displace: true }));
            return undefined;
          }}
          onClose={onClose}
        >
          <p>
            <bdi>{card.lease?.agentId}</bdi> holds it. The move ends its lease: what it does from then on is
            not accepted any more.
          </p>
        </Ask>
      );
    case "block":
      return (
        <Ask
          title={`Block n${card.number}`}
          action="Block it"
          words={{ label: "What stands in its way" }}
          onAnswer={(blockedReason) => {
            void go(card, "blocked", { ...asked.extra, ...(blockedReason === "" ? {} : { blockedReason }) });
            return undefined;
          }}
          onClose={onClose}
        />
      );
    case "override":
      return (
        <Ask
          title={`n${card.number} is not ready to be ${STATUS_NAMES[asked.to].toLowerCase()}`}
          action="Override"
          danger
          words={{ label: "Why it is right all the same", required: true }}
          onAnswer={(overrideReason) => {
            void go(card, asked.to, { ...asked.extra, humanOverride: true, overrideReason });
            return undefined;
          }}
          onClose={onClose}
        >
          <p>
            What it waits for, or its verdict, is still open. An override is kept in its history, with your
            reason.
          </p>
        </Ask>
      );
  }
}
