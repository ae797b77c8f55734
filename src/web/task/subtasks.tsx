/** What lies under a task, and how something more comes there. */
import { Suspense, useState } from "react";
import type { Answer } from "../../client/calls.ts";
import { type Resource, useResource } from "../room/resource.ts";
import { useRoom } from "../room/room.tsx";
import { Fault } from "../ui/fault.tsx";
import { errorText } from "../ui/problem.ts";
import { TaskLink } from "../ui/task-link.tsx";
import { SubtaskDialog } from "./lazy-forms.ts";
import { Section } from "./section.tsx";
import { AT_ONCE_MS, type Shown } from "./use-task.ts";

const SHOWN = 100;

export function Subtasks({ shown }: { shown: Shown }) {
  const { board, may } = useRoom();
  const { task } = shown.detail;
  const [creating, setCreating] = useState(false);
  const children: Resource<Answer<"listTasks">> = useResource(
    `children:${task.id}`,
    (signal) => board.tasks.list({ parentTaskId: task.id, order: "oldest", limit: SHOWN }, { signal }),
    ({ kind, taskId, data }) =>
      (kind === "task_created" && (data["task"] as { parentTaskId?: string }).parentTaskId === task.id) ||
      (children.value?.tasks.some(({ id }) => id === taskId) ?? false),
    AT_ONCE_MS,
  );
  const tasks = children.value?.tasks ?? [];
  const mayCreate = may("worker") && !task.dropped;
  if (tasks.length === 0 && !mayCreate) return null;
  return (
    <Section
      title="Subtasks"
      note={children.value !== null && tasks.length === 0 ? "none" : undefined}
      actions={
        mayCreate ? (
          <button
            type="button"
            className="button"
            data-kind="plain"
            aria-label="Create a subtask"
            onClick={() => setCreating(true)}
          >
            Create
          </button>
        ) : undefined
      }
    >
      {children.error !== null && <Fault text={errorText(children.error)} onRetry={children.reload} />}
      {tasks.length > 0 && (
        <ul className="task-edges">
          {tasks.map((child) => (
            <li key={child.id}>
              <TaskLink task={child} />
            </li>
          ))}
        </ul>
      )}
      {children.value?.hasMore && <p className="soft">The first {SHOWN} are shown; there are more.</p>}
      <Suspense fallback={null}>
        {creating && (
          <SubtaskDialog shown={shown} onClose={() => setCreating(false)} onDone={children.reload} />
        )}
      </Suspense>
    </Section>
  );
}
