/** Chance that can be had again: every choice is drawn from one seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error("there is nothing to pick from");
    return items[this.int(0, items.length - 1)] as T;
  }

  /** Letters and digits, as an id or a word. */
  word(length = 6): string {
    const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    return Array.from({ length }, () => letters[this.int(0, letters.length - 1)]).join("");
  }
}
