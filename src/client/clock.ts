/** Time and chance as the client sees them; tests bring their own. */
import { pause } from "./pause.ts";

export interface Clock {
  /** Milliseconds that never go back, from wherever. */
  now: () => number;
  /** Is over early, and without a word, when the signal is aborted. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  random: () => number;
}

/** Nobody sets this clock: a lease must not seem younger because the wall clock was put back. */
export const CLOCK: Clock = { now: () => performance.now(), pause, random: () => Math.random() };

/** Also where the page is not served over TLS, unlike `crypto.randomUUID`. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
