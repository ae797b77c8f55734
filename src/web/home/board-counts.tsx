/** How much stands where on a board: what is open first, by shape and number. */
import { useEffect, useState } from "react";
import type { Answer } from "../../client/calls.ts";
import type { TaskStatus } from "../../rules/status.ts";
import { server } from "../server.ts";
import { count } from "../ui/format.ts";
import { STATUS_NAMES, StatusShape } from "../ui/status.tsx";

const SHOWN: readonly TaskStatus[] = ["todo", "in_progress", "in_review", "blocked", "done"];

export function BoardCounts({ id }: { id: string }) {
  const [board, setBoard] = useState<Answer<"getBoard"> | null>(null);
  useEffect(() => {
    const over = new AbortController();
    // Without counts a board is still a board.
    server
      .board(id)
      .get({ signal: over.signal })
      .then(setBoard, () => {});
    return () => over.abort();
  }, [id]);
  if (board === null) return <div className="home-counts" />;
  return (
    <ul className="home-counts" aria-label="Tasks">
      {board.board.paused && (
        <li>
          <span className="tag" data-tone="warn">
            paused
          </span>
        </li>
      )}
      {SHOWN.map((status) => (
        <li key={status} className="status" data-status={status} title={STATUS_NAMES[status]}>
          <StatusShape status={status} />
          <span className="visually-hidden">{STATUS_NAMES[status]}: </span>
          <span>{count(board.counts[status])}</span>
        </li>
      ))}
    </ul>
  );
}
