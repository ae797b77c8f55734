/**
 * Runs operations: one at a time, each in one transaction, for a caller the board lets in. What an operation
 * must not do by itself (read the clock, make ids, draw numbers, arm the alarm, wake who waits) happens here.
 */
import { v7 as uuid } from "uuid";
import type { LeaseBeat } from "../contract/live.ts";
import { refuse } from "../contract/result.ts";
import type { Caller } from "../contract/roles.ts";
import { steadyNow } from "../rules/clock.ts";
import { isTrimDue } from "../rules/retention.ts";
import { admit, boardNotFound, touchToken } from "./admission.ts";
import { Alarm } from "./alarm.ts";
import type { Context } from "./context.ts";
import { noRoom, roomOf } from "./growth.ts";
import type { Running } from "./operations.ts";
import { Outbox } from "./outbox.ts";
import { type Call, type Reply, replayOrRun, transact } from "./replay.ts";
import { Sockets } from "./sockets.ts";
import { type Board, readBoardRow, viewBoard } from "./store/board-row.ts";
import { EventLog, lastEventAt, oldestSeq } from "./store/events.ts";
import { anyReady } from "./store/ready-queue.ts";
import { isInstalled } from "./store/schema.ts";
import { Sql } from "./store/sql.ts";
import { Tally } from "./tally.ts";
import { Traffic } from "./traffic.ts";
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
  readonly sockets: Sockets;
  readonly alarm: Alarm;
  readonly outbox: Outbox;
  readonly traffic = new Traffic();
  readonly forWork = new Waiters();
  readonly forEvents = new Waiters();
  /** Whether this board was ever created; nothing is written here before. */
  created: boolean;
  /** Where the change log begins; null: to be looked up. Only the alarm moves it. */
  oldestSeq: number | null = null;
  /** Why the board cannot serve: its schema was refused. */
  broken: unknown = null;
  /** The size from which on nothing new is taken in, in bytes. */
  readonly room: number;
  readonly tally: Tally;
  #lastNow = 0;

  constructor(state: DurableObjectState, env: Pick<Env, "EDGEBOARD_BOARD_MAX_BYTES">) {
    const { storage } = state;
    this.storage = storage;
    this.room = roomOf(env);
    this.sql = new Sql(storage.sql);
    this.sockets = new Sockets(state, this.sql);
    this.alarm = new Alarm(storage);
    this.outbox = new Outbox(this.sql);
    this.created = isInstalled(this.sql, "board");
    this.tally = new Tally(Date.now());
  }

  /**
   * Counts what a request comes to, and tells its answer what it cost: all rows since it began, as nothing else runs
   * meanwhile. Every answer of the board goes through here, and gets its cost nowhere else.
   */
  counted<T>(name: string, work: () => Reply<T>): Reply<T> {
    const { rowsRead, rowsWritten } = this.sql;
    let outcome = "internal";
    try {
      const reply = work();
      outcome = reply.ok ? "ok" : reply.reason;
      const cost = {
        rowsRead: this.sql.rowsRead - rowsRead,
        rowsWritten: this.sql.rowsWritten - rowsWritten,
      };
      return { ...reply, cost };
    } finally {
      this.tally.count(name, outcome);
    }
  }

  /** A request: let in while the board keeps up with all of them, and counted. */
  serve<Input, Value>(running: Running<Input, Value>, call: Call, input: Input): Reply<Value> {
    if (!this.created) return boardNotFound();
    const now = this.now();
    const urgency = running.reads ? "read" : running.ofHolder ? "lease" : "write";
    const refusal = this.traffic.refusal(call.caller, urgency, now);
    if (refusal !== null) return refusal;
    const { rowsRead, rowsWritten } = this.sql;
    const reply = this.run(running, call, input);
    this.traffic.spent(this.sql.rowsRead - rowsRead, this.sql.rowsWritten - rowsWritten, now);
    return reply;
  }

  /** One operation: admitted, in one transaction, answered from the record where it was answered before. */
  run<Input, Value>(running: Running<Input, Value>, call: Call, input: Input): Reply<Value> {
    if (!this.created) return boardNotFound();
    if (this.broken !== null) throw this.broken;
    const now = this.now();
    this.alarm.repair(now);
    const due: number[] = [];
    const ended: string[] = [];
    const beats: LeaseBeat[] = [];
    let changed = false;
    const dryRun = running.isDryRun(input);
    if (running.changesWebhooks) this.outbox.forget();
    const reply = transact(this.storage, dryRun, () => {
      const admission = admit(this.sql, call.caller, now);
      if (!admission.ok) return admission;
      if (admission.board.archived && !running.evenArchived)
        return refuse("board_archived", "The board is archived: it can be read, not changed.");
      if (running.touchesToken) touchToken(this.sql, admission.token, now);
      const context = {
        ...this.context(admission.board, admission.caller, now),
        due: (at: number) => void due.push(at),
        tokenEnded: (jti: string) => void ended.push(jti),
        beaten: (beat: LeaseBeat) => void beats.push(beat),
      };
      const key = running.reads || dryRun ? undefined : call.key;
      const answer = replayOrRun(
        context,
        key,
        running.leasesOf,
        () =>
          (running.grows ? noRoom(this.storage.sql, this.room) : null) ?? running.operation(context, input),
      );
      changed = context.log.wrote;
      if (changed && this.#isTrimDue(context)) due.push(now);
      this.outbox.write(context, running.changesWebhooks);
      return answer;
    });
    if (reply.ok && !dryRun) {
      if (due.length > 0) this.alarm.bringForward(Math.min(...due));
      for (const jti of ended) this.sockets.endToken(jti);
      if (changed) this.announce(now);
      if (beats.length > 0) this.sockets.tellBeats(beats, now);
    }
    return reply;
  }

  /** Whoever follows is told what is new; whoever waits is woken by the change, and finds it in the tables. */
  announce(now: number): void {
    this.sockets.tellAll(now);
    if (this.forEvents.size > 0) this.forEvents.wakeAll();
    if (this.forWork.size > 0 && anyReady(this.sql)) this.forWork.wakeAll();
  }

  #isTrimDue({ log, board }: Context): boolean {
    this.oldestSeq ??= oldestSeq(this.sql);
    const bounds = { oldest: this.oldestSeq, last: log.last() };
    return isTrimDue(bounds, board.settings.eventRetention);
  }

  context(board: Board, caller: Caller, now: number): Context {
    const type = caller === ITSELF ? "board" : caller.role === "operator" ? "operator" : "agent";
    return {
      sql: this.sql,
      now,
      board,
      caller,
      log: new EventLog(this.sql, now, { type, id: caller.sub }),
      newId: () => uuid(),
      random: Math.random,
      due: () => {},
      tokenEnded: () => {},
      beaten: () => {},
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
