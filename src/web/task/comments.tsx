/** What was said on a task, and what one says oneself. */
import { useState } from "react";
import { TEXT_MAX } from "../../contract/limits.ts";
import { useRoom } from "../room/room.tsx";
import { Fault } from "../ui/fault.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { LongText } from "../ui/long-text.tsx";
import { Ago } from "../ui/moment.tsx";
import { errorText } from "../ui/problem.ts";
import { announce } from "../ui/toasts.tsx";
import { Section } from "./section.tsx";
import { useUnsaved } from "./unsaved.ts";
import type { Shown } from "./use-task.ts";

export function Comments({ shown }: { shown: Shown }) {
  const { may } = useRoom();
  const { task, comments = [], truncated = [] } = shown.detail;
  return (
    <Section title="Comments" note={comments.length === 0 ? "none yet" : undefined}>
      {truncated.includes("comments") && (
        <p className="soft">The newest {comments.length} are shown; older ones stand in the history.</p>
      )}
      <ol className="task-comments">
        {comments.map(({ id, authorId, createdAt, body }) => (
          <li key={id}>
            <p>
              <bdi className="foreign task-strong">{authorId}</bdi>{" "}
              <span className="soft">
                <Ago at={createdAt} />
              </span>
            </p>
            <LongText text={body} />
          </li>
        ))}
      </ol>
      {may("worker") && !task.dropped && <CommentForm shown={shown} />}
    </Section>
  );
}

function CommentForm({ shown }: { shown: Shown }) {
  const { board } = useRoom();
  const { task } = shown.detail;
  const [body, setBody] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useUnsaved(body.trim() !== "");
  const send = async () => {
    setBusy(true);
    setFault(null);
    try {
      await board.tasks.comment(task.id, body);
      setBody("");
      announce("Your comment is there.");
      shown.reload();
    } catch (error) {
      setFault(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="task-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Labelled name="Say something">
        {(id) => (
          <textarea
            id={id}
            className="input task-short-area"
            maxLength={TEXT_MAX}
            value={body}
            onInput={(event) => setBody(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && body.trim() !== "")
                void send();
            }}
          />
        )}
      </Labelled>
      {fault !== null && <Fault text={fault} />}
      <div className="task-form-actions">
        <button type="submit" className="button" disabled={busy || body.trim() === ""}>
          Comment
        </button>
      </div>
    </form>
  );
}
