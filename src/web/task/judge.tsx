/** A person's verdict on the present attempt. */
import { useId, useState } from "react";
import { Refused } from "../../client/errors.ts";
import { type Judgement, judged, judgementFault } from "../../rules/judgement.ts";
import { useRoom } from "../room/room.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Fault } from "../ui/fault.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { errorText } from "../ui/problem.ts";
import { notify } from "../ui/toasts.tsx";
import type { Shown } from "./use-task.ts";

interface JudgeProps {
  shown: Shown;
  onClose: () => void;
}

const CHOICES: { verdict: Judgement["verdict"]; name: string }[] = [
  { verdict: "pass", name: "Pass" },
  { verdict: "debt", name: "Done with debt: good enough, with something left to do" },
  { verdict: "fail", name: "Fail" },
];

export function Judge({ shown, onClose }: JudgeProps) {
  const { board, store } = useRoom();
  const { task } = shown.detail;
  // What is judged is what was looked at, whatever is claimed meanwhile.
  const [epoch] = useState(task.epoch);
  const [verdict, setVerdict] = useState<Judgement["verdict"]>("pass");
  const [checks, setChecks] = useState("");
  const [red, setRed] = useState(false);
  const [notes, setNotes] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const group = useId();
  const judgement: Judgement = {
    verdict,
    checks: checks
      .split("\n")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => ({ name, ok: !red })),
    notes: notes.trim() === "" ? null : notes.trim(),
  };
  const missing = judgementFault(judgement);
  const record = async () => {
    setBusy(true);
    setFault(null);
    try {
      await board.tasks.setVerification(task.id, {
        epoch,
        result: judged(task.verification, judgement, store.now()),
      });
      if (verdict === "pass" && judgement.notes !== null) await board.tasks.comment(task.id, judgement.notes);
      notify(`The verdict on n${task.number} is recorded.`);
      shown.reload();
      onClose();
    } catch (error) {
      setFault(
        Refused.is(error, "stale_epoch")
          ? "Another attempt has begun: look at that one first."
          : errorText(error),
      );
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Verdict on n${task.number}, attempt ${epoch}`} onClose={onClose}>
      <form
        className="task-form"
        onSubmit={(event) => {
          event.preventDefault();
          void record();
        }}
      >
        <fieldset className="task-choices">
          <legend>Verdict</legend>
          {CHOICES.map((choice) => (
            <label key={choice.verdict}>
              <input
                type="radio"
                name={group}
                checked={verdict === choice.verdict}
                onChange={() => setVerdict(choice.verdict)}
              />
              {choice.name}
            </label>
          ))}
        </fieldset>
        <Labelled name="What was run" hint="A line for each check; empty if nothing was">
          {(id) => (
            <textarea
              id={id}
              className="input task-short-area"
              value={checks}
              onInput={(event) => setChecks(event.currentTarget.value)}
            />
          )}
        </Labelled>
        {judgement.checks.length > 0 && (
          <label className="task-check">
            <input type="checkbox" checked={red} onChange={(event) => setRed(event.currentTarget.checked)} />
            They did not pass
          </label>
        )}
        <Labelled name="Notes" hint={verdict === "pass" ? "Become a comment" : "What, where, how to mend it"}>
          {(id) => (
            <textarea
              id={id}
              className="input"
              value={notes}
              onInput={(event) => setNotes(event.currentTarget.value)}
            />
          )}
        </Labelled>
        {missing !== null && (
          <p className="soft" role="status">
            {MISSING[missing.field]}
          </p>
        )}
        {fault !== null && <Fault text={fault} />}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Not now
          </button>
          <button type="submit" className="button" data-kind="primary" disabled={busy || missing !== null}>
            Record
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const MISSING = {
  notes: "Say in the notes what is wrong, or what is left to do.",
  verdict: "Where a check did not pass, the verdict is fail.",
  checks: "Debt needs checks that passed: a review that ran nothing carries none.",
};
