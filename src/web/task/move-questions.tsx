/** What is asked before a move that ends, blocks or overrides something. */
import type { Task } from "../../contract/task.ts";
import type { TaskStatus } from "../../rules/status.ts";
import { Ask } from "../ui/ask.tsx";
import { STATUS_NAMES } from "../ui/status-names.ts";

interface QuestionProps {
  task: Task;
  to: TaskStatus;
  onClose: () => void;
  onAnswer: (words: string) => Promise<unknown>;
}

export function FirstQuestion({
  task,
  to,
  holder,
  onClose,
  onAnswer,
}: QuestionProps & { holder: string | null }) {
  const name = STATUS_NAMES[to];
  return (
    <Ask
      title={`Move n${task.number} to ${name.toLowerCase()}?`}
      action={holder === null ? `Move to ${name.toLowerCase()}` : "End its run and move it"}
      danger={holder !== null || to === "cancelled"}
      {...(to === "blocked"
        ? { words: { label: "What blocks it, and what has to happen", required: true } }
        : {})}
      onAnswer={onAnswer}
      onClose={onClose}
    >
      {holder !== null && (
        <p>
          <bdi className="foreign">{holder}</bdi> holds this task. The move ends that run at once: the next
          beat tells the agent, and what it has not handed over stays where it is.
        </p>
      )}
      {to === "cancelled" && <p>Cancelled is for good: there is no way back from it.</p>}
    </Ask>
  );
}

export function GateQuestion({ task, to, onClose, onAnswer }: QuestionProps) {
  const waits = task.openDependencies;
  return (
    <Ask
      title={`Move n${task.number} to ${STATUS_NAMES[to].toLowerCase()} all the same?`}
      action="Override"
      danger
      words={{ label: "Why it may pass; this stands in its history", required: true }}
      onAnswer={onAnswer}
      onClose={onClose}
    >
      <p>
        {waits > 0
          ? `It waits for ${waits === 1 ? "a task that is" : `${waits} tasks that are`} not done.`
          : task.verification === null
            ? "This board wants a verdict before a task is done, and there is none."
            : "The verdict on this task does not let it through."}
      </p>
    </Ask>
  );
}
