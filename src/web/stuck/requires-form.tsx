/** Changes what a task asks of whoever claims it. */
import { useId, useState } from "react";
import type { StuckTask } from "../../contract/insight.ts";
import { useRoom } from "../room/room.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { readWords } from "../ui/words.ts";

interface FormProps {
  stuck: StuckTask;
  onDone: (text: string) => void;
  onClose: () => void;
}

export function RequiresForm({ stuck, onDone, onClose }: FormProps) {
  const { board } = useRoom();
  const { task, requiredCapabilities = [] } = stuck;
  const [said, setSaid] = useState(requiredCapabilities.join(", "));
  const field = useId();
  const change = async () => {
    const wanted = readWords(said);
    await board.tasks.edit(task.id, { requiredCapabilities: wanted });
    onDone(
      wanted.length === 0
        ? `Any worker may take n${task.number}.`
        : `n${task.number} requires ${wanted.join(", ")}.`,
    );
  };
  return (
    <FormDialog
      title={`What n${task.number} requires`}
      action="Change it"
      onSubmit={change}
      onClose={onClose}
    >
      <p>One token has to have all of them. With none, any worker may take it.</p>
      <div className="field">
        <label htmlFor={field}>Capabilities, with commas in between</label>
        <input
          id={field}
          className="input"
          value={said}
          autoComplete="off"
          onInput={(event) => setSaid(event.currentTarget.value)}
        />
      </div>
    </FormDialog>
  );
}
