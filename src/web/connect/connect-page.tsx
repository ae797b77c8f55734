/** Brings an agent to the board: a token, what to paste where, and a light that says when it has arrived. */
import { useState } from "react";
import { readTokens } from "../agents/read.ts";
import { TokenList } from "../agents/token-list.tsx";
import { useResource } from "../room/resource.ts";
import { useRoom } from "../room/room.tsx";
import { Page } from "../shell/page.tsx";
import { Empty } from "../ui/empty.tsx";
import { plural } from "../ui/format.ts";
import { Loaded } from "../ui/loaded.tsx";
import { MintForm } from "./mint-form.tsx";
import { Minted, type MintedToken } from "./minted.tsx";
import { Ways } from "./ways.tsx";
import "../agents/agents.css";
import "./connect.css";

export default function ConnectPage() {
  const { may } = useRoom();
  return (
    <Page title="Connect" lead="An agent needs a token of its own, and the address of this board.">
      {may("lead") ? (
        <Connect />
      ) : (
        <Empty title="Only a lead connects agents">
          <p>Ask a lead of this board for a token.</p>
        </Empty>
      )}
    </Page>
  );
}

function Connect() {
  const { board } = useRoom();
  // The token itself lives here and nowhere else: it is gone with the page.
  const [minted, setMinted] = useState<MintedToken | null>(null);
  const tokens = useResource(
    "tokens",
    (signal) => readTokens(board, signal),
    ({ kind }) => kind === "token_minted" || kind === "token_revoked",
  );
  return (
    <>
      {minted === null ? (
        <MintForm onMinted={setMinted} />
      ) : (
        <Minted
          key={minted.info.id}
          minted={minted}
          onUsed={tokens.reload}
          onAnother={() => setMinted(null)}
        />
      )}
      <Ways />
      <section className="panel" aria-labelledby="tokens">
        <header>
          <h2 id="tokens">Tokens</h2>
          {tokens.value !== null && (
            <span className="soft">
              {plural(tokens.value.filter(({ revokedAt }) => revokedAt === null).length, "stands", "stand")}
            </span>
          )}
        </header>
        <div className="body connect-tokens">
          <Loaded resource={tokens}>
            {(value) => <TokenList tokens={value.toReversed()} named onDone={tokens.reload} />}
          </Loaded>
        </div>
      </section>
    </>
  );
}
