/** A task in our hands: everything only its holder may do, until the last word is said or the lease is lost. */
import type { RouteName } from "./addresses.ts";
import type { Board } from "./board.ts";
import type { Answer, CallOptions, Input, LeaseBody } from "./calls.ts";
import { LeaseLost, Refused } from "./errors.ts";
import { Keeper, type KeepOptions, type Report } from "./keeper.ts";
import { addUsage } from "./usage.ts";

/** All there is to know of a lease; plain data, to be stored or handed on. The token is a secret. */
export interface Grant {
  taskId: string;
  executionId: string;
  epoch: number;
  token: string;
  ttlMs: number;
  beatEveryMs: number;
}

type Verdict = LeaseBody<"setVerification">["result"];

export class Lease {
  readonly grant: Grant;
  readonly board: Board;
  /** When the last beat that was accepted, or the claim, was sent: on our clock, never later than on the board's. */
  provenAt: number;
  readonly #lost = new AbortController();
  readonly #over = new AbortController();
  #keeper: Keeper | null = null;
  #closing = 0;

  constructor(board: Board, grant: Grant, provenAt: number) {
    this.board = board;
    this.grant = grant;
    this.provenAt = provenAt;
  }

  get taskId(): string {
    return this.grant.taskId;
  }

  get epoch(): number {
    return this.grant.epoch;
  }

  /** Aborted at once when the lease is lost, with a `LeaseLost`. Nothing is sent from then on. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Aborted when there is nothing left to keep: it was lost, or its last word was said. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** A last word is on its way. */
  get closing(): boolean {
    return this.#closing > 0;
  }

  /** Beats by itself, from now until the lease is over. Asked again it is the same keeper. */
  keep(options: KeepOptions = {}): Keeper {
    this.#keeper ??= new Keeper(this, options);
    return this.#keeper;
  }

  async heartbeat(report: Report = {}, options: CallOptions = {}): Promise<Answer<"heartbeat">> {
    const sentAt = this.board.server.clock.now();
    const beat = await this.#write("heartbeat", { params: this.#params, body: this.#body(report) }, options);
    this.provenAt = Math.max(this.provenAt, sentAt);
    return beat;
  }

  /** The end of the run. Usage that no beat has told goes with it. */
  async complete(
    word: LeaseBody<"completeTask">,
    options: CallOptions = {},
  ): Promise<Answer<"completeTask">> {
    return this.#close(async () => {
      const untold = await this.#keeper?.settle();
      const body = this.#body({ ...word, ...addUsage(word, untold) });
      try {
        return await this.#write("completeTask", { params: this.#params, body }, options);
      } catch (error) {
        if (untold !== undefined) this.#keeper?.use(untold);
        throw error;
      }
    });
  }

  /** Gives the task back; no attempt is counted. */
  async release(
    word: LeaseBody<"releaseTask"> = {},
    options: CallOptions = {},
  ): Promise<Answer<"releaseTask">> {
    return this.#close(async () => {
      const usage = await this.#keeper?.settle();
      // A release reports nothing; where this beat fails, so be it.
      if (usage !== undefined) await this.heartbeat({ usage }, options).catch(() => {});
      return this.#write("releaseTask", { params: this.#params, body: this.#body(word) }, options);
    });
  }

  /** Leaves the task to a person, without a failed attempt. */
  block(blockedReason: string, options: CallOptions = {}): Promise<Answer<"changeTask">> {
    return this.#close(() => this.edit({ status: "blocked", blockedReason }, options));
  }

  /** Moves and edits by the holder. A move out of its hands is a last word too. */
  async edit(body: LeaseBody<"changeTask">, options: CallOptions = {}): Promise<Answer<"changeTask">> {
    const answer = await this.#write("changeTask", { params: this.#params, body: this.#body(body) }, options);
    if (answer.task.lease?.executionId !== this.grant.executionId) this.#over.abort();
    return answer;
  }

  setVerification(result: Verdict, options: CallOptions = {}): Promise<Answer<"setVerification">> {
    const body = this.#body({ epoch: this.epoch, result });
    return this.#write("setVerification", { params: this.#params, body }, options);
  }

  createWorkspace(
    body: LeaseBody<"createWorkspace">,
    options: CallOptions = {},
  ): Promise<Answer<"createWorkspace">> {
    return this.#write("createWorkspace", { params: this.#params, body: this.#body(body) }, options);
  }

  changeWorkspace(
    body: LeaseBody<"changeWorkspace">,
    options: CallOptions = {},
  ): Promise<Answer<"changeWorkspace">> {
    return this.#write("changeWorkspace", { params: this.#params, body: this.#body(body) }, options);
  }

  /** The lease is not ours any more. */
  lose(why: LeaseLost): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort(why);
    this.#lost.abort(why);
  }

  /** Beats no more and says nothing: what is held runs out by itself. */
  abandon(): void {
    this.#over.abort();
  }

  get #params(): { id: string } {
    return { id: this.grant.taskId };
  }

  #body<B extends object>(body: B): B & { leaseToken: string } {
    return { ...body, leaseToken: this.grant.token };
  }

  async #write<N extends RouteName>(name: N, input: unknown, options: CallOptions): Promise<Answer<N>> {
    this.signal.throwIfAborted();
    try {
      return await this.board.call(name, input as Input<N, "board">, options);
    } catch (error) {
      if (Refused.is(error, "lease_lost") && !(this.closing && name === "heartbeat"))
        this.lose(LeaseLost.from(error));
      throw error;
    }
  }

  async #close<T>(lastWord: () => Promise<T>): Promise<T> {
    this.#closing++;
    try {
      const answer = await lastWord();
      this.#over.abort();
      return answer;
    } finally {
      this.#closing--;
    }
  }
}
