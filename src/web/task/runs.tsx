/** Every attempt at a task, newest first: who, for how long, at what cost, and what came of it. */
import { useState } from "react";
import type { Execution, ExecutionStatus } from "../../contract/task.ts";
import { count, duration, money, tokens } from "../ui/format.ts";
import { LongText } from "../ui/long-text.tsx";
import { Ago } from "../ui/moment.tsx";
import { useTime } from "../ui/time.ts";
import { Attempts } from "./attempts.tsx";
import { HandoffView } from "./handoff.tsx";
import { Section } from "./section.tsx";
import type { Shown } from "./use-task.ts";

const SHOWN = 8;

const RUN_NAMES: Record<ExecutionStatus, string> = {
  running: "running",
  succeeded: "succeeded",
  failed: "failed",
  timed_out: "fell silent",
  cancelled: "cancelled",
  released: "given back",
};

const TONES: Partial<Record<ExecutionStatus, string>> = {
  running: "accent",
  succeeded: "good",
  failed: "bad",
  timed_out: "warn",
};

export function Runs({ shown }: { shown: Shown }) {
  const { executions = [], truncated = [] } = shown.detail;
  const [all, setAll] = useState(false);
  const newest = [...executions].reverse();
  const runs = all ? newest : newest.slice(0, SHOWN);
  const left = newest.find(({ handoff }) => handoff !== null);
  return (
    <>
      {left?.handoff && (
        <Section title="Handoff">
          <p className="soft">
            Left by <bdi className="foreign">{left.agentId}</bdi>, attempt {left.epoch}
          </p>
          <HandoffView handoff={left.handoff} />
        </Section>
      )}
      <Section title="Runs" note={runs.length === 0 ? "none yet" : undefined}>
        <Attempts shown={shown} />
        <ul className="task-runs">
          {runs.map((run) => (
            <li key={run.id}>
              <Run run={run} />
            </li>
          ))}
        </ul>
        {newest.length > runs.length && (
          <button type="button" className="button" onClick={() => setAll(true)}>
            Show all {count(newest.length)}
          </button>
        )}
        {all && truncated.includes("executions") && (
          <p className="soft">
            The newest {count(newest.length)} are shown; older ones stand in the history.
          </p>
        )}
      </Section>
    </>
  );
}

function Run({ run }: { run: Execution }) {
  const { status, agentId, runtime, epoch, startedAt, costUsd, inputTokens, outputTokens, afterCommit } = run;
  const used = inputTokens + outputTokens;
  return (
    <details className="task-run">
      <summary>
        <span className="task-run-number">#{epoch}</span>
        <span className="tag" data-tone={TONES[status]}>
          {RUN_NAMES[status]}
        </span>
        <span className="task-run-who foreign">
          {agentId}
          {runtime !== null && <span className="soft"> · {runtime}</span>}
        </span>
        <span className="task-run-facts soft">
          <Ago at={startedAt} />
          <span>
            <Lasted run={run} />
          </span>
          {costUsd > 0 && <span>{money(costUsd)}</span>}
          {used > 0 && <span title={`${count(used)} tokens`}>{tokens(used)} tokens</span>}
          {afterCommit !== null && <code title="The commit it left">{afterCommit.slice(0, 8)}</code>}
        </span>
      </summary>
      <RunFacts run={run} />
    </details>
  );
}

function Lasted({ run }: { run: Execution }) {
  const { startedAt, endedAt } = run;
  return useTime((now) => duration((endedAt ?? now) - startedAt));
}

function RunFacts({ run }: { run: Execution }) {
  const commits = [run.beforeCommit, run.afterCommit].filter((commit) => commit !== null);
  const cached = run.cacheRead + run.cacheWrite;
  return (
    <div className="task-run-body">
      {run.summary !== null && <LongText text={run.summary} />}
      {run.error !== null && (
        <div className="task-run-error">
          <LongText text={run.error} />
        </div>
      )}
      {run.reason !== null && (
        <p className="soft foreign">Ended because: {run.reason.replaceAll("_", " ")}</p>
      )}
      {run.progress !== null && <p className="soft foreign">Said last: {run.progress}</p>}
      {run.runReason !== null && <p className="soft foreign">Begun because: {run.runReason}</p>}
      {commits.length > 0 && (
        <p className="soft">
          <code className="foreign">{commits.join(" → ")}</code>
        </p>
      )}
      {run.inputTokens + run.outputTokens + cached + run.costUsd > 0 && (
        <p className="soft">
          {count(run.inputTokens)} tokens in, {count(run.outputTokens)} out
          {cached > 0 &&
            `, ${count(run.cacheRead)} read from a cache, ${count(run.cacheWrite)} written to it`}
          {` · ${money(run.costUsd)}`}
        </p>
      )}
      {run.handoff !== null && <HandoffView handoff={run.handoff} />}
    </div>
  );
}
