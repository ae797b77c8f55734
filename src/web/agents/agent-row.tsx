/** One agent: what it holds, how its runs end, what they cost, and below that its tokens and its days. */
import { useRoom } from "../room/room.tsx";
import { count, money, percent, plural } from "../ui/format.ts";
import { Ago } from "../ui/moment.tsx";
import { DayBars } from "./day-bars.tsx";
import { DayTable } from "./day-table.tsx";
import { everyDay } from "./days.ts";
import { HeldTasks } from "./held-tasks.tsx";
import type { Agent, TokenInfo } from "./read.ts";
import { TokenList } from "./token-list.tsx";

interface AgentRowProps {
  agent: Agent;
  /** None are known to whoever may not lead. */
  tokens: readonly TokenInfo[];
  since: number;
  days: number;
  onDone: () => void;
}

export function AgentRow({ agent, tokens, since, days, onDone }: AgentRowProps) {
  const { may } = useRoom();
  const { agentId, roles, lastSeenAt, daily, outcomes } = agent;
  const ended = Object.values(outcomes).reduce((sum, value) => sum + value, 0);
  return (
    <li className="agents-row" data-agent={agentId}>
      <div className="agents-who">
        <h3 className="foreign">{agentId}</h3>
        <p className="soft">
          {roles.length === 0 ? "no token" : roles.join(", ")}
          {" · "}
          {lastSeenAt === null ? "never seen" : <Seen at={lastSeenAt} />}
        </p>
      </div>
      <HeldTasks agent={agent} onDone={onDone} />
      {ended === 0 ? (
        <p className="soft agents-idle">No run ended</p>
      ) : (
        <Does {...{ agent, ended, since, days }} />
      )}
      <details className="agents-more">
        <summary>
          {may("lead") ? "Tokens and days" : "Its days"}
          <span className="visually-hidden"> of {agentId}</span>
        </summary>
        {may("lead") && <TokenList tokens={tokens} held={agent.tasks} onDone={onDone} />}
        <DayTable rows={daily} label={`${agentId} by day`} />
      </details>
    </li>
  );
}

function Seen({ at }: { at: number }) {
  return (
    <>
      seen <Ago at={at} />
    </>
  );
}

interface DoesProps {
  agent: Agent;
  ended: number;
  since: number;
  days: number;
}

/** How its runs ended, and what they cost. */
function Does({ agent, ended, since, days }: DoesProps) {
  const { daily, outcomes, successRate, costUsd } = agent;
  return (
    <dl className="agents-does">
      <div>
        <dt className="visually-hidden">Success rate</dt>
        <dd>
          <strong>{percent(successRate)}</strong>
          <span className="soft">of {plural(ended, "run")}</span>
        </dd>
      </div>
      <div>
        <dt className="visually-hidden">Successes a day</dt>
        <dd>
          <DayBars
            label="Successes a day"
            days={everyDay(daily, since, days, (day) => day.succeeded)}
            format={count}
          />
          <span className="soft">{count(outcomes.succeeded)} succeeded</span>
        </dd>
      </div>
      <div>
        <dt className="visually-hidden">Cost a day</dt>
        <dd>
          <DayBars
            label="Cost a day"
            days={everyDay(daily, since, days, (day) => day.costUsd)}
            format={money}
          />
          <span className="soft">{money(costUsd)}</span>
        </dd>
      </div>
    </dl>
  );
}
