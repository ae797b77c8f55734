/** What was judged of the present attempt, by which checks, and how one judges it. */
import { Suspense, useState } from "react";
import type { Verification } from "../../contract/verification.ts";
import { useResource } from "../room/resource.ts";
import { useRoom } from "../room/room.tsx";
import { duration } from "../ui/format.ts";
import { LongText } from "../ui/long-text.tsx";
import { Ago } from "../ui/moment.tsx";
import { VERDICT_NAMES } from "../ui/verdict-names.ts";
import { Judge, RequestChanges } from "./lazy-forms.ts";
import { Section } from "./section.tsx";
import type { Shown } from "./use-task.ts";

type Attempt = Verification["attempts"][number];

const TONES: Record<Verification["status"], string> = {
  pass: "good",
  completed_with_debt: "warn",
  fail: "bad",
};

export function Verdict({ shown }: { shown: Shown }) {
  const { may } = useRoom();
  const { task, executions = [] } = shown.detail;
  const [doing, setDoing] = useState<"judge" | "changes" | null>(null);
  const { verification } = task;
  // A verdict is on an attempt: one that was given back, or not begun, has nothing to judge.
  const attempted = task.status !== "todo" && executions.at(-1)?.epoch === task.epoch;
  const mayJudge = may("verifier") && !task.dropped && attempted && executions.at(-1)?.status !== "released";
  const maySendBack = may("verifier") && !task.dropped && task.status === "in_review";
  if (verification === null && !mayJudge && !maySendBack) return null;
  return (
    <Section
      title="Verdict"
      note={verification === null ? "none yet" : undefined}
      actions={
        <span className="task-section-actions">
          {mayJudge && (
            <button type="button" className="button" data-kind="plain" onClick={() => setDoing("judge")}>
              Record a verdict
            </button>
          )}
          {maySendBack && (
            <button type="button" className="button" data-kind="plain" onClick={() => setDoing("changes")}>
              Request changes
            </button>
          )}
        </span>
      }
    >
      {verification !== null && <Judged verification={verification} taskId={task.id} />}
      <Suspense fallback={null}>
        {doing === "judge" && <Judge shown={shown} onClose={() => setDoing(null)} />}
        {doing === "changes" && <RequestChanges shown={shown} onClose={() => setDoing(null)} />}
      </Suspense>
    </Section>
  );
}

function Judged({ verification, taskId }: { verification: Verification; taskId: string }) {
  const { status, updatedAt, attempts, structuredError, debtNotes } = verification;
  const error = structuredError;
  return (
    <div className="task-verdict">
      <p>
        <span className="tag" data-tone={TONES[status]}>
          {VERDICT_NAMES[status]}
        </span>
        <span className="soft">
          {" "}
          <Reviewer taskId={taskId} updatedAt={updatedAt} />
          <Ago at={updatedAt} />
        </span>
      </p>
      {error !== null &&
        [error.what, error.why, error.howToFix]
          .filter((text) => text !== "")
          .map((text) => <LongText key={text} text={text} />)}
      {debtNotes.map((note) => (
        <LongText key={note} text={`Left to do: ${note}`} />
      ))}
      <ul className="task-runs">
        {[...attempts].reverse().map((attempt) => (
          <li key={attempt.attempt}>
            <Check attempt={attempt} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Who recorded it stands in the log alone. */
function Reviewer({ taskId, updatedAt }: { taskId: string; updatedAt: number }) {
  const { board } = useRoom();
  const found = useResource(`reviewer:${taskId}:${updatedAt}`, (signal) =>
    board.events({ taskId, kind: ["verification_recorded"], order: "desc", limit: 1 }, { signal }),
  );
  const by = found.value?.events[0]?.actor.id;
  return by === undefined ? null : (
    <>
      by <bdi className="foreign">{by}</bdi>{" "}
    </>
  );
}

function Check({ attempt }: { attempt: Attempt }) {
  const { deterministic: gate, critic, status } = attempt;
  const ran = gate.exitCode !== null || gate.passed || gate.timedOut || gate.durationMs > 0;
  return (
    <details className="task-run">
      <summary>
        <span className="task-run-number">#{attempt.attempt}</span>
        <span className="tag" data-tone={TONES[status]}>
          {VERDICT_NAMES[status]}
        </span>
        <span className="task-run-who">
          {ran ? (
            <code className="foreign">{gate.command}</code>
          ) : (
            <span className="soft">no checks were run</span>
          )}
        </span>
        <span className="task-run-facts soft">
          {ran && <span>{gate.timedOut ? "timed out" : gate.passed ? "passed" : "did not pass"}</span>}
          {gate.durationMs > 0 && <span>{duration(gate.durationMs)}</span>}
          {critic.findings.length > 0 && <span>{critic.findings.length} findings</span>}
          <Ago at={attempt.at} />
        </span>
      </summary>
      <div className="task-run-body">
        {[gate.stdoutTail, gate.stderrTail]
          .filter((text) => text !== "")
          .map((text) => (
            <LongText key={text} text={text} mono />
          ))}
        {critic.ran && (
          <p className="soft foreign">
            Reviewed
            {critic.reviewerModel !== null && ` by ${critic.reviewerModel}`}
            {critic.reviewerRuntime !== null && ` with ${critic.reviewerRuntime}`}
            {critic.reviewedSha !== null && ` at ${critic.reviewedSha}`}
          </p>
        )}
        <ul className="task-findings">
          {critic.findings.map(({ severity, title, body, filePath, startLine }, index) => (
            <li key={index}>
              <span className="tag">{severity.replaceAll("_", " ")}</span>{" "}
              <span className="foreign">{title}</span>
              {filePath !== null && (
                <code className="foreign">
                  {filePath}
                  {startLine !== null && `:${startLine}`}
                </code>
              )}
              {body !== "" && <LongText text={body} />}
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
