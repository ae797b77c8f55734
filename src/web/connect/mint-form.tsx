/** Asks who is to be connected: a name, what it may, and for how long. */
import { useId, useState } from "react";
import { useSearchParams } from "wouter-preact";
import { TOKEN_ROLES } from "../../contract/roles.ts";
import { useRoom } from "../room/room.tsx";
import { Fault } from "../ui/fault.tsx";
import { errorText } from "../ui/problem.ts";
import { readWords } from "../ui/words.ts";
import type { MintedToken } from "./minted.tsx";

type TokenRole = (typeof TOKEN_ROLES)[number];

const ROLE_NAMES: Record<TokenRole, string> = {
  viewer: "Viewer: reads",
  worker: "Worker: claims and works",
  verifier: "Verifier: works and judges others' work",
  lead: "Lead: everything on this board",
};
const DAY_S = 86_400;
const LIFETIMES: [string, number | null][] = [
  ["Never", null],
  ["In a day", DAY_S],
  ["In 7 days", 7 * DAY_S],
  ["In 30 days", 30 * DAY_S],
  ["In 90 days", 90 * DAY_S],
];
const RUNTIMES = ["claude-code", "codex", "cursor", "vscode"];

export function MintForm({ onMinted }: { onMinted: (minted: MintedToken) => void }) {
  const { board } = useRoom();
  // A page that found somebody missing says whom.
  const [asked] = useSearchParams();
  const [agentId, setAgentId] = useState("");
  const [role, setRole] = useState<TokenRole>(
    TOKEN_ROLES.find((known) => known === asked.get("role")) ?? "worker",
  );
  const [runtime, setRuntime] = useState("");
  const [capabilities, setCapabilities] = useState(asked.getAll("capability").join(", "));
  const [lifetime, setLifetime] = useState(0);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const ids = useId();
  const mint = async () => {
    setBusy(true);
    setFault(null);
    const expiresInS = LIFETIMES[lifetime]?.[1] ?? null;
    try {
      const minted = await board.mintToken({
        agentId: agentId.trim(),
        role,
        capabilities: readWords(capabilities),
        ...(runtime.trim() === "" ? {} : { runtime: runtime.trim() }),
        ...(expiresInS === null ? {} : { expiresInS }),
      });
      onMinted(minted);
    } catch (error) {
      setFault(errorText(error));
      setBusy(false);
    }
  };
  return (
    <section className="panel" aria-labelledby="mint">
      <header>
        <h2 id="mint">A token for an agent</h2>
      </header>
      <form
        className="body connect-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void mint();
        }}
      >
        <div className="field">
          <label htmlFor={`${ids}-agent`}>Name of the agent</label>
          <input
            id={`${ids}-agent`}
            className="input"
            value={agentId}
            required
            maxLength={128}
            autoComplete="off"
            placeholder="builder-1"
            onInput={(event) => setAgentId(event.currentTarget.value)}
          />
        </div>
        <div className="field">
          <label htmlFor={`${ids}-role`}>Role</label>
          <select
            id={`${ids}-role`}
            className="input"
            value={role}
            onChange={(event) => setRole(event.currentTarget.value as TokenRole)}
          >
            {TOKEN_ROLES.map((each) => (
              <option key={each} value={each}>
                {ROLE_NAMES[each]}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${ids}-runtime`}>Runtime (optional)</label>
          <input
            id={`${ids}-runtime`}
            className="input"
            value={runtime}
            list={`${ids}-runtimes`}
            maxLength={128}
            autoComplete="off"
            onInput={(event) => setRuntime(event.currentTarget.value)}
          />
          <datalist id={`${ids}-runtimes`}>
            {RUNTIMES.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </div>
        <div className="field">
          <label htmlFor={`${ids}-capabilities`}>Capabilities (optional, commas in between)</label>
          <input
            id={`${ids}-capabilities`}
            className="input"
            value={capabilities}
            autoComplete="off"
            placeholder="node, gpu"
            onInput={(event) => setCapabilities(event.currentTarget.value)}
          />
        </div>
        <div className="field">
          <label htmlFor={`${ids}-expires`}>Expires</label>
          <select
            id={`${ids}-expires`}
            className="input"
            value={String(lifetime)}
            onChange={(event) => setLifetime(Number(event.currentTarget.value))}
          >
            {LIFETIMES.map(([name], index) => (
              <option key={name} value={String(index)}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div className="connect-submit">
          <button type="submit" className="button" data-kind="primary" disabled={busy}>
            Mint the token
          </button>
        </div>
        {fault !== null && <Fault text={fault} />}
      </form>
    </section>
  );
}
