/** Asks a holder to stop. It hears of it with its next beat, so this is a request, not an end. */
import { useId, useState } from "react";
import { useRoom } from "../room/room.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { notify } from "../ui/toasts.tsx";

interface StopDialogProps {
  task: { id: string; number: number };
  agentId: string;
  onDone: () => void;
  onClose: () => void;
}

const MODES = {
  cancel: "Stop and give the task up",
  drain: "Finish it, and take nothing new",
} as const;

export function StopDialog({ task, agentId, onDone, onClose }: StopDialogProps) {
  const { board } = useRoom();
  const [mode, setMode] = useState<keyof typeof MODES>("cancel");
  const [reason, setReason] = useState("");
  const field = useId();
  const ask = async () => {
    await board.tasks.stop(task.id, { mode, reason: reason.trim() });
    notify(`${agentId} was asked to stop n${task.number}.`);
    onDone();
  };
  return (
    <FormDialog
      title={`Ask ${agentId} to stop n${task.number}`}
      action="Ask to stop"
      ready={reason.trim() !== ""}
      onSubmit={ask}
      onClose={onClose}
    >
      <p>It hears of it with its next beat. Until it gives the task up, the task is its own.</p>
      <fieldset className="agents-modes">
        <legend className="visually-hidden">How</legend>
        {(Object.keys(MODES) as (keyof typeof MODES)[]).map((each) => (
          <label key={each}>
            <input type="radio" name="mode" checked={mode === each} onChange={() => setMode(each)} />
            {MODES[each]}
          </label>
        ))}
      </fieldset>
      <div className="field">
        <label htmlFor={field}>Why; the agent reads it</label>
        <textarea
          id={field}
          className="input"
          value={reason}
          maxLength={2_000}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </div>
    </FormDialog>
  );
}
