/** Makes a board. Its lead token is told once: whoever needs it takes it along here. */
import { useState } from "react";
import { Link } from "wouter-preact";
import type { Answer } from "../../client/calls.ts";
import { NAME_MAX } from "../../contract/limits.ts";
import { server } from "../server.ts";
import { CopyButton } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Labelled } from "../ui/labelled.tsx";

interface CreateBoardProps {
  onClose: () => void;
  onDone: () => void;
}

export function CreateBoard({ onClose, onDone }: CreateBoardProps) {
  const [name, setName] = useState("");
  const [id, setId] = useState("");
  const [made, setMade] = useState<Answer<"createBoard"> | null>(null);
  const create = async () =>
    setMade(await server.createBoard({ name: name.trim(), ...(id === "" ? {} : { id }) }));
  if (made !== null) return <Made made={made} onClose={onClose} />;
  return (
    <FormDialog
      title="Create a board"
      action="Create"
      ready={name.trim() !== ""}
      onSubmit={create}
      onDone={onDone}
      onClose={onClose}
    >
      <Labelled name="Name">
        {(field) => (
          <input
            id={field}
            className="input"
            required
            maxLength={NAME_MAX}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Labelled>
      <Labelled name="Id" hint="Stands in its address; made from the name where it is empty">
        {(field) => (
          <input
            id={field}
            className="input"
            pattern="[a-z0-9][a-z0-9\-]{0,62}"
            title="Small letters, digits and hyphens"
            autoComplete="off"
            spellcheck={false}
            value={id}
            onInput={(event) => setId(event.currentTarget.value)}
          />
        )}
      </Labelled>
    </FormDialog>
  );
}

function Made({ made, onClose }: { made: Answer<"createBoard">; onClose: () => void }) {
  return (
    <Dialog title={`${made.board.name} is there`} onClose={onClose}>
      <p>
        This is its lead token. It is shown this once; you do not need it to go on, and a lead makes further
        tokens on the page Connect.
      </p>
      <div className="home-token">
        <code>{made.token}</code>
        <CopyButton text={made.token} />
      </div>
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
        <Link href={`/b/${made.board.id}`} className="button" data-kind="primary">
          Open the board
        </Link>
      </div>
    </Dialog>
  );
}
