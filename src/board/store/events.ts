/** The change log: a gap-free sequence, written in the transaction of the change it tells. */
import type { Actor, BoardEvent, EventKind } from "../../contract/events.ts";
import { jsonChunks } from "./json-rows.ts";
import { columnsOf, type EventRow, eventRow, insertMany, insertOne, parseRows, valuesOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

const COLUMNS = columnsOf(eventRow);

export interface NewEvent {
  /** From `reserve`, so that the row it tells of can carry it in the same statement. */
  seq: number;
  kind: EventKind;
  taskId?: string;
  epoch?: number;
  tenantId?: string | null;
  data?: Record<string, unknown>;
}

/** The log as one operation writes it. Every number reserved has to be appended. */
export class EventLog {
  readonly #sql: Sql;
  readonly #now: number;
  readonly #actor: Actor;
  #last: number | null = null;

  constructor(sql: Sql, now: number, actor: Actor) {
    this.#sql = sql;
    this.#now = now;
    this.#actor = actor;
  }

  /** The first of `count` numbers in a row. */
  reserve(count = 1): number {
    const first = this.last() + 1;
    this.#last = first + count - 1;
    return first;
  }

  /** The last number that is taken. */
  last(): number {
    this.#last ??= lastSeq(this.#sql);
    return this.#last;
  }

  append(event: NewEvent): void {
    this.#sql.run(INSERT_ONE, ...valuesOf(eventRow, this.#row(event)));
  }

  appendAll(events: readonly NewEvent[]): void {
    for (const chunk of jsonChunks(events.map((event) => this.#row(event))))
      this.#sql.run(INSERT_MANY, chunk);
  }

  #row(event: NewEvent): EventRow {
    return {
      seq: event.seq,
      at: this.#now,
      kind: event.kind,
      task_id: event.taskId ?? null,
      actor_type: this.#actor.type,
      actor_id: this.#actor.id,
      epoch: event.epoch ?? null,
      data: JSON.stringify(event.data ?? {}),
      tenant_id: event.tenantId ?? null,
    };
  }
}

const INSERT_ONE = insertOne("events", eventRow);
const INSERT_MANY = insertMany("events", eventRow);

export function lastSeq(sql: Sql): number {
  return sql.number("select max(seq) from events");
}

export function oldestSeq(sql: Sql): number {
  return sql.number("select min(seq) from events");
}

/** The time of the last event: where the board's clock stood. */
export function lastEventAt(sql: Sql): number {
  return sql.number("select at from events order by seq desc limit 1");
}

export function eventsAfter(sql: Sql, after: number, limit: number): EventRow[] {
  return parseRows(
    eventRow,
    sql.all(`select ${COLUMNS} from events where seq > ? order by seq limit ?`, after, limit),
  );
}

export function eventsBefore(sql: Sql, before: number, limit: number): EventRow[] {
  return parseRows(
    eventRow,
    sql.all(`select ${COLUMNS} from events where seq < ? order by seq desc limit ?`, before, limit),
  );
}

export function taskEventsAfter(sql: Sql, taskId: string, after: number, limit: number): EventRow[] {
  return parseRows(
    eventRow,
    sql.all(
      `select ${COLUMNS} from events indexed by events_by_task
       where task_id = ? and task_id is not null and seq > ? order by seq limit ?`,
      taskId,
      after,
      limit,
    ),
  );
}

export function taskEventsBefore(sql: Sql, taskId: string, before: number, limit: number): EventRow[] {
  return parseRows(
    eventRow,
    sql.all(
      `select ${COLUMNS} from events indexed by events_by_task
       where task_id = ? and task_id is not null and seq < ? order by seq desc limit ?`,
      taskId,
      before,
      limit,
    ),
  );
}

export function viewEvent(row: EventRow): BoardEvent {
  return {
    seq: row.seq,
    at: row.at,
    kind: row.kind as EventKind,
    taskId: row.task_id,
    actor: { type: row.actor_type, id: row.actor_id },
    ...(row.epoch === null ? {} : { epoch: row.epoch }),
    data: JSON.parse(row.data),
  };
}
