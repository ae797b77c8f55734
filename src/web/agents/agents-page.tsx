/** Who works here: what each holds, how it does, what it costs, and the two ways to end its work. */
import { useState } from "react";
import { Link, useSearchParams } from "wouter-preact";
import type { EventKind } from "../../contract/events.ts";
import { useEveryMinute } from "../room/every-minute.ts";
import { useResource } from "../room/resource.ts";
import { useRoom } from "../room/room.tsx";
import { Page } from "../shell/page.tsx";
import { Empty } from "../ui/empty.tsx";
import { plural } from "../ui/format.ts";
import { useKeptFocus } from "../ui/kept-focus.ts";
import { Loaded } from "../ui/loaded.tsx";
import { AgentRow } from "./agent-row.tsx";
import { readSpan, SPANS } from "./days.ts";
import { Numbers } from "./numbers.tsx";
import { type Agent, readAgents, readTokens, type TokenInfo } from "./read.ts";
import "./agents.css";

const OF_NO_MATTER: ReadonlySet<EventKind> = new Set([
  "task_created",
  "comment_added",
  "dependency_linked",
  "dependency_unlinked",
  "verification_recorded",
  "workspace_changed",
  "webhook_disabled",
]);
const SHOWN = 50;

export default function AgentsPage() {
  const { board, may } = useRoom();
  const [params, setParams] = useSearchParams();
  const days = readSpan(params.get("days"));
  const wanted = ({ kind }: { kind: EventKind }) => !OF_NO_MATTER.has(kind);
  const stats = useResource(`stats:${days}`, (signal) => board.stats({ days }, { signal }), wanted);
  const team = useResource(
    `agents:${days}`,
    async (signal) => {
      const [agents, tokens] = await Promise.all([
        readAgents(board, days, signal),
        may("lead") ? readTokens(board, signal) : [],
      ]);
      return { agents, tokens };
    },
    wanted,
  );
  useEveryMinute(team.reload);
  useKeptFocus(team.value);
  const { id } = useRoom();
  return (
    <Page
      title="Agents"
      actions={
        <>
          <select
            className="input agents-span"
            aria-label="Days to look back"
            value={String(days)}
            onChange={(event) => setParams({ days: event.currentTarget.value }, { replace: true })}
          >
            {SPANS.map((span) => (
              <option key={span} value={String(span)}>
                {span} days
              </option>
            ))}
          </select>
          {may("lead") && (
            <Link href={`/b/${id}/connect`} className="button" data-kind="primary">
              Connect an agent
            </Link>
          )}
        </>
      }
    >
      <Loaded resource={stats}>{(value) => <Numbers stats={value} />}</Loaded>
      <Loaded resource={team}>
        {({ agents, tokens }) => (
          <Team
            agents={agents}
            tokens={tokens}
            since={stats.value?.since ?? 0}
            days={days}
            onDone={team.reload}
          />
        )}
      </Loaded>
    </Page>
  );
}

interface TeamProps {
  agents: readonly Agent[];
  tokens: readonly TokenInfo[];
  since: number;
  days: number;
  onDone: () => void;
}

function Team({ agents, tokens, since, days, onDone }: TeamProps) {
  const [shown, setShown] = useState(SHOWN);
  if (agents.length === 0)
    return (
      <Empty title="Nobody is here yet">
        <p>An agent is on the board once it has a token.</p>
      </Empty>
    );
  // Whoever holds something stands first, then whoever was seen last.
  const sorted = agents.toSorted(
    (a, b) => Number(b.held > 0) - Number(a.held > 0) || (b.lastSeenAt ?? 0) - (a.lastSeenAt ?? 0),
  );
  const left = sorted.length - shown;
  return (
    <section className="panel" aria-labelledby="team">
      <header>
        <h2 id="team">{plural(agents.length, "agent")}</h2>
        <span className="soft">
          {plural(agents.filter(({ held }) => held > 0).length, "is", "are")} at work
        </span>
      </header>
      <ul>
        {sorted.slice(0, shown).map((agent) => (
          <AgentRow
            key={agent.agentId}
            agent={agent}
            tokens={tokens.filter(({ agentId }) => agentId === agent.agentId)}
            since={since}
            days={days}
            onDone={onDone}
          />
        ))}
      </ul>
      {left > 0 && (
        <div className="body">
          <button type="button" className="button" onClick={() => setShown(shown + SHOWN)}>
            Show {Math.min(left, SHOWN)} more
          </button>
        </div>
      )}
    </section>
  );
}
