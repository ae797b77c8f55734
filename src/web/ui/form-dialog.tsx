/** A few fields over the page; what the board refuses is shown, and the form stays. */
import { type ReactNode, useState } from "react";
import { Dialog } from "./dialog.tsx";
import { Fault } from "./fault.tsx";
import { errorText } from "./problem.ts";

interface FormDialogProps {
  title: string;
  /** Names the button, such as `Revoke it`. */
  action: string;
  danger?: boolean;
  /** Whether there is enough to send. */
  ready?: boolean;
  onSubmit: () => Promise<unknown> | undefined;
  /** When that went through; it closes, unless something else is said. */
  onDone?: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog({
  title,
  action,
  danger = false,
  ready = true,
  onSubmit,
  onClose,
  onDone = onClose,
  children,
}: FormDialogProps) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const submit = async () => {
    setBusy(true);
    setFault(null);
    try {
      await onSubmit();
      onDone();
    } catch (error) {
      setFault(errorText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="form-dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !busy) void submit();
        }}
      >
        {children}
        {fault !== null && <Fault text={fault} />}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Not now
          </button>
          <button
            type="submit"
            className="button"
            data-kind={danger ? "danger" : "primary"}
            disabled={busy || !ready}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
