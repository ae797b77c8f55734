/** Adds an edge between this task and another; a circle is refused with its path. */
import { useState } from "react";
import { Refused } from "../../client/errors.ts";
import type { OnCancel } from "../../contract/task.ts";
import { useRoom } from "../room/room.tsx";
import { Fault } from "../ui/fault.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { errorText } from "../ui/problem.ts";
import { announce } from "../ui/toasts.tsx";
import { CyclePath } from "./cycle-path.tsx";
import { ON_CANCEL_NAMES } from "./on-cancel.ts";
import { TaskInput } from "./task-input.tsx";
import type { Shown } from "./use-task.ts";

interface EdgeFormProps {
  shown: Shown;
  /** `up`: what this task waits for. `down`: what waits for it. */
  way: "up" | "down";
  onDone: () => void;
  onClose: () => void;
}

export function EdgeForm({ shown, way, onDone, onClose }: EdgeFormProps) {
  const { board } = useRoom();
  const { task } = shown.detail;
  const [other, setOther] = useState("");
  const [onCancel, setOnCancel] = useState<OnCancel>("hold");
  const [fault, setFault] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const add = async () => {
    setBusy(true);
    setFault(null);
    const name = other.trim();
    try {
      if (way === "up") await board.tasks.link(task.id, { dependsOnTaskId: name, onCancel });
      else await board.tasks.link(name, { dependsOnTaskId: task.id, onCancel });
      announce(way === "up" ? `It waits for ${name} now.` : `${name} waits for it now.`);
      onDone();
      onClose();
    } catch (error) {
      setFault(error);
      setBusy(false);
    }
  };
  return (
    <form
      className="task-form task-edge-form"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Labelled name={way === "up" ? "It waits for" : "What waits for it"}>
        {(id) => <TaskInput id={id} value={other} onChange={setOther} required autoFocus />}
      </Labelled>
      <Labelled name="If what is waited for is cancelled">
        {(id) => (
          <select
            id={id}
            className="input"
            value={onCancel}
            onChange={(event) => setOnCancel(event.currentTarget.value as OnCancel)}
          >
            {Object.entries(ON_CANCEL_NAMES).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {fault !== null &&
        (Refused.is(fault, "task_dependency_cycle") ? (
          <CyclePath ids={fault.problem.path} />
        ) : (
          <Fault text={errorText(fault)} />
        ))}
      <div className="task-form-actions">
        <button type="submit" className="button" data-kind="primary" disabled={busy || other.trim() === ""}>
          Add
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
