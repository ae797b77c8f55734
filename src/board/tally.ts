/**
 * What the object did since it started: in memory only, since a row written for each call would cost more than what
 * it tells. Whoever scrapes expects such counters to begin anew.
 */
import type { Sample } from "../contract/metrics.ts";

export class Tally {
  /** When the object started, in epoch milliseconds. */
  readonly since: number;
  /** Calls that were refused for overload, and requests that found no place to wait in. */
  turnedAway = 0;
  /** By the operation's name, then by `ok` or the code of its refusal. */
  readonly #operations = new Map<string, Map<string, number>>();

  constructor(since: number) {
    this.since = since;
  }

  count(name: string, outcome: string): void {
    const outcomes = this.#operations.get(name) ?? new Map<string, number>();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    this.#operations.set(name, outcomes);
    if (outcome === "board_overloaded") this.turnedAway += 1;
  }

  /** As many as there are names and codes of ours: nothing that a caller chooses is among them. */
  operations(): Sample[] {
    return [...this.#operations].flatMap(([operation, outcomes]) =>
      [...outcomes].map(([outcome, value]) => ({ labels: { operation, outcome }, value })),
    );
  }
}
