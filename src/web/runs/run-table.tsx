/** The same runs as a table, newest first. */
import { memo, useState } from "react";
import type { Execution } from "../../contract/task.ts";
import { useRoom } from "../room/room.tsx";
import { useTaskName } from "../room/task-names.ts";
import { count, money, tokens } from "../ui/format.ts";
import { Ago } from "../ui/moment.tsx";
import { TaskLink } from "../ui/task-link.tsx";
import { useTime } from "../ui/time.ts";
import { lengthOf, RunStatus } from "./run-words.tsx";

const STEP = 100;
const WORDS = 160;

interface RunTableProps {
  runs: readonly Execution[];
  hasMore: boolean;
  chosen: Execution | null;
  onChoose: (run: Execution) => void;
  onOlder: () => void;
}

export function RunTable({ runs, hasMore, chosen, onChoose, onOlder }: RunTableProps) {
  const [rows, setRows] = useState(STEP);
  const at = chosen === null ? -1 : runs.indexOf(chosen);
  const shown = Math.max(rows, at + 1);
  return (
    <div className="runs-table">
      {/* biome-ignore lint/a11y/useSemanticElements: it is a region because it scrolls */}
      <div
        className="panel table-scroll"
        role="region"
        aria-label="Runs, newest first"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        tabIndex={0}
      >
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col">Task</th>
              <th scope="col">Agent</th>
              <th scope="col">Began</th>
              <th scope="col" className="number">
                Took
              </th>
              <th scope="col" className="number">
                Cost
              </th>
              <th scope="col" className="number">
                Tokens
              </th>
              <th scope="col">What it said</th>
            </tr>
          </thead>
          <tbody>
            {runs.slice(0, shown).map((run) => (
              <RunLine key={run.id} run={run} chosen={run === chosen} onChoose={onChoose} />
            ))}
          </tbody>
        </table>
      </div>
      {(runs.length > shown || hasMore) && (
        <button
          type="button"
          className="button"
          onClick={() => {
            setRows(shown + STEP);
            if (runs.length < shown + STEP) onOlder();
          }}
        >
          Show older ones
        </button>
      )}
      <p className="soft">
        {count(Math.min(shown, runs.length))} of {count(runs.length)} runs that were read.
      </p>
    </div>
  );
}

interface RunLineProps {
  run: Execution;
  chosen: boolean;
  onChoose: (run: Execution) => void;
}

const RunLine = memo(function RunLine({ run, chosen, onChoose }: RunLineProps) {
  const { store } = useRoom();
  const name = useTaskName(run.taskId);
  const length = useTime((now) => lengthOf(run, now + store.skewMs));
  const said = run.error ?? run.summary ?? run.progress ?? "";
  return (
    <tr data-chosen={chosen || undefined} data-row={run.id}>
      <td>
        <button type="button" className="runs-pick" aria-pressed={chosen} onClick={() => onChoose(run)}>
          <RunStatus status={run.status} />
        </button>
      </td>
      <td className="runs-task">
        {name === null ? "…" : <TaskLink task={{ number: name.number, title: name.title }} />}
      </td>
      <td className="foreign">{run.agentId}</td>
      <td className="runs-began">
        <Ago at={run.startedAt} />
      </td>
      <td className="number runs-took">{length}</td>
      <td className="number">{money(run.costUsd)}</td>
      <td className="number">
        {tokens(run.inputTokens)} / {tokens(run.outputTokens)}
      </td>
      <td className="foreign runs-said">{said.length > WORDS ? `${said.slice(0, WORDS)} …` : said}</td>
    </tr>
  );
});
