/** Both sides of an edit that somebody else has overtaken. Nothing is lost before one of them is chosen. */
import { useEffect, useRef } from "react";
import { Fault } from "../ui/fault.tsx";
import { LongText } from "../ui/long-text.tsx";
import type { EditSession } from "./edit-session.ts";
import { FIELD_NAMES, fieldText } from "./field-text.ts";

export function ConflictView({ session }: { session: EditSession }) {
  const { conflict, busy, fault } = session;
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), []);
  if (conflict === null) return null;
  const { fields, mine, theirs } = conflict;
  return (
    <section ref={place} className="task-conflict" aria-label="Both texts" tabIndex={-1}>
      <p className="notice" data-tone="warn" role="alert">
        Somebody else has changed this since you began. Neither text is lost: choose what is to stand.
      </p>
      {fields.map((name) => (
        <div key={name} className="task-sides">
          <div>
            <p className="label">{FIELD_NAMES[name]}, theirs</p>
            <LongText text={fieldText(name, theirs[name])} />
          </div>
          <div>
            <p className="label">{FIELD_NAMES[name]}, yours</p>
            <LongText text={fieldText(name, mine[name])} />
          </div>
        </div>
      ))}
      {fault !== null && <Fault text={fault} />}
      <div className="task-form-actions">
        <button
          type="button"
          className="button"
          data-kind="primary"
          disabled={busy}
          onClick={() => void session.keepMine()}
        >
          Keep mine over theirs
        </button>
        <button type="button" className="button" disabled={busy} onClick={() => void session.takeTheirs()}>
          Take theirs
        </button>
        <button type="button" className="button" disabled={busy} onClick={session.keepEditing}>
          Keep editing
        </button>
      </div>
    </section>
  );
}

/** Told while one writes. */
export function ChangedMeanwhile({ session }: { session: EditSession }) {
  const { changedMeanwhile } = session;
  if (changedMeanwhile.length === 0) return null;
  const names = changedMeanwhile.map((name) => FIELD_NAMES[name].toLowerCase()).join(", ");
  return (
    <p className="notice" data-tone="warn" role="status">
      Somebody has changed this meanwhile ({names}). What you write is kept; where both of you wrote, you will
      see both.
    </p>
  );
}
