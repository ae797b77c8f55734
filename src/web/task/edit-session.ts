/** An edit from its beginning until it is saved, whatever others change meanwhile. */
import { useState } from "react";
import type { Task } from "../../contract/task.ts";
import { useRoom } from "../room/room.tsx";
import { same } from "../room/same.ts";
import { errorText } from "../ui/problem.ts";
import { notify } from "../ui/toasts.tsx";
import { changesOf, type Draft, type EditableField, saveDraft } from "./guarded-edit.ts";

export interface Conflict {
  theirs: Task;
  mine: Draft;
  fields: EditableField[];
}

export interface EditSession {
  /** What the edit goes on from: what was read when it began, or what it was decided against. */
  base: Task;
  draft: Draft;
  value: <F extends EditableField>(name: F) => Task[F];
  set: (change: Draft) => void;
  touched: boolean;
  /** Of these fields, what somebody else has changed since. */
  changedMeanwhile: EditableField[];
  busy: boolean;
  fault: string | null;
  conflict: Conflict | null;
  /** Where both sides wrote and one went on editing: what the others say. */
  beside: Task | null;
  save: () => Promise<void>;
  keepMine: () => Promise<void>;
  takeTheirs: () => Promise<void>;
  keepEditing: () => void;
}

/** `now`: the task as it stands; an edit begins from it and is never overwritten by it. */
export function useEditSession(now: Task, names: readonly EditableField[], onDone: () => void): EditSession {
  const { board } = useRoom();
  const [base, setBase] = useState(now);
  const [draft, setDraft] = useState<Draft>({});
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [beside, setBeside] = useState<Task | null>(null);

  const send = async (from: Task, mine: Draft) => {
    if (Object.keys(changesOf(from, mine)).length === 0) return onDone();
    setBusy(true);
    setFault(null);
    try {
      const saved = await saveDraft(board, from, mine);
      if ("conflict" in saved) setConflict({ ...saved.conflict, mine });
      else {
        notify(`n${now.number} is saved.`);
        onDone();
      }
    } catch (error) {
      setFault(errorText(error));
      setConflict(null);
    } finally {
      setBusy(false);
    }
  };

  return {
    base,
    draft,
    value: (name) => (name in draft ? (draft[name] as Task[typeof name]) : base[name]),
    set: (change) => setDraft((last) => ({ ...last, ...change })),
    touched: Object.keys(changesOf(base, draft)).length > 0,
    changedMeanwhile: now.version > base.version ? names.filter((name) => !same(now[name], base[name])) : [],
    busy,
    fault,
    conflict,
    beside,
    save: () => send(base, changesOf(base, draft)),
    keepMine: async () => {
      if (conflict !== null) await send(conflict.theirs, conflict.mine);
    },
    takeTheirs: async () => {
      if (conflict === null) return;
      const rest = { ...conflict.mine };
      for (const name of conflict.fields) delete rest[name];
      await send(conflict.theirs, rest);
    },
    keepEditing: () => {
      if (conflict === null) return;
      setBase(conflict.theirs);
      setDraft(conflict.mine);
      setBeside(conflict.theirs);
      setConflict(null);
    },
  };
}
