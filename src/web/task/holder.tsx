/** Who has the task now, for how long it is theirs, and how a lead gets it back. */
import { Suspense, useState } from "react";
import type { HeldLease } from "../../contract/task.ts";
import { legalTargets } from "../../rules/status.ts";
import { useMove } from "../board/use-move.tsx";
import { useCard, useRoom } from "../room/room.tsx";
import { countdown } from "../ui/format.ts";
import { Ago } from "../ui/moment.tsx";
import { useTime } from "../ui/time.ts";
import { StopQuestion } from "./lazy-forms.ts";
import { Section } from "./section.tsx";
import type { Shown } from "./use-task.ts";

const SOON_MS = 30_000;

export function Holder({ shown }: { shown: Shown }) {
  const { may } = useRoom();
  const { task, executions = [] } = shown.detail;
  const card = useCard(task.id);
  const [stopping, setStopping] = useState<"cancel" | "drain" | null>(null);
  const { move, question } = useMove();
  const { lease } = task;
  if (lease === null) return null;
  // Beats reach the card only: they write no event.
  const beaten = card?.lease?.epoch === lease.epoch && card.lease.expiresAt > lease.expiresAt ? card : task;
  const run = executions.find(({ id }) => id === lease.executionId);
  return (
    <Section title="Held by">
      <div className="task-holder">
        <p>
          <bdi className="foreign task-strong">{lease.agentId}</bdi>
          <span className="soft"> · attempt {lease.epoch}</span>
          {run?.runtime && <span className="soft foreign"> · {run.runtime}</span>}
        </p>
        <p>
          <Countdown lease={beaten.lease ?? lease} />
          {beaten.heartbeatAt !== null && (
            <span className="soft">
              {" · beat "}
              <Ago at={beaten.heartbeatAt} />
            </span>
          )}
        </p>
        {run?.progress && <p className="foreign task-progress">{run.progress}</p>}
        {may("lead") && (
          <div className="task-form-actions">
            <button type="button" className="button" onClick={() => setStopping("cancel")}>
              Ask to stop
            </button>
            <button type="button" className="button" onClick={() => setStopping("drain")}>
              Ask to finish
            </button>
            {legalTargets(task.status).includes("todo") && (
              <button
                type="button"
                className="button"
                data-kind="danger"
                onClick={() => move(task.id, "todo")}
              >
                Take it back
              </button>
            )}
          </div>
        )}
      </div>
      {question}
      <Suspense fallback={null}>
        {stopping !== null && (
          <StopQuestion
            task={task}
            lease={lease}
            mode={stopping}
            onClose={() => setStopping(null)}
            onDone={shown.reload}
          />
        )}
      </Suspense>
    </Section>
  );
}

function Countdown({ lease }: { lease: HeldLease }) {
  const { store } = useRoom();
  const left = useTime((now) => countdown(lease.expiresAt - now - store.skewMs));
  const state = useTime((now) => {
    const leftMs = lease.expiresAt - now - store.skewMs;
    return leftMs <= 0 ? "expired" : leftMs < SOON_MS ? "soon" : "live";
  });
  if (state === "expired")
    return (
      <span className="tag" data-tone="bad">
        lease expired
      </span>
    );
  return (
    <span className="tag" data-tone={state === "soon" ? "warn" : undefined}>
      lease runs out in {left}
    </span>
  );
}
