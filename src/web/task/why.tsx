/** Why nobody can take the task now: every reason, what it waits for in the end, and who must act. */
import type { ACTORS, Explanation, MustAct } from "../../contract/insight.ts";
import type { Task } from "../../contract/task.ts";
import { type Resource, useResource } from "../room/resource.ts";
import { useRoom } from "../room/room.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { LongText } from "../ui/long-text.tsx";
import { TaskLink } from "../ui/task-link.tsx";
import { Section } from "./section.tsx";
import { AT_ONCE_MS, type Shown } from "./use-task.ts";

type Actor = (typeof ACTORS)[number];

const WHO: Record<Actor, string> = {
  agent: "agent",
  lead: "lead",
  reviewer: "reviewer",
  holder: "holder",
  nobody: "nobody",
  clock: "time",
};

/** What is refused to whoever looks says nothing of the task. */
const PERSONAL = ["forbidden", "capability_mismatch", "runtime_mismatch"];

export function Why({ shown }: { shown: Shown }) {
  const { task } = shown.detail;
  const ended = task.status === "done" || task.status === "cancelled";
  // Its holder stands beside it already, and a task that is ready needs no reason.
  if (ended || task.dropped || task.ready || task.lease?.state === "live") return null;
  return <Reasons shown={shown} />;
}

function Reasons({ shown }: { shown: Shown }) {
  const { board } = useRoom();
  const { task } = shown.detail;
  const explained: Resource<Explanation> = useResource(
    `explain:${task.id}`,
    (signal) => board.tasks.explain(task.id, { signal }),
    ({ kind, taskId }) =>
      kind === "board_changed" ||
      (taskId !== null &&
        (taskId === task.id || (explained.value?.chain.some(({ id }) => id === taskId) ?? false))),
    AT_ONCE_MS,
  );
  return (
    <Section title={task.status === "in_review" ? "What it waits for" : "Why it is not ready"}>
      <Loaded resource={explained}>{(why) => <Told why={why} task={task} />}</Loaded>
    </Section>
  );
}

function Told({ why, task }: { why: Explanation; task: Task }) {
  const reasons = why.reasons.filter(({ code }) => !PERSONAL.includes(code));
  return (
    <div className="task-why">
      <ul>
        {reasons.map(({ code, detail, mustAct }) => (
          <li key={code}>
            <LongText text={code === "conflict" ? standing(task, detail) : detail} />
            <Must mustAct={mustAct} />
          </li>
        ))}
      </ul>
      {why.chain.length > 0 && (
        <>
          <p className="label">What has to move now</p>
          <ul>
            {why.chain.map((link) => (
              <li key={link.id}>
                <TaskLink task={link} />
                <Must mustAct={link.mustAct} />
                {link.holder !== undefined && (
                  <p className="soft">
                    held by <bdi className="foreign">{link.holder.agentId}</bdi>
                  </p>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {why.notes.map(({ kind, detail }) => (
        <p key={`${kind}${detail}`} className="notice foreign">
          {detail}
        </p>
      ))}
      {why.truncated && <p className="soft">There is more than is shown here.</p>}
    </div>
  );
}

function Must({ mustAct }: { mustAct: MustAct }) {
  return (
    <p className="task-must soft">
      <span className="tag" title="Who has to act">
        {WHO[mustAct.who]}
      </span>
      <span className="foreign">{mustAct.action}</span>
    </p>
  );
}

/** That it is not on offer, in the words of where it stands. */
function standing({ status, blockedReason, lease }: Task, detail: string): string {
  if (status === "blocked") return blockedReason ?? "It is blocked, and nobody said why.";
  if (status === "in_review") return "It waits for its review.";
  if (status === "backlog") return "It stands in the backlog.";
  if (status === "in_progress" && lease === null)
    return "Somebody has taken it by hand, without a lease: no beat tells whether it goes on.";
  return detail;
}
