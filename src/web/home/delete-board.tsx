/** Deletes a board, for good: asked for by its id, typed. */
import { useState } from "react";
import { server } from "../server.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fault } from "../ui/fault.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { errorText } from "../ui/problem.ts";
import { notify } from "../ui/toasts.tsx";
import type { Listed } from "./use-boards.ts";

interface DeleteBoardProps {
  board: Listed;
  onClose: () => void;
  onDone: () => void;
}

export function DeleteBoard({ board, onClose, onDone }: DeleteBoardProps) {
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    setFault(null);
    try {
      await server.board(board.id).delete(typed);
      notify(`${board.name} is deleted.`);
      onDone();
      onClose();
    } catch (error) {
      setFault(errorText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Delete ${board.name}?`} onClose={onClose}>
      <form
        className="home-form"
        onSubmit={(event) => {
          event.preventDefault();
          void remove();
        }}
      >
        <p>
          Its tasks, runs, tokens and its history go for good; nothing brings them back. An export keeps what
          is on it.
        </p>
        <Labelled name={`To be sure, type ${board.id}`}>
          {(field) => (
            <input
              id={field}
              className="input"
              autoComplete="off"
              spellcheck={false}
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          )}
        </Labelled>
        {fault !== null && <Fault text={fault} />}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Not now
          </button>
          <button type="submit" className="button" data-kind="danger" disabled={busy || typed !== board.id}>
            Delete it for good
          </button>
        </div>
      </form>
    </Dialog>
  );
}
