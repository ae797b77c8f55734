/** The fields as they are written by hand. */
import { useEffect, useRef, useState } from "react";
import { LABELS_MAX, PRIORITY_MAX, REFERENCE_MAX } from "../../contract/limits.ts";
import { useRoom } from "../room/room.tsx";
import { Fault } from "../ui/fault.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { ChangedMeanwhile, ConflictView } from "./conflict-view.tsx";
import { useEditSession } from "./edit-session.ts";
import { FIELD_NAMES, fieldText, listFrom, localTime, timeFrom } from "./field-text.ts";
import type { EditableField } from "./guarded-edit.ts";
import { TaskInput } from "./task-input.tsx";
import { useUnsaved } from "./unsaved.ts";
import type { Shown } from "./use-task.ts";

const NAMES: readonly EditableField[] = [
  "priority",
  "labels",
  "kind",
  "requiredCapabilities",
  "budgetUsd",
  "notBefore",
  "parentTaskId",
  "externalRef",
  "teamId",
];

export function FieldsForm({ shown, onDone }: { shown: Shown; onDone: () => void }) {
  const { store } = useRoom();
  const { task, ancestors = [] } = shown.detail;
  const session = useEditSession(task, NAMES, onDone);
  const { value, set, conflict, busy, fault, beside } = session;
  const form = useRef<HTMLFormElement>(null);
  const parent = ancestors.find(({ id }) => id === session.base.parentTaskId);
  // Lists and the parent are written as text, and read once they are left.
  const [labels, setLabels] = useState(value("labels").join(", "));
  const [needs, setNeeds] = useState(value("requiredCapabilities").join(", "));
  const [under, setUnder] = useState(parent === undefined ? "" : `n${parent.number}`);
  useUnsaved(session.touched);
  useEffect(() => {
    if (conflict === null) form.current?.querySelector("input")?.focus();
  }, [conflict]);
  if (conflict !== null) return <ConflictView session={session} />;
  const setParent = (text: string) => {
    setUnder(text);
    const number = /^n(\d+)$/.exec(text.trim())?.[1];
    const known = number === undefined ? null : store.byNumber(Number(number));
    const same = parent !== undefined && text.trim() === `n${parent.number}`;
    set({
      parentTaskId: same ? session.base.parentTaskId : text.trim() === "" ? null : (known?.id ?? text.trim()),
    });
  };
  return (
    <form
      ref={form}
      className="task-form"
      onSubmit={(event) => {
        event.preventDefault();
        void session.save();
      }}
    >
      <ChangedMeanwhile session={session} />
      <div className="task-form-grid">
        <Labelled name="Priority" hint={`0 to ${PRIORITY_MAX}; the highest goes first`}>
          {(id) => (
            <input
              id={id}
              className="input"
              type="number"
              min="0"
              max={PRIORITY_MAX}
              required
              value={value("priority")}
              onInput={(event) => set({ priority: event.currentTarget.valueAsNumber || 0 })}
            />
          )}
        </Labelled>
        <Labelled name="Budget in $" hint="Empty: none">
          {(id) => (
            <input
              id={id}
              className="input"
              type="number"
              min="0"
              step="any"
              value={value("budgetUsd") ?? ""}
              onInput={({ currentTarget: { value: text, valueAsNumber } }) =>
                set({ budgetUsd: text === "" ? null : valueAsNumber })
              }
            />
          )}
        </Labelled>
        <Labelled name="Labels" hint={`Parted by commas, at most ${LABELS_MAX}`}>
          {(id) => (
            <input
              id={id}
              className="input"
              value={labels}
              onInput={({ currentTarget }) => {
                setLabels(currentTarget.value);
                set({ labels: listFrom(currentTarget.value) });
              }}
            />
          )}
        </Labelled>
        <Labelled name="Needs" hint="Capabilities an agent must have">
          {(id) => (
            <input
              id={id}
              className="input"
              value={needs}
              onInput={({ currentTarget }) => {
                setNeeds(currentTarget.value);
                set({ requiredCapabilities: listFrom(currentTarget.value) });
              }}
            />
          )}
        </Labelled>
        <OptionalText name="Kind" text={value("kind")} onText={(kind) => set({ kind })} />
        <Labelled name="Not before" hint="Offered to nobody until then">
          {(id) => (
            <input
              id={id}
              className="input"
              type="datetime-local"
              value={localTime(value("notBefore"))}
              onInput={({ currentTarget }) => set({ notBefore: timeFrom(currentTarget.value) })}
            />
          )}
        </Labelled>
        <Labelled name="Parent" hint="A number such as n12">
          {(id) => <TaskInput id={id} value={under} onChange={setParent} />}
        </Labelled>
        <OptionalText
          name="Team"
          maxLength={REFERENCE_MAX}
          text={value("teamId")}
          onText={(teamId) => set({ teamId })}
        />
        <OptionalText
          name="External reference"
          maxLength={REFERENCE_MAX}
          text={value("externalRef")}
          onText={(externalRef) => set({ externalRef })}
        />
      </div>
      {beside !== null && (
        <details>
          <summary>What the others say</summary>
          <ul>
            {NAMES.map((name) => (
              <li key={name} className="foreign">
                {FIELD_NAMES[name]}: {fieldText(name, beside[name])}
              </li>
            ))}
          </ul>
        </details>
      )}
      {fault !== null && <Fault text={fault} />}
      <div className="task-form-actions">
        <button type="submit" className="button" data-kind="primary" disabled={busy}>
          Save
        </button>
        <button type="button" className="button" disabled={busy} onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface OptionalTextProps {
  name: string;
  maxLength?: number;
  text: string | null;
  onText: (text: string | null) => void;
}

function OptionalText({ name, maxLength, text, onText }: OptionalTextProps) {
  return (
    <Labelled name={name}>
      {(id) => (
        <input
          id={id}
          className="input"
          maxLength={maxLength}
          value={text ?? ""}
          // A space at the end may be the middle of what is being typed: it goes when the field is left.
          onInput={({ currentTarget: { value } }) => onText(value.trim() === "" ? null : value)}
          onBlur={() => onText(text === null ? null : text.trim())}
        />
      )}
    </Labelled>
  );
}
