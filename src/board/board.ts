/**
 * One board: one Durable Object with one SQLite database. Its execution is serial, which is all the locking
 * there is. Each operation is one method, one synchronous function, one transaction; a refusal is a value.
 */
import { retryable } from "cloudflare:durable-objects";
import { DurableObject } from "cloudflare:workers";
import { v7 as uuid } from "uuid";
import type { Samples } from "../contract/metrics.ts";
import type { Result } from "../contract/result.ts";
import { auditStream } from "./audit-stream.ts";
import { onAlarm, onStart, seeToAlarm } from "./by-itself.ts";
import { Deliveries } from "./deliveries.ts";
import { exportStream } from "./export-stream.ts";
import { readMetrics } from "./metrics.ts";
import { openSocket } from "./open-socket.ts";
import {
  type CreateBoard,
  type CreatedBoard,
  createBoard,
  createdBefore,
  isMadeBy,
} from "./operations/create-board.ts";
import type { EventPage, ListEvents } from "./operations/events.ts";
import { OPERATIONS, type Operations, type Running } from "./operations.ts";
import { type Call, type Reply, transact } from "./replay.ts";
import { ITSELF, Runner } from "./runner.ts";
import { tell } from "./tell.ts";
import { type Waited, type WaitForWork, waitForEvents, waitForWork } from "./waiting.ts";

/** A method for each entry of the table, called with who asks and what for. */
type OperationMethods = {
  [Name in keyof Operations]: Operations[Name] extends Running<infer Input, infer Value>
    ? (call: Call, input: Input) => Reply<Value>
    : never;
};

export interface Board extends OperationMethods {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the static block gives the class what this declares
export class Board extends DurableObject<Env> {
  static {
    for (const [name, running] of Object.entries(OPERATIONS as Record<string, Running<unknown, unknown>>)) {
      const method = function (this: Board, call: Call, input: unknown) {
        return this.#runner.counted(name, () => this.#runner.serve(running, call, input));
      };
      Object.defineProperty(Board.prototype, name, { value: method });
      if (running.reads) retryable(method);
    }
  }

  readonly #runner: Runner;
  readonly #deliveries: Deliveries;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#runner = new Runner(state, env);
    this.#deliveries = new Deliveries(this.#runner, env);
    if (!this.#runner.created) return;
    try {
      onStart(this.#runner);
    } catch (error) {
      // It serves nothing, but it can be deleted.
      this.#runner.broken = error;
      void tell("error", "the board does not start", state.id.name ?? "", { error: String(error) });
      return;
    }
    void state.blockConcurrencyWhile(() => seeToAlarm(this.#runner));
  }

  /** Makes the board; the same operation id again answers what the first call answered. */
  createBoard(input: CreateBoard): Reply<CreatedBoard> {
    const runner = this.#runner;
    const now = runner.now();
    const context = () => runner.context(runner.board(), ITSELF, now);
    if (runner.created) return createdBefore(context(), input);
    const made = { incarnation: uuid(), now };
    const reply = runner.counted("createBoard", () =>
      transact(runner.storage, false, () => createBoard(runner.sql, input, made, context)),
    );
    runner.created = reply.ok;
    return reply;
  }

  /** Whether this very operation made the board: what a listing asks about a creation left half done. */
  isMadeBy(operationId: string): boolean {
    return this.#runner.created && isMadeBy(this.#runner.sql, operationId);
  }

  /** Everything goes, the schema too: the next call finds no board. */
  async destroyBoard(): Promise<void> {
    const runner = this.#runner;
    runner.broken = null;
    runner.created = false;
    runner.oldestSeq = null;
    runner.outbox.forget();
    runner.forWork.wakeAll();
    runner.forEvents.wakeAll();
    runner.sockets.closeAll();
    await runner.storage.deleteAll();
    await runner.alarm.load();
  }

  /**
   * Answers when there may be work, or when the time is up; the caller then claims. `sinceSeq` is where the
   * board stood when a claim came back empty, so that nothing that happened in between is slept through.
   */
  waitForWork(call: Call, input: WaitForWork): Promise<Result<Waited>> {
    return waitForWork(this.#runner, call, input);
  }

  /** The log. With `waitMs`, an empty page is held back until something happens or the time is up. */
  listEvents(call: Call, input: ListEvents & { waitMs: number }): Promise<Reply<EventPage>> {
    return waitForEvents(this.#runner, call, input);
  }

  /** Everything, as lines of text; the bytes are fetched as fast as they are wanted. */
  exportBoard(call: Call): Reply<ReadableStream<Uint8Array>> {
    return exportStream(this.#runner, call);
  }

  /** Who used a privilege, from the first time on, as lines of text. */
  exportAudit(call: Call): Reply<ReadableStream<Uint8Array>> {
    return auditStream(this.#runner, call);
  }

  /** What a scraper is told. */
  readMetrics(call: Call): Reply<Samples> {
    return readMetrics(this.#runner, call);
  }

  /** A reader that wants to follow the board; `stub.ts` is the only caller. */
  override async fetch(request: Request): Promise<Response> {
    return openSocket(this.#runner, request);
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    if (this.#runner.created) this.#runner.sockets.hear(socket, message, this.#runner.now());
  }

  /** The platform leaves the reply to us, and throws at codes that are not for sending. */
  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    const sendable = code >= 1000 && code < 5000 && ![1004, 1005, 1006, 1015].includes(code);
    socket.close(sendable ? code : 1000, reason);
  }

  override async alarm(): Promise<void> {
    if (this.#runner.created && this.#runner.broken === null) await onAlarm(this.#runner, this.#deliveries);
  }
}
