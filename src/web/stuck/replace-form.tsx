/** Lets a task wait for another one instead of the one that cannot finish. */
import { useId, useState } from "react";
import type { StuckTask } from "../../contract/insight.ts";
import { useRoom } from "../room/room.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { deadEdge } from "./resolutions.ts";

interface FormProps {
  stuck: StuckTask;
  onDone: (text: string) => void;
  onClose: () => void;
}

export function ReplaceForm({ stuck, onDone, onClose }: FormProps) {
  const { board } = useRoom();
  const [number, setNumber] = useState("");
  const field = useId();
  const edge = deadEdge(stuck);
  if (edge === null) return null;
  const { waiting, blocker } = edge;
  const name = `n${number.trim().replace(/^n/i, "")}`;
  const replace = async () => {
    // The new edge goes first: in between, nobody may find the task ready.
    await board.tasks.link(waiting.id, { dependsOnTaskId: name });
    await board.tasks.unlink(waiting.id, blocker.id);
    onDone(`n${waiting.number} waits for ${name} instead of n${blocker.number}.`);
  };
  return (
    <FormDialog
      title={`Let n${waiting.number} wait for another task`}
      action="Replace it"
      ready={/^n\d+$/.test(name)}
      onSubmit={replace}
      onClose={onClose}
    >
      <p>It waits for n{blocker.number}, which will not finish. Name the task it shall wait for instead.</p>
      <div className="field">
        <label htmlFor={field}>Number of the task</label>
        <input
          id={field}
          className="input"
          value={number}
          placeholder="n12"
          autoComplete="off"
          onInput={(event) => setNumber(event.currentTarget.value)}
        />
      </div>
    </FormDialog>
  );
}
