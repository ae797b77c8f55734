/** What is asked before a move that ends something, or that only a reason gets through. */
import type { TaskStatus } from "../../rules/status.ts";
import type { Card } from "../room/card.ts";
import type { Extra } from "../room/moves.ts";
import { Ask } from "../ui/ask.tsx";
import { STATUS_NAMES } from "../ui/status.tsx";

export type Question =
  | { kind: "cancel"; card: Card; extra: Extra }
  | { kind: "displace"; card: Card; to: TaskStatus }
  | { kind: "block"; card: Card; extra: Extra }
  | { kind: "override"; card: Card; to: TaskStatus; extra: Extra };

interface MoveQuestionProps {
  asked: Question;
  begin: (card: Card, to: TaskStatus, extra?: Extra) => void;
  go: (card: Card, to: TaskStatus, extra?: Extra) => Promise<void>;
  onClose: () => void;
}

export default function MoveQuestion({ asked, begin, go, onClose }: MoveQuestionProps) {
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
    case "cancel":
      return (
        <Ask
          title={`Cancel n${card.number}`}
          action="Cancel it"
          danger
          onAnswer={() => {
            void go(card, "cancelled", asked.extra);
            return undefined;
          }}
          onClose={onClose}
        >
          <p>It is not taken up again. What waits for it waits for ever, unless its edge says otherwise.</p>
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
