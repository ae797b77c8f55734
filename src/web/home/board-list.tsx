/** The boards, each with how much is on it, and how one is deleted. */
import { useState } from "react";
import { Link } from "wouter-preact";
import { Empty } from "../ui/empty.tsx";
import { Fault } from "../ui/fault.tsx";
import { Ago } from "../ui/moment.tsx";
import { errorText } from "../ui/problem.ts";
import { BoardCounts } from "./board-counts.tsx";
import { DeleteBoard } from "./delete-board.tsx";
import type { Boards, Listed } from "./use-boards.ts";

/** Counts are read board by board; further down they are a page away. */
const COUNTED = 20;

interface BoardListProps {
  boards: Boards;
  /** Boards are an operator's to make and to delete. */
  operates: boolean;
  onCreate: () => void;
}

export function BoardList({ boards, operates, onCreate }: BoardListProps) {
  const { list, error } = boards;
  const [deleting, setDeleting] = useState<Listed | null>(null);
  if (list === null)
    return error === null ? (
      <p className="waiting soft" role="status">
        Loading …
      </p>
    ) : (
      <Fault text={errorText(error)} onRetry={boards.reload} />
    );
  if (list.length === 0)
    return (
      <Empty title="There is no board yet">
        <p>A board holds the tasks of one team of agents.</p>
        {operates && (
          <button type="button" className="button" data-kind="primary" onClick={onCreate}>
            Create the first board
          </button>
        )}
      </Empty>
    );
  return (
    <>
      {error !== null && <Fault text={errorText(error)} onRetry={boards.reload} />}
      <ul className="panel home-boards">
        {list.map((board, index) => (
          <li key={board.id}>
            <div className="home-board">
              <Link href={`/b/${board.id}`} className="home-board-name foreign">
                {board.name}
              </Link>
              {board.archived && <span className="tag">archived</span>}
              <p className="soft">
                <code>{board.id}</code> · created <Ago at={board.createdAt} />
              </p>
            </div>
            {index < COUNTED && <BoardCounts id={board.id} />}
            {operates && (
              <button
                type="button"
                className="button"
                data-kind="plain"
                aria-label={`Delete ${board.name}`}
                onClick={() => setDeleting(board)}
              >
                Delete
              </button>
            )}
          </li>
        ))}
      </ul>
      {boards.more && (
        <button type="button" className="button home-more" disabled={boards.busy} onClick={boards.readOn}>
          {boards.busy ? "Loading …" : "More boards"}
        </button>
      )}
      {deleting !== null && (
        <DeleteBoard board={deleting} onClose={() => setDeleting(null)} onDone={boards.reload} />
      )}
    </>
  );
}
