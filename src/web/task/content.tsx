/** What a task says: its title and its description. */
import { Suspense, useRef, useState } from "react";
import { useRoom } from "../room/room.tsx";
import { LongText } from "../ui/long-text.tsx";
import { ContentForm } from "./lazy-forms.ts";
import { TaskTitle } from "./section.tsx";
import type { Shown } from "./use-task.ts";

export function Content({ shown }: { shown: Shown }) {
  const { task } = shown.detail;
  const { may } = useRoom();
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const close = () => {
    setEditing(false);
    shown.reload();
    setTimeout(() => edit.current?.focus());
  };
  if (editing)
    return (
      <Suspense fallback={null}>
        <ContentForm task={task} onDone={close} />
      </Suspense>
    );
  return (
    <div className="task-content">
      <div className="task-headline">
        <TaskTitle>
          <bdi className="foreign">{task.title}</bdi>
        </TaskTitle>
        {may("lead") && !task.dropped && (
          <button
            ref={edit}
            type="button"
            className="button"
            data-kind="plain"
            aria-label="Edit title and description"
            onClick={() => setEditing(true)}
          >
            Edit
          </button>
        )}
      </div>
      {task.description === "" ? (
        <p className="soft">No description.</p>
      ) : (
        <LongText text={task.description} chars={4_000} lines={40} />
      )}
    </div>
  );
}
