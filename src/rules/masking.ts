/**
 * What is masked of all that agents write: the last word on a run, with its handoff, and verdicts. That is where what
 * commands printed ends up. Everything else is kept as it was sent.
 */
import { COMMAND_MAX, TEXT_MAX, TITLE_MAX } from "../contract/limits.ts";
import type { Handoff } from "../contract/task.ts";
import type { Verification } from "../contract/verification.ts";
import { mask } from "./mask.ts";

/** Masks text by text, and remembers where there was something. */
export class Masking {
  /** Paths into what was sent. */
  readonly found: string[] = [];

  /** Never longer than its field may be: what stands for a secret can be longer than the secret. */
  text<T extends string | null | undefined>(path: string, text: T, max: number = TEXT_MAX): T {
    if (typeof text !== "string") return text;
    const masked = mask(text);
    if (masked === text) return text;
    this.found.push(path);
    return (masked.length <= max ? masked : [...masked].slice(0, max).join("")) as T;
  }

  /** For an answer: nothing where nothing was masked. */
  get told(): { masked?: string[] } {
    return this.found.length === 0 ? {} : { masked: this.found };
  }
}

interface LastWord {
  summary?: string | null;
  error?: string | null;
  reason?: string | null;
  blockedReason?: string | null;
  handoff?: Handoff | null;
}

const WORDS = ["summary", "error", "reason", "blockedReason"] as const;

/** What a holder says when its run ends. */
export function maskLastWord<T extends LastWord>(masking: Masking, word: T, at = ""): T {
  const masked = { ...word };
  for (const name of WORDS)
    if (word[name] !== undefined) masked[name] = masking.text(`${at}${name}`, word[name]);
  if (word.handoff) masked.handoff = maskHandoff(masking, word.handoff, `${at}handoff`);
  return masked;
}

/** All of it but the names of a runtime and of a session, which somebody may have to look up. */
function maskHandoff(masking: Masking, handoff: Handoff, at: string): Handoff {
  const masked = { ...handoff };
  for (const name of ["next", "whyBlocked", "evidence"] as const)
    if (handoff[name] !== undefined) masked[name] = masking.text(`${at}.${name}`, handoff[name]);
  for (const name of ["done", "broken", "warnings"] as const)
    if (handoff[name] !== undefined) masked[name] = each(masking, `${at}.${name}`, handoff[name]);
  if (handoff.commands !== undefined) {
    masked.commands = { ...handoff.commands };
    for (const name of ["init", "verify", "start"] as const)
      if (handoff.commands[name] !== undefined)
        masked.commands[name] = masking.text(`${at}.commands.${name}`, handoff.commands[name], COMMAND_MAX);
  }
  return masked;
}

export function maskResult<T extends { result: Verification }>(masking: Masking, input: T): T {
  return { ...input, result: maskVerdict(masking, input.result, "result") };
}

export function maskVerdict(masking: Masking, verdict: Verification, at: string): Verification {
  const { structuredError, debtNotes } = verdict;
  return {
    ...verdict,
    attempts: verdict.attempts.map((attempt, n) => maskAttempt(masking, attempt, `${at}.attempts.${n}`)),
    structuredError: structuredError && {
      what: masking.text(`${at}.structuredError.what`, structuredError.what),
      why: masking.text(`${at}.structuredError.why`, structuredError.why),
      howToFix: masking.text(`${at}.structuredError.howToFix`, structuredError.howToFix),
    },
    debtNotes: each(masking, `${at}.debtNotes`, debtNotes),
  };
}

type Attempt = Verification["attempts"][number];

function maskAttempt(masking: Masking, attempt: Attempt, at: string): Attempt {
  const { deterministic, critic } = attempt;
  const gate = `${at}.deterministic`;
  return {
    ...attempt,
    deterministic: {
      ...deterministic,
      command: masking.text(`${gate}.command`, deterministic.command, COMMAND_MAX),
      stdoutTail: masking.text(`${gate}.stdoutTail`, deterministic.stdoutTail),
      stderrTail: masking.text(`${gate}.stderrTail`, deterministic.stderrTail),
    },
    critic: {
      ...critic,
      findings: critic.findings.map((finding, n) => ({
        ...finding,
        title: masking.text(`${at}.critic.findings.${n}.title`, finding.title, TITLE_MAX),
        body: masking.text(`${at}.critic.findings.${n}.body`, finding.body),
      })),
    },
  };
}

function each(masking: Masking, at: string, texts: readonly string[]): string[] {
  return texts.map((text, n) => masking.text(`${at}.${n}`, text));
}
