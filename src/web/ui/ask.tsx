/** Asks for a reason, or to be sure, before something that is not taken back. */
import { type ReactNode, useState } from "react";
import { FormDialog } from "./form-dialog.tsx";
import { Labelled } from "./labelled.tsx";

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

export function Ask({ children, words, onAnswer, ...dialog }: AskProps) {
  const [said, setSaid] = useState("");
  const ready = words?.required !== true || said.trim() !== "";
  return (
    <FormDialog {...dialog} ready={ready} onSubmit={() => onAnswer(said.trim())}>
      {children}
      {words !== undefined && (
        <Labelled name={words.label}>
          {(id) => (
            <textarea
              id={id}
              className="input"
              value={said}
              placeholder={words.placeholder}
              onInput={(event) => setSaid(event.currentTarget.value)}
            />
          )}
        </Labelled>
      )}
    </FormDialog>
  );
}
