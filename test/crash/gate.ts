/** Where clients wait while a board is down or being looked at. */
import { setTimeout as sleep } from "node:timers/promises";

export class Gate {
  /** Nobody goes on: whoever passes next goes home. */
  over = false;
  #opened: PromiseWithResolvers<void> | null = null;
  #waiting = 0;

  close(): void {
    this.#opened ??= Promise.withResolvers();
  }

  open(): void {
    this.#opened?.resolve();
    this.#opened = null;
  }

  /** At once, or when it opens. */
  async pass(): Promise<void> {
    while (this.#opened !== null) {
      this.#waiting++;
      await this.#opened.promise;
      this.#waiting--;
    }
  }

  /** Until so many wait: nothing of theirs is on its way any more. */
  async full(count: number): Promise<void> {
    while (this.#waiting < count) await sleep(5);
  }
}
