/**
 * Runs operations: one at a time, each in one transaction, for a caller the board lets in. What an operation
 * must not do by itself (read the clock, make ids, draw numbers, arm the alarm, wake who waits) happens here.
 */
import { v7 as uuid } from "uuid";
import * as limits from "../contract/limits.ts";
import { refuse } from "../contract/result.ts";
import type { Caller } from "../contract/roles.ts";
import { steadyNow } from "../rules/clock.ts";
import { admit, boardNotFound, touchToken } from "./admission.ts";
import { Alarm } from "./alarm.ts";
import type { Context } from "./context.ts";
import type { Running } from "./operations.ts";
import { Outbox } from "./outbox.ts";
import { type Call, type Reply, replayOrRun, transact } from "./replay.ts";
import { type Board, readBoardRow, viewBoard } from "./store/board-row.ts";
import { EventLog, lastEventAt } from "./store/events.ts";
import { anyReady } from "./store/ready-queue.ts";
import { isInstalled } from "./store/schema.ts";
import { Sql } from "./store/sql.ts";
import { Waiters } from "./waiters.ts";

/** The board acting by itself: its alarm, its start. */
export const ITSELF: Caller = {
  sub: "board",
  role: "operator",
  jti: null,
  inc: null,
  runtime: null,
  capabilities: [],
};

export class Runner {
  readonly sql: Sql;
  readonly storage: DurableObjectStorage;
  readonly alarm: Alarm;
  readonly outbox: Outbox;
  readonly forWork = new Waiters(limits.WAITERS_MAX);
  readonly forEvents = new Waiters(limits.WAITERS_MAX);
  /** Whether this board was ever created; nothing is written here before. */
  created: boolean;
  /** Why the board cannot serve: its schema was refused. */
  broken: unknown = null;
  #lastNow = 0;

  constructor(storage: DurableObjectStorage) {
    this.storage = storage;
    this.sql = new Sql(storage.sql);
    this.alarm = new Alarm(storage);
    this.outbox = new Outbox(this.sql);
    this.created = isInstalled(this.sql, "board");
  }

  /** One operation: admitted, in one transaction, answered from the record where it was answered before. */
  run<Input, Value>(running: Running<Input, Value>, call: Call, input: Input): Reply<Value> {
    if (!this.created) return boardNotFound();
    if (this.broken !== null) throw this.broken;
    const now = this.now();
    this.alarm.repair(now);
    const due: number[] = [];
    let changed = false;
    const dryRun = running.isDryRun(input);
    if (running.changesWebhooks) this.outbox.forget();
    const reply = transact(this.storage, dryRun, () => {
      const admission = admit(this.sql, call.caller);
      if (!admission.ok) return admission;
      if (admission.board.archived && !running.evenArchived)
        return refuse("board_archived", "The board is archived: it can be read, not changed.");
      if (running.touchesToken) touchToken(this.sql, admission.token, now);
      const context = this.context(admission.board, call.caller, now, (at) => due.push(at));
      const key = running.reads || dryRun ? undefined : call.key;
      const answer = replayOrRun(context, key, running.leasesOf, () => running.operation(context, input));
      changed = context.log.wrote;
      this.outbox.write(context, running.changesWebhooks);
      return answer;
    });
    if (reply.ok && !dryRun) {
      if (due.length > 0) this.alarm.bringForward(Math.min(...due));
      if (changed) this.announce();
    }
    return reply;
  }

  /** Whoever waits is woken by the change itself; what they find is in the tables. */
  announce(): void {
    if (this.forEvents.size > 0) this.forEvents.wakeAll();
    if (this.forWork.size > 0 && anyReady(this.sql)) this.forWork.wakeAll();
  }

  context(board: Board, caller: Caller, now: number, due: (at: number) => void = () => {}): Context {
    const type = caller === ITSELF ? "board" : caller.role === "operator" ? "operator" : "agent";
    return {
      sql: this.sql,
      now,
      board,
      caller,
      log: new EventLog(this.sql, now, { type, id: caller.sub }),
      newId: () => uuid(),
      random: Math.random,
      due,
    };
  }

  board(): Board {
    const row = readBoardRow(this.sql);
    if (row === null) throw new Error("the board has no row");
    return viewBoard(row);
  }

  now(): number {
    if (this.#lastNow === 0 && this.created) this.#lastNow = lastEventAt(this.sql);
    this.#lastNow = steadyNow(this.#lastNow, Date.now());
    return this.#lastNow;
  }
}
