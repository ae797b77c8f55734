/** One task that is stuck: who has to act, since when, what is known, and the buttons. */
import { useState } from "react";
import { Link } from "wouter-preact";
import type { StuckTask } from "../../contract/insight.ts";
import { useRoom } from "../room/room.tsx";
import { Ask } from "../ui/ask.tsx";
import { duration, plural } from "../ui/format.ts";
import { Ago } from "../ui/moment.tsx";
import { errorText } from "../ui/problem.ts";
import { TaskLink } from "../ui/task-link.tsx";
import { notify } from "../ui/toasts.tsx";
import { DeadPath } from "./dead-path.tsx";
import { whoActs } from "./reasons.ts";
import { ReplaceForm } from "./replace-form.tsx";
import { RequiresForm } from "./requires-form.tsx";
import { type Resolution, resolutionsOf } from "./resolutions.ts";

export function StuckRow({ stuck, onDone }: { stuck: StuckTask; onDone: () => void }) {
  const { task, mustAct } = stuck;
  return (
    <li className="stuck-row">
      <div className="stuck-about">
        <div className="stuck-title">
          <TaskLink task={task} />
          <span className="soft stuck-since">
            since <Ago at={task.since} />
          </span>
        </div>
        <p>
          <span className="tag" data-tone="accent">
            {whoActs(mustAct.who)}
          </span>{" "}
          <span className="foreign">{mustAct.action}</span>
        </p>
        <Details stuck={stuck} />
      </div>
      <Buttons stuck={stuck} onDone={onDone} />
    </li>
  );
}

/** What the board knows of it beside the reason; each reason has its own. */
function Details({ stuck }: { stuck: StuckTask }) {
  const { holder, attempts, builtBy, runningMs, maxRunMs, progress, missing, requiredCapabilities } = stuck;
  if (stuck.reason === "unreachable") return <DeadPath stuck={stuck} />;
  const told: [string, React.ReactNode][] = [];
  if (holder !== undefined) told.push(["Held by", <bdi key="holder">{holder.agentId}</bdi>]);
  if (attempts !== undefined) {
    const { crashStreak, errorStreak } = attempts;
    told.push([
      "Last attempts",
      crashStreak > 0 ? plural(crashStreak, "silence") : plural(errorStreak, "failure"),
    ]);
    if (attempts.lastCrashLeftWork) told.push(["The last one left", "a commit or a summary"]);
  }
  if (builtBy) told.push(["Built by", <bdi key="builder">{builtBy}</bdi>]);
  if (runningMs !== undefined && maxRunMs !== undefined)
    told.push(["Running for", `${duration(runningMs)}, expected ${duration(maxRunMs)}`]);
  if (progress) told.push(["Said last", <bdi key="progress">{progress}</bdi>]);
  if (requiredCapabilities !== undefined)
    told.push([
      "Requires",
      requiredCapabilities
        .map((name) => (missing?.includes(name) ? `${name} (no token has it)` : name))
        .join(", "),
    ]);
  if (told.length === 0) return null;
  return (
    <dl className="stuck-told">
      {told.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="foreign">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Buttons({ stuck, onDone }: { stuck: StuckTask; onDone: () => void }) {
  const room = useRoom();
  const [open, setOpen] = useState<Resolution | null>(null);
  const [busy, setBusy] = useState(false);
  const offered = resolutionsOf(stuck, room.id, room.me, room.may("lead"));
  if (offered.length === 0) return null;
  const finish = (text: string) => {
    notify(text);
    onDone();
  };
  const press = async (resolution: Resolution) => {
    if (resolution.way !== "act" || resolution.question !== undefined) return setOpen(resolution);
    setBusy(true);
    try {
      await resolution.act(room.board, "");
      finish(resolution.done);
    } catch (error) {
      notify(errorText(error), "bad");
    } finally {
      setBusy(false);
    }
  };
  const close = () => setOpen(null);
  return (
    <div className="stuck-buttons">
      {offered.map((resolution) =>
        resolution.way === "link" ? (
          <Link key={resolution.label} href={resolution.href} className="button">
            {resolution.label}
          </Link>
        ) : (
          <button
            key={resolution.label}
            type="button"
            className="button"
            disabled={busy}
            aria-label={`${resolution.label} (n${stuck.task.number})`}
            onClick={() => void press(resolution)}
          >
            {resolution.label}
          </button>
        ),
      )}
      {open?.way === "form" && open.form === "replace" && (
        <ReplaceForm stuck={stuck} onDone={finish} onClose={close} />
      )}
      {open?.way === "form" && open.form === "requires" && (
        <RequiresForm stuck={stuck} onDone={finish} onClose={close} />
      )}
      {open?.way === "act" && open.question !== undefined && (
        <Ask
          title={open.question.title}
          action={open.question.action}
          danger={open.question.danger === true}
          {...(open.question.words === undefined ? {} : { words: open.question.words })}
          onAnswer={async (words) => {
            await open.act(room.board, words);
            finish(open.done);
          }}
          onClose={close}
        >
          <p>{open.question.explains}</p>
        </Ask>
      )}
    </div>
  );
}
