/** Everything a move asks before it is made: a reason, whether to end somebody's run, whether to override. */
import { type ReactNode, Suspense, useState } from "react";
import type { Task } from "../../contract/task.ts";
import type { TaskStatus } from "../../rules/status.ts";
import { cardOf } from "../room/card.ts";
import { type Extra, moveTask } from "../room/moves.ts";
import { useRoom } from "../room/room.tsx";
import { FirstQuestion, GateQuestion } from "./lazy-forms.ts";

interface Asked {
  to: TaskStatus;
  about: "first" | "gate";
  extra: Extra;
}

interface Moving {
  move: (to: TaskStatus) => void;
  /** The question that is open now, to be drawn somewhere. */
  asking: ReactNode;
}

export function useMove(task: Task, reload: () => void): Moving {
  const { board, store, may } = useRoom();
  const [asked, setAsked] = useState<Asked | null>(null);
  // Only a lead may end another's run; of anybody else the board asks for the lease.
  const holder = may("lead") ? (task.lease?.agentId ?? null) : null;
  const send = async (to: TaskStatus, extra: Extra) => {
    // It may stand further down than the board was read.
    store.apply([cardOf(task)], task.changeSeq);
    const came = await moveTask(board, store, task.id, to, extra);
    if (came === "gated") setAsked({ to, about: "gate", extra });
    reload();
  };
  const move = (to: TaskStatus) => {
    if (holder !== null || to === "blocked" || to === "cancelled")
      setAsked({ to, about: "first", extra: {} });
    else void send(to, {});
  };
  return { move, asking: asked !== null && <Suspense fallback={null}>{question(asked)}</Suspense> };

  function question({ to, about, extra }: Asked): ReactNode {
    const close = () => setAsked(null);
    if (about === "gate")
      return (
        <GateQuestion
          task={task}
          to={to}
          onClose={close}
          onAnswer={(reason) => send(to, { ...extra, humanOverride: true, overrideReason: reason })}
        />
      );
    return (
      <FirstQuestion
        task={task}
        to={to}
        holder={holder}
        onClose={close}
        onAnswer={async (words) => {
          // Not waited for: the move is shown at once, and may have another question.
          void send(to, {
            ...(holder === null ? {} : { displace: true }),
            ...(to === "blocked" ? { blockedReason: words } : {}),
          });
        }}
      />
    );
  }
}
