/** Whether the board hands anything out, and the switch for it. */
import { useState } from "react";
import { useBoard, useRoom } from "../room/room.tsx";
import { errorText } from "../ui/problem.ts";
import { notify } from "../ui/toasts.tsx";

export function BoardState() {
  const { board, store, may } = useRoom();
  const known = useBoard();
  const [busy, setBusy] = useState(false);
  if (known === null) return null;
  if (known.archived) return <span className="tag">Archived: read only</span>;
  const turn = async () => {
    setBusy(true);
    try {
      const { board: now } = await board.change({ paused: !known.paused });
      store.setBoard(now);
    } catch (error) {
      notify(errorText(error), "bad");
    }
    setBusy(false);
  };
  return (
    <>
      {known.paused && (
        <span className="tag" data-tone="warn">
          Paused: nothing is handed out
        </span>
      )}
      {may("lead") && (
        <button type="button" className="button" disabled={busy} onClick={() => void turn()}>
          {known.paused ? "Resume" : "Pause"}
        </button>
      )}
    </>
  );
}
