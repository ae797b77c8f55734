/** The top of a task: where it stands, where it may go, and what else can be done with it. */
import type { ReactNode } from "react";
import type { Task } from "../../contract/task.ts";
import { useMove } from "../board/use-move.tsx";
import { cardOf } from "../room/card.ts";
import { targetsOf } from "../room/moves.ts";
import { useRoom, useTopic } from "../room/room.tsx";
import { STATUS_NAMES, Status } from "../ui/status.tsx";
import { useTime } from "../ui/time.ts";
import { Menu } from "./menu.tsx";
import { MoreMenu } from "./more-menu.tsx";
import type { Shown } from "./use-task.ts";

export function Head({ shown, children }: { shown: Shown; children?: ReactNode }) {
  const { me, store } = useRoom();
  const { task } = shown.detail;
  const { move, question } = useMove();
  // A move is shown at once, and taken back where the board says no.
  const status = useTopic(`card:${task.id}`, () => store.move(task.id)?.to ?? null) ?? task.status;
  const targets = targetsOf(cardOf(task), me);
  return (
    <div className="task-head">
      {targets.length === 0 ? (
        <Status status={status} />
      ) : (
        <Menu
          label={`${STATUS_NAMES[status]}: move it`}
          title="Move it"
          className="task-status"
          items={targets.map((to) => ({
            name: STATUS_NAMES[to],
            show: <Status status={to} />,
            pick: () => move(task.id, to),
          }))}
        >
          <Status status={status} />
          <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
            <path d="m2 3.5 3 3 3-3" fill="none" stroke="currentColor" strokeWidth="1.4" />
          </svg>
        </Menu>
      )}
      <Marks task={task} />
      <span className="task-head-end">
        <code className="soft">n{task.number}</code>
        <MoreMenu shown={shown} />
        {children}
      </span>
      {question}
    </div>
  );
}

/** What its status alone does not say. */
function Marks({ task }: { task: Task }) {
  const { store } = useRoom();
  const deferred = useTime((now) => task.notBefore !== null && task.notBefore > now + store.skewMs);
  return (
    <>
      {task.dropped && (
        <span className="tag" data-tone="bad">
          dropped
        </span>
      )}
      {!task.dropped && task.ready && (
        <span className="tag" data-tone="good">
          ready
        </span>
      )}
      {!task.dropped && task.status === "todo" && task.openDependencies > 0 && (
        <span className="tag">waits for {task.openDependencies}</span>
      )}
      {!task.dropped && task.status === "todo" && deferred && <span className="tag">put off</span>}
    </>
  );
}
