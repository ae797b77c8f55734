/** Where a task stands in the plan, and what bounds it. */
import { type ReactNode, Suspense, useRef, useState } from "react";
import type { Task } from "../../contract/task.ts";
import { useRoom } from "../room/room.tsx";
import { money } from "../ui/format.ts";
import { Ago, When } from "../ui/moment.tsx";
import { TaskLink } from "../ui/task-link.tsx";
import { FieldsForm } from "./lazy-forms.ts";
import { Section } from "./section.tsx";
import type { Shown } from "./use-task.ts";

export function Fields({ shown }: { shown: Shown }) {
  const { may } = useRoom();
  const { task } = shown.detail;
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const close = () => {
    setEditing(false);
    shown.reload();
    setTimeout(() => edit.current?.focus());
  };
  return (
    <Section
      title="Fields"
      actions={
        may("lead") && !task.dropped && !editing ? (
          <button
            ref={edit}
            type="button"
            className="button"
            data-kind="plain"
            aria-label="Edit the fields"
            onClick={() => setEditing(true)}
          >
            Edit
          </button>
        ) : undefined
      }
    >
      {editing ? (
        <Suspense fallback={null}>
          <FieldsForm shown={shown} onDone={close} />
        </Suspense>
      ) : (
        <FieldList shown={shown} />
      )}
    </Section>
  );
}

function FieldList({ shown }: { shown: Shown }) {
  const { task, ancestors = [], workspace } = shown.detail;
  return (
    <dl className="task-fields">
      <Field name="Priority">{task.priority}</Field>
      <Field name="Assignee">{task.assigneeAgentId}</Field>
      <Field name="Runtime">{task.assigneeRuntime}</Field>
      <Field name="Kind">{task.kind}</Field>
      <Field name="Labels">{tags(task.labels)}</Field>
      <Field name="Needs">{tags(task.requiredCapabilities)}</Field>
      <Field name="Cost">{cost(task)}</Field>
      <Field name="Not before">{task.notBefore === null ? null : <When at={task.notBefore} />}</Field>
      <Field name="Parent">
        {ancestors.length === 0 ? null : (
          <ol className="task-refs">
            {ancestors.map((one) => (
              <li key={one.id}>
                <TaskLink task={one} />
              </li>
            ))}
          </ol>
        )}
      </Field>
      <Field name="Team">{task.teamId}</Field>
      <Field name="External ref">{task.externalRef}</Field>
      <Field name="Branch">{mono(task.branchRef ?? workspace?.branch ?? null)}</Field>
      <Field name="Worktree">{mono(task.worktreeRef ?? workspace?.worktreePath ?? null)}</Field>
      <Field name="Repository">{mono(workspace?.repoPath ?? null)}</Field>
      <Field name="Workspace">
        {workspace ? (
          <>
            {workspace.status}, used <Ago at={workspace.lastUsedAt} />
          </>
        ) : null}
      </Field>
      <Field name="Created">
        <Ago at={task.createdAt} />
        {task.createdBy !== null && (
          <>
            {" by "}
            <bdi className="foreign">{task.createdBy}</bdi>
          </>
        )}
      </Field>
      <Field name="Changed">
        <Ago at={task.updatedAt} />
      </Field>
      <Field name="Ended">{task.completedAt === null ? null : <Ago at={task.completedAt} />}</Field>
    </dl>
  );
}

/** What there is nothing to say of is left out. */
function Field({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === "") return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd className="foreign">{children}</dd>
    </div>
  );
}

const mono = (text: string | null): ReactNode => (text === null ? null : <code>{text}</code>);

function tags(words: readonly string[]): ReactNode {
  if (words.length === 0) return null;
  return (
    <span className="task-tags">
      {words.map((word) => (
        <span key={word} className="tag" title={word}>
          <span>{word}</span>
        </span>
      ))}
    </span>
  );
}

function cost({ costUsd, budgetUsd }: Task): ReactNode {
  if (budgetUsd === null) return costUsd === 0 ? null : money(costUsd);
  const share = budgetUsd === 0 ? 1 : costUsd / budgetUsd;
  const tone = share >= 1 ? "bad" : share >= 0.8 ? "warn" : undefined;
  return (
    <>
      {`${money(costUsd)} of ${money(budgetUsd)}`}
      {tone !== undefined && (
        <span className="tag" data-tone={tone}>
          {share >= 1 ? "spent" : "nearly spent"}
        </span>
      )}
    </>
  );
}
