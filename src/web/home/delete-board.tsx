/** Deletes a board, for good: asked for by its id, typed. */
import { useState } from "react";
import { server } from "../server.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { notify } from "../ui/toasts.tsx";
import type { Listed } from "./use-boards.ts";

interface DeleteBoardProps {
  board: Listed;
  onClose: () => void;
  onDone: () => void;
}

export function DeleteBoard({ board, onClose, onDone }: DeleteBoardProps) {
  const [typed, setTyped] = useState("");
  const remove = async () => {
    await server.board(board.id).delete(typed);
    notify(`${board.name} is deleted.`);
    onDone();
  };
  return (
    <FormDialog
      title={`Delete ${board.name}?`}
      action="Delete it for good"
      danger
      ready={typed === board.id}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>
        Its tasks, runs, tokens and its history go for good; nothing brings them back. An export keeps what is
        on it.
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
    </FormDialog>
  );
}
