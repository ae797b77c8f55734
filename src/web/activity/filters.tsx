/** What of the activity is looked at. It stands in the address, so that a view can be kept and sent to somebody. */
import { useId } from "react";
import { Link, useSearchParams } from "wouter-preact";
import { useResource } from "../room/resource.ts";
import { useRoom } from "../room/room.tsx";
import { EVENT_NAMES, EVENT_ORDER, PRIVILEGE_NAMES } from "./kinds.ts";

export interface Looked {
  privileges: boolean;
  actor: string;
  kind: string;
}

export function useLooked(): [Looked, (change: Partial<Looked>) => void] {
  const [params, setParams] = useSearchParams();
  const looked = {
    privileges: params.get("show") === "privileges",
    actor: params.get("actor") ?? "",
    kind: params.get("kind") ?? "",
  };
  const change = (part: Partial<Looked>) => {
    const { privileges, actor, kind } = { ...looked, ...part };
    setParams(
      {
        ...(privileges ? { show: "privileges" } : {}),
        ...(actor === "" ? {} : { actor }),
        ...(kind === "" ? {} : { kind }),
      },
      { replace: true },
    );
  };
  return [looked, change];
}

export function Filters({ looked, onChange }: { looked: Looked; onChange: (part: Partial<Looked>) => void }) {
  const { id, board } = useRoom();
  const ids = useId();
  const agents = useResource("activity-agents", (signal) =>
    board.agents({ limit: 200, days: 1 }, { signal }),
  );
  const root = `/b/${id}/activity`;
  const kinds = looked.privileges
    ? Object.entries(PRIVILEGE_NAMES)
    : EVENT_ORDER.map((kind): [string, string] => [kind, EVENT_NAMES[kind]]);
  return (
    <div className="activity-filters">
      <nav aria-label="What is shown">
        <Link href={root} className="button" aria-current={looked.privileges ? undefined : "page"}>
          Everything
        </Link>
        <Link
          href={`${root}?show=privileges`}
          className="button"
          aria-current={looked.privileges ? "page" : undefined}
        >
          Privileges used
        </Link>
      </nav>
      <input
        className="input"
        aria-label="By whom"
        placeholder="By anybody"
        list={`${ids}-agents`}
        key={looked.actor}
        defaultValue={looked.actor}
        autoComplete="off"
        onChange={(event) => onChange({ actor: event.currentTarget.value.trim() })}
        onKeyDown={(event) => {
          if (event.key === "Enter") onChange({ actor: event.currentTarget.value.trim() });
        }}
      />
      <datalist id={`${ids}-agents`}>
        <option value="board">The board itself</option>
        {agents.value?.agents.map(({ agentId }) => (
          <option key={agentId} value={agentId} />
        ))}
      </datalist>
      <select
        className="input"
        aria-label="Of which kind"
        value={looked.kind}
        onChange={(event) => onChange({ kind: event.currentTarget.value })}
      >
        <option value="">Of any kind</option>
        {kinds.map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </select>
      {(looked.actor !== "" || looked.kind !== "") && (
        <button
          type="button"
          className="button"
          data-kind="plain"
          onClick={() => onChange({ actor: "", kind: "" })}
        >
          Show all
        </button>
      )}
    </div>
  );
}
