/**
 * Requests that wait for something to happen on the board. In memory only: a waiter is a hint, the tables are
 * the truth, so one that is lost costs its caller nothing but a new request.
 */
import { WAITERS_MAX, WAITERS_PER_TOKEN_MAX } from "../contract/limits.ts";

interface Waiter {
  jti: string | null;
  wake: () => void;
}

export class Waiters {
  readonly #waiting = new Set<Waiter>();

  get size(): number {
    return this.#waiting.size;
  }

  /** `full`: there is no place left to wait in, or this token has all that one may; it returns at once. */
  async wait(ms: number, jti: string | null): Promise<"woken" | "late" | "full"> {
    if (this.#waiting.size >= WAITERS_MAX || this.#of(jti) >= WAITERS_PER_TOKEN_MAX) return "full";
    const { promise, resolve } = Promise.withResolvers<"woken" | "late">();
    const waiter = { jti, wake: () => resolve("woken") };
    const timer = setTimeout(() => resolve("late"), ms);
    this.#waiting.add(waiter);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(waiter);
    }
  }

  wakeAll(): void {
    for (const { wake } of this.#waiting) wake();
  }

  #of(jti: string | null): number {
    if (jti === null) return 0;
    let count = 0;
    for (const waiter of this.#waiting) if (waiter.jti === jti) count++;
    return count;
  }
}
