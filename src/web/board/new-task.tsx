/** A new task, as far as one can say it in a breath; the rest is written on the task itself. */
import { useState } from "react";
import { cardOf } from "../room/card.ts";
import { useRoom } from "../room/room.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { TaskWordsFields } from "../ui/task-words.tsx";
import { notify } from "../ui/toasts.tsx";

export default function NewTask({ onClose }: { onClose: () => void }) {
  const { board, store } = useRoom();
  const [words, setWords] = useState({ title: "", description: "" });
  const [status, setStatus] = useState<"todo" | "backlog">("todo");
  const title = words.title.trim();
  const create = async () => {
    const { task } = await board.tasks.create({ ...words, title, status });
    store.apply([cardOf(task)], task.changeSeq);
    notify(`n${task.number} is on the board.`);
  };
  return (
    <FormDialog title="New task" action="Create" ready={title !== ""} onSubmit={create} onClose={onClose}>
      <TaskWordsFields words={words} onWords={setWords} />
      <Labelled name="Where">
        {(id) => (
          <select
            id={id}
            className="input"
            value={status}
            onChange={(event) => setStatus(event.currentTarget.value as "todo")}
          >
            <option value="todo">To do: agents may take it</option>
            <option value="backlog">Backlog: nobody takes it yet</option>
          </select>
        )}
      </Labelled>
    </FormDialog>
  );
}
