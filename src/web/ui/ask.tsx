/** Asks for a reason, or to be sure, before something that is not taken back. */
import { type ReactNode, useId, useState } from "react";
import { Dialog } from "./dialog.tsx";
import { Fault } from "./fault.tsx";
import { errorText } from "./problem.ts";

interface AskProps {
  title: string;
  /** What will come of it. */
  children?: ReactNode;
  /** Names the button, such as `Stop it`. */
  action: string;
  danger?: boolean;
  /** Asks for words; with `required` none is no answer. */
  words?: { label: string; required?: boolean; placeholder?: string };
  /** What it throws is shown, and the question stays. */
  onAnswer: (words: string) => Promise<unknown> | undefined;
  onClose: () => void;
}

export function Ask({ title, children, action, danger = false, words, onAnswer, onClose }: AskProps) {
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const field = useId();
  const answer = async () => {
    setBusy(true);
    setFault(null);
    try {
      await onAnswer(said.trim());
      onClose();
    } catch (error) {
      setFault(errorText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {words !== undefined && (
        <div className="field">
          <label htmlFor={field}>{words.label}</label>
          <textarea
            id={field}
            className="input"
            value={said}
            placeholder={words.placeholder}
            onInput={(event) => setSaid(event.currentTarget.value)}
          />
        </div>
      )}
      {fault !== null && <Fault text={fault} />}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Not now
        </button>
        <button
          type="button"
          className="button"
          data-kind={danger ? "danger" : "primary"}
          disabled={busy || (words?.required === true && said.trim() === "")}
          onClick={() => void answer()}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}
