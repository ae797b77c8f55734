/** The one board a token is for. */
import { useEffect, useState } from "react";
import { Link } from "wouter-preact";
import type { Answer } from "../../client/calls.ts";
import type { Me } from "../../contract/answers.ts";
import { server } from "../server.ts";
import { sessionEndedBy } from "../session/session.ts";
import { Fault } from "../ui/fault.tsx";
import { When } from "../ui/moment.tsx";
import { errorText } from "../ui/problem.ts";
import { BoardCounts } from "./board-counts.tsx";

export function OwnBoard({ me, id }: { me: Me; id: string }) {
  const [found, setFound] = useState<Answer<"getBoard"> | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const over = new AbortController();
    setFault(null);
    server
      .board(id)
      .get({ signal: over.signal })
      .then(setFound, (error) => {
        if (!over.signal.aborted && !sessionEndedBy(error)) setFault(error);
      });
    return () => over.abort();
  }, [id, attempt]);
  return (
    <>
      <header className="page-header">
        <h1>Your board</h1>
        <p className="soft page-lead">
          You are signed in as <bdi className="foreign">{me.agentId}</bdi>, {me.role} of this board
          {me.expiresAt !== null && (
            <>
              , until <When at={me.expiresAt} />
            </>
          )}
          .
        </p>
      </header>
      {fault !== null && <Fault text={errorText(fault)} onRetry={() => setAttempt(attempt + 1)} />}
      <ul className="panel home-boards">
        <li>
          <div className="home-board">
            <Link href={`/b/${id}`} className="home-board-name foreign">
              {found?.board.name ?? id}
            </Link>
            {found?.board.archived === true && <span className="tag">archived</span>}
            <p className="soft">
              <code>{id}</code>
            </p>
          </div>
          <BoardCounts id={id} />
          <Link href={`/b/${id}`} className="button" data-kind="primary">
            Open
          </Link>
        </li>
      </ul>
    </>
  );
}
