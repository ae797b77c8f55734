/** Sends work back from its review, with what has to change. */
import { useRoom } from "../room/room.tsx";
import { Ask } from "../ui/ask.tsx";
import { announce } from "../ui/toasts.tsx";
import type { Shown } from "./use-task.ts";

export function RequestChanges({ shown, onClose }: { shown: Shown; onClose: () => void }) {
  const { board } = useRoom();
  const { task } = shown.detail;
  return (
    <Ask
      title={`Request changes of n${task.number}`}
      action="Request changes"
      words={{ label: "What has to change", required: true }}
      onAnswer={async (notes) => {
        await board.tasks.requestChanges(task.id, notes);
        announce(`Changes of n${task.number} were requested.`);
        shown.reload();
      }}
      onClose={onClose}
    >
      <p>
        {task.lease === null
          ? "It goes back to “To do”; whoever claims it next is handed these words."
          : "Its holder goes on with it and reads these words."}
      </p>
    </Ask>
  );
}
