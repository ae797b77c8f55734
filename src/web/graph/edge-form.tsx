/** Lets one task wait for another, or no longer. A ring is refused, and named step by step. */
import { useId, useState } from "react";
import { Refused } from "../../client/errors.ts";
import type { TaskRef } from "../../contract/task.ts";
import { useRoom } from "../room/room.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Fault } from "../ui/fault.tsx";
import { errorText } from "../ui/problem.ts";
import { TaskLink } from "../ui/task-link.tsx";
import { notify } from "../ui/toasts.tsx";
import type { GraphNode } from "./shape.ts";

const OFFERED = 500;

interface EdgeFormProps {
  /** What is offered to choose from; any other task may be named as well. */
  nodes: readonly GraphNode[];
  onChanged: () => void;
  onClose: () => void;
}

type Named = Pick<TaskRef, "number" | "title">;

export default function EdgeForm({ nodes, onChanged, onClose }: EdgeFormProps) {
  const { board } = useRoom();
  const id = useId();
  const [waiting, setWaiting] = useState("");
  const [blocker, setBlocker] = useState("");
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [ring, setRing] = useState<Named[] | null>(null);
  const [a, b] = [taskIn(waiting), taskIn(blocker)];

  const titles = async (path: readonly string[]): Promise<Named[]> => {
    const known = new Map<string, Named>(nodes.map((node) => [node.id, node]));
    return Promise.all(path.map(async (one) => known.get(one) ?? (await board.tasks.get(one)).task));
  };
  const change = async (kind: "add" | "remove") => {
    if (a === null || b === null) return;
    setBusy(true);
    setFault(null);
    setRing(null);
    try {
      if (kind === "add") await board.tasks.link(a, { dependsOnTaskId: b });
      else await board.tasks.unlink(a, b);
      notify(kind === "add" ? `${a} now waits for ${b}.` : `${a} no longer waits for ${b}.`);
      onChanged();
      onClose();
    } catch (error) {
      setFault(errorText(error));
      if (Refused.is(error, "task_dependency_cycle"))
        setRing(await titles(error.problem.path).catch(() => null));
      setBusy(false);
    }
  };
  const field = (name: string, label: string, value: string, set: (value: string) => void) => (
    <div className="field">
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <input
        id={`${id}-${name}`}
        className="input"
        list={`${id}-tasks`}
        value={value}
        placeholder="n12"
        autoComplete="off"
        required
        onInput={(event) => set(event.currentTarget.value)}
      />
    </div>
  );
  return (
    <Dialog title="Change what waits" onClose={onClose}>
      <form
        className="graph-edge-form"
        onSubmit={(event) => {
          event.preventDefault();
          void change("add");
        }}
      >
        {field("waiting", "This task", waiting, setWaiting)}
        {field("blocker", "waits for", blocker, setBlocker)}
        <datalist id={`${id}-tasks`}>
          {nodes.slice(0, OFFERED).map(({ number, title }) => (
            <option key={number} value={`n${number}`} label={`n${number} ${title}`} />
          ))}
        </datalist>
        {fault !== null && <Fault text={fault} />}
        {ring !== null && (
          <ol className="graph-ring" aria-label="The ring">
            {ring.map((task, at) => (
              <li key={at}>
                <TaskLink task={task} />
              </li>
            ))}
          </ol>
        )}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Not now
          </button>
          <button
            type="button"
            className="button"
            disabled={busy || a === null || b === null}
            onClick={() => void change("remove")}
          >
            Let it not wait
          </button>
          <button
            type="submit"
            className="button"
            data-kind="primary"
            disabled={busy || a === null || b === null}
          >
            Let it wait
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** `n12` of `n12`, `12` or `n12 Title`; null: no task is named. */
function taskIn(text: string): string | null {
  const number = /^\s*n?(\d+)(?:\s|$)/i.exec(text)?.[1];
  return number === undefined ? null : `n${Number(number)}`;
}
