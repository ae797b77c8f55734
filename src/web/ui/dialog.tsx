/** A question over the page, in the browser's own dialog: it keeps the focus, and gives it back. */
import { type ReactNode, useEffect, useId, useRef } from "react";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  className?: string;
}

export function Dialog({ title, onClose, children, className = "" }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titled = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={titled}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="content">
        <h2 id={titled}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
