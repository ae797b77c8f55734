/**
 * An edit of what was read, not of what is there by now. Fields that nobody else touched are saved in any case; where
 * both sides wrote, a person decides with both texts in view.
 */
import type { Board } from "../../client/board.ts";
import type { Body } from "../../client/calls.ts";
import { Refused } from "../../client/errors.ts";
import type { Task } from "../../contract/task.ts";
import { same } from "../room/same.ts";

export const EDITABLE = [
  "title",
  "description",
  "priority",
  "labels",
  "kind",
  "teamId",
  "requiredCapabilities",
  "notBefore",
  "parentTaskId",
  "externalRef",
  "budgetUsd",
] as const;

export type EditableField = (typeof EDITABLE)[number];

export type Draft = Partial<Pick<Task, EditableField>>;

/** What of a draft says something else than what it was begun from. */
export function changesOf(base: Task, draft: Draft): Draft {
  return Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => !same(value, base[name as EditableField])),
  );
}

/** Fields that both sides changed, and not to the same. */
export function conflictsOf(base: Task, draft: Draft, theirs: Task): EditableField[] {
  return EDITABLE.filter(
    (name) =>
      draft[name] !== undefined && !same(theirs[name], base[name]) && !same(theirs[name], draft[name]),
  );
}

export type Saved = { task: Task } | { conflict: { theirs: Task; fields: EditableField[] } };

/** `base`: what the draft was begun from. What is refused for other reasons is thrown. */
export async function saveDraft(board: Board, base: Task, draft: Draft): Promise<Saved> {
  const changes = changesOf(base, draft);
  for (let version = base.version; ; ) {
    try {
      return await board.tasks.edit(base.id, changes as Body<"changeTask">, { ifVersion: version });
    } catch (error) {
      if (!Refused.is(error, "version_mismatch")) throw error;
      const theirs = error.problem.task;
      const fields = conflictsOf(base, changes, theirs);
      if (fields.length > 0) return { conflict: { theirs, fields } };
      version = theirs.version;
    }
  }
}
