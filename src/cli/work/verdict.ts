/** What a gate's exit code says, typed as the board wants it. Pure: nobody's opinion is in here. */
import type { Verification } from "../../contract/verification.ts";
import type { Ran } from "./command.ts";

/** One run of the gate. */
export interface Gate {
  command: string;
  at: number;
  ran: Ran;
}

export interface Failure {
  what: string;
  why: string;
  howToFix: string;
}

/** Of attempts before the last, so much of what they said: all of them travel with each verdict. */
const OLD_TAIL_CHARS = 500;

export const passed = ({ ran }: Gate): boolean => ran.exitCode === 0;

/** `gates`: one or more, oldest first. `givenUp`: there will be no further fix. */
export function verdictOf(gates: readonly Gate[], givenUp: boolean): Verification {
  const last = gates.at(-1);
  if (last === undefined) throw new Error("a verdict needs a gate that was run");
  const failure = passed(last) ? null : failureOf(last);
  return {
    status: statusOf(last),
    attempts: gates.map((gate, index) => attemptOf(gate, index + 1, gate === last)),
    updatedAt: last.at,
    structuredError: failure,
    debtNotes: failure !== null && givenUp ? [`${failure.what} It was tried ${times(gates.length)}.`] : [],
  };
}

/** For whoever has to mend it: what is red, what it said, what to do. */
export function failureOf({ command, ran }: Gate): Failure {
  const { exitCode, endedBy } = ran;
  const how = exitCode === null ? `was ended (${endedBy})` : `ended with exit code ${exitCode}`;
  return {
    what: `The verification \`${command.slice(0, 500)}\` ${how}.`,
    why: lastWords(ran) || "It said nothing.",
    howToFix:
      exitCode === 127
        ? "The shell did not find the command: install it, or correct --verify."
        : `Make \`${command.slice(0, 500)}\` end with exit code 0, without weakening what it checks.`,
  };
}

/** Both ends; errors last, where the eye falls. */
export function lastWords({ stdoutTail, stderrTail }: Ran): string {
  return [stdoutTail, stderrTail]
    .map((tail) => tail.trim())
    .filter((tail) => tail !== "")
    .join("\n");
}

const times = (count: number) => (count === 1 ? "once" : `${count} times`);
const statusOf = (gate: Gate) => (passed(gate) ? ("pass" as const) : ("fail" as const));

function attemptOf(gate: Gate, attempt: number, isLast: boolean): Verification["attempts"][number] {
  const { command, at, ran } = gate;
  const tail = (text: string) => (isLast ? text : text.slice(-OLD_TAIL_CHARS).toWellFormed());
  return {
    attempt,
    at,
    deterministic: {
      command: command.slice(0, 2_000).toWellFormed(),
      exitCode: ran.exitCode,
      passed: passed(gate),
      durationMs: ran.durationMs,
      timedOut: false,
      stdoutTail: tail(ran.stdoutTail),
      stderrTail: tail(ran.stderrTail),
    },
    critic: { ran: false, findings: [], reviewerRuntime: null, reviewerModel: null, reviewedSha: null },
    status: statusOf(gate),
  };
}
