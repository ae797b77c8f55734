/**
 * What is masked of all that agents write: the commands and the evidence of a handoff, and the tails of what a gate
 * printed. Everything else is kept as it was sent.
 */
import { COMMAND_MAX, TEXT_MAX } from "../contract/limits.ts";
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

/** What a holder hands on when its run ends. Its own words in it are kept: they are written to be read. */
export function maskHandedOn<T extends { handoff?: Handoff | null }>(masking: Masking, word: T, at = ""): T {
  if (!word.handoff) return word;
  const handoff = { ...word.handoff };
  const { evidence, commands } = handoff;
  if (evidence !== undefined) handoff.evidence = masking.text(`${at}handoff.evidence`, evidence);
  if (commands !== undefined) {
    handoff.commands = { ...commands };
    for (const name of ["init", "verify", "start"] as const)
      if (commands[name] !== undefined)
        handoff.commands[name] = masking.text(`${at}handoff.commands.${name}`, commands[name], COMMAND_MAX);
  }
  return { ...word, handoff };
}

export function maskResult<T extends { result: Verification }>(masking: Masking, input: T): T {
  return { ...input, result: maskVerdict(masking, input.result, "result") };
}

export function maskVerdict(masking: Masking, verdict: Verification, at: string): Verification {
  return {
    ...verdict,
    attempts: verdict.attempts.map((attempt, n) => {
      const gate = `${at}.attempts.${n}.deterministic`;
      const { stdoutTail, stderrTail } = attempt.deterministic;
      const tails = {
        stdoutTail: masking.text(`${gate}.stdoutTail`, stdoutTail),
        stderrTail: masking.text(`${gate}.stderrTail`, stderrTail),
      };
      return { ...attempt, deterministic: { ...attempt.deterministic, ...tails } };
    }),
  };
}
