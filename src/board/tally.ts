/**
 * What the object did since it started: in memory only, since a row written for each call would cost more than what
 * it tells. Whoever scrapes expects such counters to begin anew.
 */
export class Tally {
  /** When the object started, in epoch milliseconds. */
  readonly since: number;
  /** By the operation's name, then by `ok` or the code of its refusal. */
  readonly operations = new Map<string, Map<string, number>>();
  /** Sockets and waiting requests that found no place. */
  turnedAway = 0;

  constructor(since: number) {
    this.since = since;
  }

  count(name: string, outcome: string): void {
    const outcomes = this.operations.get(name) ?? new Map<string, number>();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    this.operations.set(name, outcomes);
  }
}
