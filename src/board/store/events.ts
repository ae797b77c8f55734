/** The change log: a gap-free sequence, written in the transaction of the change it tells. */
import type { Actor, BoardEvent, EventKind } from "../../contract/events.ts";
import { RETENTION_BATCH } from "../../contract/limits.ts";
import { type LogBounds, trimTo } from "../../rules/retention.ts";
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
  readonly actor: Actor;
  #last: number | null = null;
  #first: number | null = null;

  constructor(sql: Sql, now: number, actor: Actor) {
    this.#sql = sql;
    this.#now = now;
    this.actor = actor;
  }

  /** The first of `count` numbers in a row. */
  reserve(count = 1): number {
    const first = this.last() + 1;
    this.#last = first + count - 1;
    if (count > 0) this.#first ??= first;
    return first;
  }

  /** Whether this operation has anything to tell. */
  get wrote(): boolean {
    return this.#first !== null;
  }

  /** The first number this operation took; null: it has nothing to tell. */
  get first(): number | null {
    return this.#first;
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
    for (const chunk of jsonChunks(this.#rows(events))) this.#sql.run(INSERT_MANY, chunk);
  }

  /** One at a time: a row holds its event a second time, as text. */
  *#rows(events: readonly NewEvent[]): Generator<EventRow> {
    for (const event of events) yield this.#row(event);
  }

  #row(event: NewEvent): EventRow {
    return {
      seq: event.seq,
      at: this.#now,
      kind: event.kind,
      task_id: event.taskId ?? null,
      actor_type: this.actor.type,
      actor_id: this.actor.id,
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

/** Both ends of the log. */
export function logBounds(sql: Sql): LogBounds {
  return { oldest: oldestSeq(sql), last: lastSeq(sql) };
}

/** Takes away the oldest of what is over the retention, a batch at most; says how many events went. */
export function trimLog(sql: Sql, retention: number): number {
  const log = logBounds(sql);
  // The log has no gaps: a range of seqs is a bound on the rows.
  const upTo = Math.min(trimTo(log, retention), log.oldest + RETENTION_BATCH - 1);
  if (upTo < log.oldest) return 0;
  sql.run("delete from events where seq <= ?", upTo);
  return upTo - log.oldest + 1;
}

/** The time of the last event: where the board's clock stood. */
export function lastEventAt(sql: Sql): number {
  return sql.number("select at from events order by seq desc limit 1");
}

export interface EventRange {
  /** Null: of every task and of none. */
  taskId: string | null;
  /** Left out: everybody's. */
  actor?: string | undefined;
  /** Empty: every kind. */
  kinds: readonly string[];
  /** Both exclusive; the log has no gaps, so a range of seqs is a bound on the rows read. */
  above: number;
  below: number;
  order: "asc" | "desc";
}

const WANTED = `(?3 = '[]' or kind in (select value from json_each(?3)))
  and (?5 is null or actor_id = ?5)`;
const ALL = `select ${COLUMNS} from events where seq > ?1 and seq < ?2 and ${WANTED} order by seq`;
const OF_TASK = `select ${COLUMNS} from events indexed by events_by_task
  where task_id = ?6 and task_id is not null and seq > ?1 and seq < ?2 and ${WANTED} order by seq`;

const RANGES = {
  asc: { all: `${ALL} limit ?4`, task: `${OF_TASK} limit ?4` },
  desc: { all: `${ALL} desc limit ?4`, task: `${OF_TASK} desc limit ?4` },
};

export function readEvents(sql: Sql, range: EventRange, limit: number): EventRow[] {
  const { all, task } = RANGES[range.order];
  const bindings = [range.above, range.below, JSON.stringify(range.kinds), limit, range.actor ?? null];
  const rows = range.taskId === null ? sql.all(all, ...bindings) : sql.all(task, ...bindings, range.taskId);
  return parseRows(eventRow, rows);
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
