/**
 * Keeps a lease: beats on its own timer, whatever the work is doing. A beat that fails says nothing about the lease,
 * so the work goes on; only the board's word ends it, or a silence so long that somebody else may have the task.
 *
 * Usage goes with one beat, and never again: when that beat's answer is lost it may be counted already, and counting
 * money twice is worse than missing some. What is in doubt is in `unsure`. What no beat has taken along goes with
 * the completion, which may be sent again without being counted again.
 */
import type { Answer, Body } from "./calls.ts";
import { LeaseLost, Refused, Unreachable } from "./errors.ts";
import type { Lease } from "./lease.ts";
import { backoff } from "./pause.ts";
import { addUsage, type Usage } from "./usage.ts";

export type Report = Omit<Body<"heartbeat">, "leaseToken">;
export type Beat = Answer<"heartbeat">;
export type Directive = Beat["directives"][number];

export interface KeepOptions {
  /** Something is asked of us; told once, until it is asked anew. */
  onDirective?: (directive: Directive) => void;
  onBeat?: (beat: Beat) => void;
  /** A beat failed, so many in a row. The lease may be fine. */
  onDoubt?: (error: unknown, failures: number) => void;
}

const MARGIN_MS = 10_000;
const MARGIN_SHARE = 0.2;
const JITTER = 0.1;
const BEAT_TIMEOUT_MS = 10_000;

/** So long before the lease runs out its holder stops: ten seconds, on short leases a fifth. */
export const marginOf = (ttlMs: number): number => Math.min(MARGIN_MS, ttlMs * MARGIN_SHARE);

export class Keeper {
  readonly #lease: Lease;
  readonly #options: KeepOptions;
  #ttlMs: number;
  #beatEveryMs: number;
  /** Not before this is the lease given up for want of proof. */
  readonly #graceUntil: number;
  #asked = new Set<string>();
  #usage: Usage | undefined;
  #progress: string | undefined;
  #unsure: Usage | undefined;
  #inFlight: Promise<unknown> = Promise.resolve();

  constructor(lease: Lease, options: KeepOptions) {
    this.#lease = lease;
    this.#options = options;
    this.#ttlMs = lease.grant.ttlMs;
    this.#beatEveryMs = lease.grant.beatEveryMs;
    this.#graceUntil = this.#clock.now() + this.#beatEveryMs;
    void this.#beats();
    void this.#watch();
  }

  /** Used since the last time this was said; the next beat tells it. */
  use(usage: Usage): void {
    this.#usage = addUsage(this.#usage, usage);
  }

  /** How far the work is; the next beat tells the last of it. */
  progress(text: string): void {
    this.#progress = text;
  }

  /** Reported by beats whose answers were lost: counted once, or not at all. */
  get unsure(): Usage | undefined {
    return this.#unsure;
  }

  /** Lets the beat that is on its way arrive, and takes the usage that none has told. */
  async settle(): Promise<Usage | undefined> {
    await this.#inFlight;
    const usage = this.#usage;
    this.#usage = undefined;
    return usage;
  }

  get #clock() {
    return this.#lease.board.server.clock;
  }

  async #beats(): Promise<void> {
    const { over } = this.#lease;
    const { now, pause, random } = this.#clock;
    // A claim may have waited for long: who knows how old the lease is. Prove it first.
    let waitMs = now() - this.#lease.provenAt > this.#beatEveryMs ? 0 : this.#jittered();
    for (let failures = 0; ; ) {
      await pause(waitMs, over);
      if (over.aborted) return;
      const sentAt = now();
      const failure = await this.#beat();
      if (over.aborted) return;
      failures = failure === null ? 0 : failures + 1;
      if (failure === null) waitMs = Math.max(0, sentAt + this.#jittered() - now());
      else {
        waitMs = Math.max(retryAfterOf(failure), Math.min(backoff(failures, random()), this.#beatEveryMs));
        this.#options.onDoubt?.(failure, failures);
      }
    }
  }

  /** One try, since the next beat is the better second one. Null: it was accepted. */
  async #beat(): Promise<unknown> {
    // While the last word is on its way, what is left to tell goes with that.
    const usage = this.#lease.closing ? undefined : this.#usage;
    if (usage !== undefined) this.#usage = undefined;
    const progress = this.#progress;
    this.#progress = undefined;
    const report: Report = {
      ...(usage === undefined ? {} : { usage }),
      ...(progress === undefined ? {} : { progress }),
    };
    const timeoutMs = Math.min(BEAT_TIMEOUT_MS, (this.#ttlMs - marginOf(this.#ttlMs)) / 2);
    const sent = this.#lease
      .heartbeat(report, { budgetMs: 0, timeoutMs, signal: this.#lease.over })
      .catch((error: unknown) => this.#failed(error, report));
    this.#inFlight = sent;
    const answer = await sent;
    if ("error" in answer) return answer.error;
    this.#accepted(answer);
    return null;
  }

  #accepted(beat: Beat): void {
    this.#ttlMs = beat.lease.ttlMs;
    this.#beatEveryMs = beat.lease.beatEveryMs;
    const asked = new Set<string>();
    for (const directive of beat.directives) {
      const key = `${directive.kind} ${directive.reason}`;
      asked.add(key);
      if (!this.#asked.has(key)) this.#options.onDirective?.(directive);
    }
    this.#asked = asked;
    this.#options.onBeat?.(beat);
  }

  #failed(error: unknown, { usage, progress }: Report): { error: unknown } {
    if (error instanceof Refused) {
      // 400: the report was at fault, and is left out from now on. A server that broke says nothing of the lease.
      const lost = [401, 403, 404, 409].includes(error.status);
      if (lost && !this.#lease.closing) this.#lease.lose(LeaseLost.from(error));
      return { error };
    }
    this.#progress ??= progress;
    const untold = error instanceof Unreachable && error.outcome === "nothing_changed";
    if (untold) this.#usage = addUsage(this.#usage, usage);
    else this.#unsure = addUsage(this.#unsure, usage);
    return { error };
  }

  /** The deadline moves on with every accepted beat, so it is looked at again when it has come. */
  async #watch(): Promise<void> {
    const { over } = this.#lease;
    for (;;) {
      const deadline = this.#lease.provenAt + this.#ttlMs - marginOf(this.#ttlMs);
      const leftMs = Math.max(deadline, this.#graceUntil) - this.#clock.now();
      if (leftMs <= 0) break;
      await this.#clock.pause(leftMs, over);
      if (over.aborted) return;
    }
    this.#lease.lose(
      new LeaseLost("unproven", "No beat got through for so long that somebody else may have the task."),
    );
  }

  #jittered(): number {
    return this.#beatEveryMs * (1 - JITTER + 2 * JITTER * this.#clock.random());
  }
}

function retryAfterOf(failure: unknown): number {
  const cause = failure instanceof Unreachable ? failure.cause : failure;
  return cause instanceof Refused ? (cause.retryAfterMs ?? 0) : 0;
}
