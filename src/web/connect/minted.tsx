/** A token that was just made: shown once, from the memory of this page alone, with a light for its first call. */
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter-preact";
import type { Answer } from "../../client/calls.ts";
import { useRoom } from "../room/room.tsx";
import { CopyButton } from "../ui/copy.tsx";
import { Ago } from "../ui/moment.tsx";
import { announce } from "../ui/toasts.tsx";
import { exportLine } from "./blocks.ts";
import { firstCall } from "./first-call.ts";

export type MintedToken = Answer<"mintToken">;

interface MintedProps {
  minted: MintedToken;
  onUsed: () => void;
  onAnother: () => void;
}

export function Minted({ minted, onUsed, onAnother }: MintedProps) {
  const { token, info } = minted;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="panel connect-minted" aria-labelledby="minted">
      <header>
        <h2 id="minted" ref={heading} tabIndex={-1}>
          The token of <bdi>{info.agentId}</bdi>
        </h2>
        <span className="tag">{info.role}</span>
      </header>
      <div className="body">
        <p>
          It is shown this once and kept nowhere. Set it where the agent runs; the blocks below name the
          variable, never the token.
        </p>
        <pre className="connect-code">
          <code>{exportLine(token)}</code>
        </pre>
        <div className="connect-buttons">
          <CopyButton text={exportLine(token)} label="Copy the line" />
          <CopyButton text={token} label="Copy the token alone" />
          <button type="button" className="button" data-kind="plain" onClick={onAnother}>
            Mint another
          </button>
        </div>
        <FirstCall tokenId={info.id} agentId={info.agentId} onUsed={onUsed} />
      </div>
    </section>
  );
}

function FirstCall({ tokenId, agentId, onUsed }: { tokenId: string; agentId: string; onUsed: () => void }) {
  const { id, board } = useRoom();
  const [usedAt, setUsedAt] = useState<number | null>(null);
  const heard = useRef(onUsed);
  heard.current = onUsed;
  useEffect(() => {
    const over = new AbortController();
    void firstCall(board, tokenId, over.signal).then((at) => {
      if (at === null) return;
      setUsedAt(at);
      announce(`The first call of ${agentId} came.`);
      heard.current();
    });
    return () => over.abort();
  }, [board, tokenId, agentId]);
  return (
    <p className="connect-light" data-lit={usedAt !== null}>
      <span className="dot" aria-hidden="true" />
      {usedAt === null ? (
        "Waiting for its first call …"
      ) : (
        <span>
          First call received <Ago at={usedAt} />.{" "}
          <Link href={`/b/${id}/agents`}>See it among the agents</Link>
        </span>
      )}
    </p>
  );
}
