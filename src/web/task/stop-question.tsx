/** Asks a holder to stop, or to finish and take nothing new. */
import type { HeldLease, Task } from "../../contract/task.ts";
import { useRoom } from "../room/room.tsx";
import { Ask } from "../ui/ask.tsx";
import { announce } from "../ui/toasts.tsx";

interface StopProps {
  task: Task;
  lease: HeldLease;
  mode: "cancel" | "drain";
  onClose: () => void;
  onDone: () => void;
}

export function StopQuestion({ task, lease, mode, onClose, onDone }: StopProps) {
  const { board } = useRoom();
  return (
    <Ask
      title={mode === "cancel" ? "Ask it to stop?" : "Ask it to finish and take nothing new?"}
      action={mode === "cancel" ? "Ask to stop" : "Ask to finish"}
      words={{ label: "Why; the agent reads it", required: true }}
      onAnswer={async (reason) => {
        await board.tasks.stop(task.id, { mode, reason });
        announce(`${lease.agentId} was asked to ${mode === "cancel" ? "stop" : "finish"}.`);
        onDone();
      }}
      onClose={onClose}
    >
      <p>
        <bdi className="foreign">{lease.agentId}</bdi> hears it with its next beat and keeps the task until
        then.
      </p>
    </Ask>
  );
}
