/**
 * Requests that wait for something to happen on the board. In memory only: a waiter is a hint, the tables are
 * the truth, so one that is lost costs its caller nothing but a new request.
 */
export class Waiters {
  readonly #wake = new Set<() => void>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#wake.size;
  }

  /** `full`: there is no place left to wait in, and it returns at once. */
  async wait(ms: number): Promise<"woken" | "late" | "full"> {
    if (this.#wake.size >= this.#max) return "full";
    const { promise, resolve } = Promise.withResolvers<"woken" | "late">();
    const wake = () => resolve("woken");
    const timer = setTimeout(() => resolve("late"), ms);
    this.#wake.add(wake);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#wake.delete(wake);
    }
  }

  wakeAll(): void {
    for (const wake of this.#wake) wake();
  }
}
