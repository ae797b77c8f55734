/** Makes a task under another one. */
import { useState } from "react";
import { TITLE_MAX } from "../../contract/limits.ts";
import { useRoom } from "../room/room.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Fault } from "../ui/fault.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { errorText } from "../ui/problem.ts";
import { notify } from "../ui/toasts.tsx";
import type { Shown } from "./use-task.ts";

interface SubtaskProps {
  shown: Shown;
  onClose: () => void;
  onDone: () => void;
}

export function SubtaskDialog({ shown, onClose, onDone }: SubtaskProps) {
  const { board } = useRoom();
  const { task } = shown.detail;
  const [title, setTitle] = useState("");
  const [description, setDescription] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const create = async () => {
    setBusy(true);
    setFault(null);
    try {
      const made = await board.tasks.create({ title: title.trim(), description, parentTaskId: task.id });
      notify(`n${made.task.number} was created under n${task.number}.`);
      onDone();
      onClose();
    } catch (error) {
      setFault(errorText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={`A subtask of n${task.number}`} onClose={onClose}>
      <form
        className="task-form"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Labelled name="Title">
          {(id) => (
            <input
              id={id}
              className="input"
              required
              maxLength={TITLE_MAX}
              value={title}
              onInput={(event) => setTitle(event.currentTarget.value)}
            />
          )}
        </Labelled>
        <Labelled name="Description">
          {(id) => (
            <textarea
              id={id}
              className="input"
              value={description}
              onInput={(event) => setDescription(event.currentTarget.value)}
            />
          )}
        </Labelled>
        {fault !== null && <Fault text={fault} />}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Not now
          </button>
          <button type="submit" className="button" data-kind="primary" disabled={busy || title.trim() === ""}>
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}
