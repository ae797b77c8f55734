/** Makes a task under another one. */
import { useState } from "react";
import { useRoom } from "../room/room.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TaskWordsFields } from "../ui/task-words.tsx";
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
  const [words, setWords] = useState({ title: "", description: "" });
  const title = words.title.trim();
  const create = async () => {
    const made = await board.tasks.create({ ...words, title, parentTaskId: task.id });
    notify(`n${made.task.number} was created under n${task.number}.`);
    onDone();
  };
  return (
    <FormDialog
      title={`A subtask of n${task.number}`}
      action="Create"
      ready={title !== ""}
      onSubmit={create}
      onClose={onClose}
    >
      <TaskWordsFields words={words} onWords={setWords} />
    </FormDialog>
  );
}
