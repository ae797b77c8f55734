/** A new task, as far as one can say it in a breath; the rest is written on the task itself. */
import { useId, useState } from "react";
import { TITLE_MAX } from "../../contract/limits.ts";
import { cardOf } from "../room/card.ts";
import { useRoom } from "../room/room.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Fault } from "../ui/fault.tsx";
import { errorText } from "../ui/problem.ts";
import { notify } from "../ui/toasts.tsx";

export default function NewTask({ onClose }: { onClose: () => void }) {
  const { board, store } = useRoom();
  const [title, setTitle] = useState("");
  const [description, setDescription] = useState("");
  const [status, setStatus] = useState<"todo" | "backlog">("todo");
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const names = { title: useId(), description: useId(), status: useId() };
  const create = async () => {
    setBusy(true);
    try {
      const { task } = await board.tasks.create({ title: title.trim(), description, status });
      store.apply([cardOf(task)], task.changeSeq);
      notify(`n${task.number} is on the board.`);
      onClose();
    } catch (error) {
      setFault(errorText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title="New task" onClose={onClose}>
      <form
        className="new-task"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <div className="field">
          <label htmlFor={names.title}>Title</label>
          <input
            id={names.title}
            className="input"
            required
            maxLength={TITLE_MAX}
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </div>
        <div className="field">
          <label htmlFor={names.description}>Description</label>
          <textarea
            id={names.description}
            className="input"
            value={description}
            onInput={(event) => setDescription(event.currentTarget.value)}
          />
        </div>
        <div className="field">
          <label htmlFor={names.status}>Where</label>
          <select
            id={names.status}
            className="input"
            value={status}
            onChange={(event) => setStatus(event.currentTarget.value as "todo")}
          >
            <option value="todo">To do: agents may take it</option>
            <option value="backlog">Backlog: nobody takes it yet</option>
          </select>
        </div>
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
