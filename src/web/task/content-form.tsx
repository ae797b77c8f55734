/** Title and description as they are written anew, in their place. */
import { useEffect, useId, useRef } from "react";
import { TEXT_MAX, TITLE_MAX } from "../../contract/limits.ts";
import type { Task } from "../../contract/task.ts";
import { Fault } from "../ui/fault.tsx";
import { LongText } from "../ui/long-text.tsx";
import { ChangedMeanwhile, ConflictView } from "./conflict-view.tsx";
import { useEditSession } from "./edit-session.ts";
import { TaskTitle } from "./section.tsx";
import { useUnsaved } from "./unsaved.ts";

export function ContentForm({ task, onDone }: { task: Task; onDone: () => void }) {
  const session = useEditSession(task, ["title", "description"], onDone);
  const titleId = useId();
  const descriptionId = useId();
  const first = useRef<HTMLInputElement>(null);
  const { conflict, busy, fault, beside } = session;
  useUnsaved(session.touched);
  useEffect(() => {
    if (conflict === null) first.current?.focus();
  }, [conflict]);
  if (conflict !== null)
    return (
      <div className="task-content">
        <TaskTitle>Two versions of n{task.number}</TaskTitle>
        <ConflictView session={session} />
      </div>
    );
  return (
    <form
      className="task-content task-form"
      onSubmit={(event) => {
        event.preventDefault();
        void session.save();
      }}
    >
      <div className="visually-hidden">
        <TaskTitle>Editing n{task.number}</TaskTitle>
      </div>
      <ChangedMeanwhile session={session} />
      <div className="field">
        <label htmlFor={titleId}>Title</label>
        <input
          ref={first}
          id={titleId}
          className="input task-title-input"
          required
          maxLength={TITLE_MAX}
          value={session.value("title")}
          onInput={(event) => session.set({ title: event.currentTarget.value })}
        />
        {beside !== null && <Beside name="title" text={beside.title} />}
      </div>
      <div className="field">
        <label htmlFor={descriptionId}>Description</label>
        <textarea
          id={descriptionId}
          className="input task-description-input"
          maxLength={TEXT_MAX}
          value={session.value("description")}
          onInput={(event) => session.set({ description: event.currentTarget.value })}
        />
        {beside !== null && <Beside name="description" text={beside.description} />}
      </div>
      {fault !== null && <Fault text={fault} />}
      <div className="task-form-actions">
        <button
          type="submit"
          className="button"
          data-kind="primary"
          disabled={busy || session.value("title").trim() === ""}
        >
          Save
        </button>
        <button type="button" className="button" disabled={busy} onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function Beside({ name, text }: { name: string; text: string }) {
  return (
    <details>
      <summary>Their {name}</summary>
      <LongText text={text === "" ? "–" : text} />
    </details>
  );
}
