/**
 * The loop of a worker: claim, keep the lease, do the work, say how it ended. Any number at once, until there is a
 * reason to stop.
 */
import type { Board, Claim } from "./board.ts";
import type { Body } from "./calls.ts";
import { newKey } from "./clock.ts";
import { Refused, Unreachable } from "./errors.ts";
import { type Ended, type Handler, Interrupted, type JobOptions, runJob } from "./job.ts";
import { backoff } from "./pause.ts";

export interface WorkOptions extends JobOptions {
  /** Tasks at once. */
  concurrency?: number;
  /** Which tasks to ask for. */
  filter?: Omit<Body<"claimNext">, "limit" | "waitMs">;
  /** Drains: nothing more is claimed, the handlers' signals are aborted, and what is not finished is given back. */
  signal?: AbortSignal;
  /** Nothing more is claimed once this is aborted; what is in hand is finished. */
  enough?: AbortSignal;
  /** How long the board is asked to hold back the answer that there is nothing. */
  waitMs?: number;
  /** Ends after so many tasks. */
  limit?: number;
  /** Ends when there is nothing to claim and nothing in hand. */
  untilEmpty?: boolean;
  /** The board cannot be reached; it is asked again. */
  onTrouble?: (error: unknown) => void;
}

export type Tally = Record<Ended["how"], number>;

const WAIT_MS = 25_000;
const IDLE_MS = 1_000;
/** So long for hearing whether a claim was granted that was broken off. */
const AFTERTHOUGHT_MS = 1_000;

export async function work(board: Board, handler: Handler, options: WorkOptions = {}): Promise<Tally> {
  const worker = new Worker(board, handler, options);
  await worker.run();
  return worker.tally;
}

class Worker {
  readonly tally: Tally = { succeeded: 0, failed: 0, released: 0, lost: 0, unknown: 0 };
  readonly #board: Board;
  readonly #handler: Handler;
  readonly #options: WorkOptions;
  /** Nothing more is claimed. */
  readonly #full = new AbortController();
  /** What is in hand is given back. */
  readonly #drain = new AbortController();
  /** Aborted, and made anew, whenever a task has ended. */
  #ended = new AbortController();
  #turn: Promise<unknown> = Promise.resolve();
  #left: number;
  #inHand = 0;
  #fault: { error: unknown } | null = null;

  constructor(board: Board, handler: Handler, options: WorkOptions) {
    this.#board = board;
    this.#handler = handler;
    this.#options = options;
    this.#left = options.limit ?? Number.POSITIVE_INFINITY;
  }

  async run(): Promise<void> {
    const { signal, enough, concurrency = 1 } = this.#options;
    const full = () => this.#full.abort();
    const drain = () => {
      this.#drain.abort(new Interrupted("drain", "The worker stops."));
      this.#full.abort();
    };
    signal?.addEventListener("abort", drain, { once: true });
    if (signal?.aborted === true) drain();
    enough?.addEventListener("abort", full, { once: true });
    if (enough?.aborted === true) full();
    try {
      await Promise.all(Array.from({ length: concurrency }, () => this.#place()));
    } finally {
      signal?.removeEventListener("abort", drain);
      enough?.removeEventListener("abort", full);
    }
    if (this.#fault !== null) throw this.#fault.error;
  }

  /** One task after the other. */
  async #place(): Promise<void> {
    for (;;) {
      const claim = await this.#next();
      if (claim === null) return;
      try {
        const { how } = await runJob(claim, this.#handler, this.#drain.signal, this.#options);
        this.tally[how]++;
      } finally {
        this.#inHand--;
        this.#ended.abort();
        this.#ended = new AbortController();
      }
    }
  }

  /** The next task for a place; null: there will be none. */
  async #next(): Promise<Claim | null> {
    const { clock } = this.#board.server;
    for (let failures = 0; ; ) {
      const answer = await this.#inTurn(() => this.#ask());
      if (answer === null || "lease" in answer) return answer;
      failures = answer.idleMs === null ? failures + 1 : 0;
      const idleMs = answer.idleMs ?? backoff(failures, clock.random());
      // What has just ended here may have set something free.
      await clock.pause(idleMs, AbortSignal.any([this.#full.signal, this.#ended.signal]));
    }
  }

  /** One place asks at a time: the others would wait for the same work. */
  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(ask);
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** A task; or for how long there is none, which nobody knows of a board that cannot be reached. */
  async #ask(): Promise<Claim | { idleMs: number | null } | null> {
    if (this.#full.signal.aborted || this.#left === 0) return null;
    try {
      const { claims, retryAfterMs = IDLE_MS } = await this.#claim();
      const [claim] = claims;
      if (claim !== undefined) {
        this.#left--;
        this.#inHand++;
        return claim;
      }
      if (this.#options.untilEmpty === true && this.#inHand === 0) this.#full.abort();
      return { idleMs: retryAfterMs };
    } catch (error) {
      if (this.#full.signal.aborted) return null;
      if (error instanceof Unreachable) {
        this.#options.onTrouble?.(error);
        return { idleMs: null };
      }
      // Granted, and run out before the answer was heard. The next request is another one.
      if (Refused.is(error, "lease_lost")) return { idleMs: 0 };
      // No token, no board: asking again would not help. What is in hand may still be finished.
      this.#fault ??= { error };
      this.#full.abort();
      return null;
    }
  }

  async #claim() {
    const { filter, waitMs = WAIT_MS, untilEmpty } = this.#options;
    const wanted = { ...filter, limit: 1, waitMs: untilEmpty === true ? 0 : waitMs };
    const idempotencyKey = newKey();
    try {
      return await this.#board.claimMany(wanted, { idempotencyKey, signal: this.#full.signal });
    } catch (error) {
      if (this.#full.signal.aborted) await this.#giveBack(wanted, idempotencyKey);
      throw error;
    }
  }

  /** A claim that was broken off may have been granted: the same request tells, and what it holds goes back. */
  async #giveBack(wanted: Body<"claimNext">, idempotencyKey: string): Promise<void> {
    try {
      const once = { idempotencyKey, budgetMs: 0, timeoutMs: AFTERTHOUGHT_MS };
      const { claims } = await this.#board.claimMany(wanted, once);
      for (const { lease } of claims) await lease.release({ reason: "drain: never begun" });
    } catch {
      // Then it was not, or its lease runs out.
    }
  }
}
