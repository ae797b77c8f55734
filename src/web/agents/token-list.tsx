/** Tokens, as the board knows them: who may what with each, until when, and the button that ends it. */
import { useState } from "react";
import { moment } from "../ui/format.ts";
import { Ago } from "../ui/moment.tsx";
import { useTime } from "../ui/time.ts";
import type { Agent, TokenInfo } from "./read.ts";
import { RevokeDialog } from "./revoke-dialog.tsx";

interface TokenListProps {
  tokens: readonly TokenInfo[];
  /** What its agent holds, where that is known. */
  held?: Agent["tasks"];
  /** Where tokens of several agents stand together. */
  named?: boolean;
  onDone: () => void;
}

export function TokenList({ tokens, held, named = false, onDone }: TokenListProps) {
  const [revoking, setRevoking] = useState<TokenInfo | null>(null);
  if (tokens.length === 0) return <p className="soft agents-none">No token</p>;
  return (
    <>
      <ul className="agents-tokens">
        {tokens.map((token) => (
          <Token key={token.id} token={token} named={named} onRevoke={() => setRevoking(token)} />
        ))}
      </ul>
      {revoking !== null && (
        <RevokeDialog
          token={revoking}
          held={held}
          others={tokens.some(
            ({ id, agentId, revokedAt }) =>
              id !== revoking.id && agentId === revoking.agentId && revokedAt === null,
          )}
          onDone={onDone}
          onClose={() => setRevoking(null)}
        />
      )}
    </>
  );
}

function Token({ token, named, onRevoke }: { token: TokenInfo; named: boolean; onRevoke: () => void }) {
  const { agentId, role, runtime, capabilities, createdAt, createdBy, lastUsedAt, expiresAt, revokedAt } =
    token;
  const expired = useTime((now) => expiresAt !== null && now >= expiresAt);
  const over = revokedAt !== null || expired;
  return (
    <li data-over={over} data-token={token.id}>
      <p className="agents-token">
        {named && <strong className="foreign">{agentId}</strong>}
        <span className="tag">{role}</span>
        {runtime !== null && <span className="tag foreign">{runtime}</span>}
        {capabilities.map((name) => (
          <span key={name} className="tag foreign">
            <span>{name}</span>
          </span>
        ))}
        {revokedAt !== null && (
          <span className="tag" data-tone="bad">
            revoked
          </span>
        )}
        {revokedAt === null && expired && (
          <span className="tag" data-tone="warn">
            expired
          </span>
        )}
      </p>
      <p className="soft agents-token-times">
        <span>
          made <Ago at={createdAt} /> by <bdi>{createdBy}</bdi>
        </span>
        <span>
          {lastUsedAt === null ? (
            "never used"
          ) : (
            <>
              last used <Ago at={lastUsedAt} />
            </>
          )}
        </span>
        {expiresAt !== null && !over && <span>expires {moment(expiresAt)}</span>}
        {revokedAt !== null && (
          <span>
            revoked <Ago at={revokedAt} />
          </span>
        )}
      </p>
      {!over && (
        <button
          type="button"
          className="button"
          aria-label={`Revoke a token of ${agentId} (${role})`}
          onClick={onRevoke}
        >
          Revoke…
        </button>
      )}
    </li>
  );
}
