/** All about the chosen run. */
import { useEffect, useState } from "react";
import type { Execution } from "../../contract/task.ts";
import { useBoard, useCard, useRoom } from "../room/room.tsx";
import { type TaskName, useTaskNames } from "../room/task-names.ts";
import { countdown, duration, moment, money, tokens } from "../ui/format.ts";
import { errorText } from "../ui/problem.ts";
import { TaskLink } from "../ui/task-link.tsx";
import { useTime } from "../ui/time.ts";
import { lengthOf, RunStatus } from "./run-words.tsx";

const CLAMPED_CHARS = 600;

export function RunPanel({ run }: { run: Execution | null }) {
  return (
    <aside className="panel runs-panel" aria-label="The chosen run">
      {run === null ? (
        <p className="soft">
          Choose a run. <kbd>J</kbd> and <kbd>K</kbd> go to the next older and newer one, <kbd>Enter</kbd>{" "}
          opens its task, <kbd>P</kbd> the task above.
        </p>
      ) : (
        <Chosen key={run.id} run={run} />
      )}
    </aside>
  );
}

function Chosen({ run }: { run: Execution }) {
  const { store } = useRoom();
  const length = useTime((now) => lengthOf(run, now + store.skewMs));
  return (
    <>
      <h2>
        <RunStatus status={run.status} />
      </h2>
      <TaskOf id={run.taskId} />
      <dl>
        <dt>Agent</dt>
        <dd className="foreign">
          {run.agentId}
          {run.runtime !== null && <span className="soft"> · {run.runtime}</span>}
        </dd>
        <dt>Attempt</dt>
        <dd>{run.epoch}</dd>
        <dt>Began</dt>
        <dd>{moment(run.startedAt)}</dd>
        <dt>{run.endedAt === null ? "Running for" : "Took"}</dt>
        <dd>{length}</dd>
        {run.endedAt === null && <LeaseOf run={run} />}
        <dt>Cost</dt>
        <dd>{money(run.costUsd)}</dd>
        <dt>Tokens</dt>
        <dd>
          {tokens(run.inputTokens)} in, {tokens(run.outputTokens)} out
        </dd>
        {run.reason !== null && (
          <>
            <dt>Ended by</dt>
            <dd className="foreign">{run.reason.replaceAll("_", " ")}</dd>
          </>
        )}
      </dl>
      <Words title="Error" text={run.error} />
      <Words title="Summary" text={run.summary} />
      {run.endedAt === null && <Words title="Progress" text={run.progress} />}
    </>
  );
}

function LeaseOf({ run }: { run: Execution }) {
  const { store } = useRoom();
  const card = useCard(run.taskId);
  const ttl = useBoard()?.settings.leaseTtlMs ?? 0;
  const lease = card?.lease?.epoch === run.epoch ? card.lease : null;
  const beatAt = Math.max(run.lastBeatAt, (lease !== null && card?.heartbeatAt) || 0);
  const left = (lease?.expiresAt ?? beatAt + ttl) - store.skewMs;
  const beat = useTime((now) => duration(now + store.skewMs - beatAt));
  const lasts = useTime((now) => (now < left ? `for ${countdown(left - now)}` : "has run out"));
  return (
    <>
      <dt>Last beat</dt>
      <dd>{beat} ago</dd>
      <dt>Lease</dt>
      <dd>{lasts}</dd>
    </>
  );
}

function TaskOf({ id }: { id: string }) {
  const names = useTaskNames();
  const [name, setName] = useState<TaskName | null>(names.get(id));
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    names.read(id).then(setName, (error) => setFault(errorText(error)));
  }, [names, id]);
  if (name === null) return <p className="soft">{fault ?? "…"}</p>;
  return (
    <p>
      <TaskLink task={{ number: name.number, title: name.title }} />
    </p>
  );
}

/** Long words of an agent are cut, and shown whole when asked for. */
function Words({ title, text }: { title: string; text: string | null }) {
  const [whole, setWhole] = useState(false);
  if (text === null || text === "") return null;
  const cut = !whole && text.length > CLAMPED_CHARS;
  return (
    <section className="runs-words">
      <h3>{title}</h3>
      <p className="foreign">{cut ? `${text.slice(0, CLAMPED_CHARS)} …` : text}</p>
      {cut && (
        <button type="button" className="button" onClick={() => setWhole(true)}>
          Show all
        </button>
      )}
    </section>
  );
}
