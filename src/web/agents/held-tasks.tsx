/** What an agent holds, how long its leases still run, and the button that asks it to stop. */
import { useState } from "react";
import { useCard, useRoom } from "../room/room.tsx";
import { countdown } from "../ui/format.ts";
import { TaskLink } from "../ui/task-link.tsx";
import { useTime } from "../ui/time.ts";
import type { Agent } from "./read.ts";
import { StopDialog } from "./stop-dialog.tsx";

type Held = Agent["tasks"][number];

const SHOWN = 3;
const SOON_MS = 30_000;

export function HeldTasks({ agent, onDone }: { agent: Agent; onDone: () => void }) {
  const [all, setAll] = useState(false);
  const { tasks, held, agentId } = agent;
  const shown = all ? tasks : tasks.slice(0, SHOWN);
  return (
    <div className="agents-held">
      {held === 0 && <p className="soft">Holds nothing</p>}
      <ul>
        {shown.map((task) => (
          <HeldTask key={task.id} task={task} agentId={agentId} onDone={onDone} />
        ))}
      </ul>
      {held > shown.length && (
        <button type="button" className="button" data-kind="plain" onClick={() => setAll(true)}>
          and {held - shown.length} more
        </button>
      )}
    </div>
  );
}

function HeldTask({ task, agentId, onDone }: { task: Held; agentId: string; onDone: () => void }) {
  const { may } = useRoom();
  const [asking, setAsking] = useState(false);
  return (
    <li>
      <TaskLink task={task} />
      <span className="agents-lease">
        <Lease task={task} agentId={agentId} />
        {task.stop !== null && (
          <span className="tag" data-tone="warn">
            stop requested
          </span>
        )}
        {may("lead") && task.expiresAt !== null && (
          <button
            type="button"
            className="button"
            data-kind="plain"
            aria-label={`Stop ${agentId} on n${task.number}`}
            onClick={() => setAsking(true)}
          >
            Stop…
          </button>
        )}
      </span>
      {asking && (
        <StopDialog task={task} agentId={agentId} onDone={onDone} onClose={() => setAsking(false)} />
      )}
    </li>
  );
}

/** Beats come live to the card, where it is known here; else as the list said. */
function Lease({ task, agentId }: { task: Held; agentId: string }) {
  const { store } = useRoom();
  const lease = useCard(task.id)?.lease;
  const beaten = lease?.agentId === agentId ? lease.expiresAt : 0;
  const expiresAt = task.expiresAt === null ? null : Math.max(task.expiresAt, beaten);
  const left = useTime((now) =>
    expiresAt === null ? 0 : Math.ceil((expiresAt - now - store.skewMs) / 1_000) * 1_000,
  );
  if (expiresAt === null) return <span className="tag">no lease</span>;
  if (left <= 0)
    return (
      <span className="tag" data-tone="bad">
        lease expired
      </span>
    );
  return (
    <span className="tag" data-tone={left < SOON_MS ? "warn" : undefined} title="Until its lease expires">
      {countdown(left)}
    </span>
  );
}
