/** One check after the other: each has its time, and none of them ends the others. */
import { type Told, tell } from "../failure.ts";
import type { Check } from "./check.ts";
import { failed, type Verdict, warning } from "./verdict.ts";

export interface Finding extends Verdict {
  check: string;
  /** How long it took. */
  ms: number;
}

/** Longer than any check takes that is going to end well. */
const LIMIT_MS = 20_000;

export class Round {
  readonly findings: Finding[] = [];
  /** Calls that were answered only when they were asked again. */
  repeats = 0;
  readonly #stop: AbortSignal;
  readonly #onFinding: (finding: Finding) => void;

  constructor(stop: AbortSignal, onFinding: (finding: Finding) => void) {
    this.#stop = stop;
    this.#onFinding = onFinding;
  }

  get stopped(): boolean {
    return this.#stop.aborted;
  }

  /** Null: it was made, and came to some verdict. Otherwise what was thrown instead of one. */
  async make<At extends { signal: AbortSignal }>(
    check: Check<At>,
    at: (signal: AbortSignal) => At,
    stop = this.#stop,
  ): Promise<Told | null> {
    if (stop.aborted) return null;
    const from = performance.now();
    const end = new AbortController();
    const limit = setTimeout(() => end.abort(new Error("late")), LIMIT_MS);
    const signal = AbortSignal.any([stop, end.signal]);
    let thrown: Told | null = null;
    let verdict: Verdict;
    try {
      verdict = await Promise.race([check.run(at(signal)), over(signal)]);
    } catch (error) {
      if (stop.aborted) return null;
      thrown = tell(error);
      verdict = end.signal.aborted
        ? failed(`It took longer than ${LIMIT_MS / 1_000} s.`)
        : failed(thrown.message, thrown.next);
    } finally {
      clearTimeout(limit);
      // What is still under way has nobody left to tell.
      end.abort();
    }
    this.note(check.name, verdict, performance.now() - from);
    return thrown;
  }

  note(check: string, verdict: Verdict, ms = 0): void {
    const finding = { check, ...verdict, ms: Math.round(ms) };
    this.findings.push(finding);
    this.#onFinding(finding);
  }

  /** What the client mended without a word is worth one. */
  tellRepeats(): void {
    if (this.repeats === 0) return;
    const times = `${this.repeats} ${this.repeats === 1 ? "call" : "calls"}`;
    this.note("repeats", warning(`${times} had to be asked again.`, "Is the line or the server overloaded?"));
  }
}

const over = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
