/** Task rows: reading one, writing new ones, the claim, and every other move. */
import { addCount, type CountChange, changeCounts } from "./counts.ts";
import { jsonChunks } from "./json-rows.ts";
import { columnsOf, insertMany, parseRows, type TaskRow, taskRow } from "./rows.ts";
import type { Sql } from "./sql.ts";

const COLUMNS = columnsOf(taskRow);

const BY_ID = `select ${COLUMNS} from tasks where id = ?`;
const BY_NUMBER = `select ${COLUMNS} from tasks where number = ?`;

/** A task by its uuid, or by `n` and its number. Dropped ones too. */
export function findTask(sql: Sql, ref: string): TaskRow | null {
  const number = numberOf(ref);
  const row = number === null ? sql.first(BY_ID, ref) : sql.first(BY_NUMBER, number);
  return row === null ? null : taskRow.parse(row);
}

/** `n12` is task number 12. */
function numberOf(ref: string): number | null {
  const digits = /^n([1-9]\d{0,14})$/.exec(ref)?.[1];
  return digits === undefined ? null : Number(digits);
}

const BY_IDS = `select ${COLUMNS} from tasks where id in (select value from json_each(?))`;

export function findTasks(sql: Sql, ids: readonly string[]): TaskRow[] {
  return parseRows(taskRow, sql.all(BY_IDS, JSON.stringify(ids)));
}

const BY_NUMBERS = `select ${COLUMNS} from tasks where number in (select value from json_each(?))`;

/** Tasks by uuid or by `n` and number, under the name they were asked by; two statements for any number. */
export function findTasksByRef(sql: Sql, refs: readonly string[]): Map<string, TaskRow> {
  const [ids, numbers] = [new Set<string>(), new Set<number>()];
  for (const ref of refs) {
    const number = numberOf(ref);
    if (number === null) ids.add(ref);
    else numbers.add(number);
  }
  const found = new Map<string, TaskRow>();
  if (ids.size > 0) for (const row of findTasks(sql, [...ids])) found.set(row.id, row);
  if (numbers.size > 0)
    for (const row of parseRows(taskRow, sql.all(BY_NUMBERS, JSON.stringify([...numbers]))))
      found.set(`n${row.number}`, row);
  return found;
}

const BY_REFERENCES = `select ${COLUMNS} from tasks indexed by tasks_by_reference
  where external_ref in (select value from json_each(?)) and external_ref is not null and dropped = 0`;

/** The not-dropped tasks that carry one of these external references. */
export function findByReferences(sql: Sql, externalRefs: readonly string[]): TaskRow[] {
  return [...jsonChunks(externalRefs)].flatMap((refs) => parseRows(taskRow, sql.all(BY_REFERENCES, refs)));
}

export function nextNumber(sql: Sql): number {
  return sql.number("select max(number) from tasks") + 1;
}

const INSERT = insertMany("tasks", taskRow);

/** New rows, and the counts with them. */
export function insertTasks(sql: Sql, rows: readonly TaskRow[]): void {
  for (const chunk of jsonChunks(parentsFirst(rows))) sql.run(INSERT, chunk);
  const change: CountChange = {};
  for (const row of rows) if (row.dropped === 0) addCount(change, row.status, 1);
  changeCounts(sql, change);
}

/** A parent has to stand before its child does, also where they travel in different statements. */
function parentsFirst(rows: readonly TaskRow[]): TaskRow[] {
  const pending = new Map(rows.map((row) => [row.id, row]));
  const ordered: TaskRow[] = [];
  for (const row of rows) {
    const lineage: TaskRow[] = [];
    for (let next: TaskRow | undefined = row; next !== undefined; ) {
      if (!pending.delete(next.id)) break;
      lineage.push(next);
      next = next.parent_task_id === null ? undefined : pending.get(next.parent_task_id);
    }
    ordered.push(...lineage.reverse());
  }
  return ordered;
}

export interface ClaimUpdate {
  number: number;
  agentId: string;
  runtime: string | null;
  now: number;
  changeSeq: number;
}

export const CLAIM = `update tasks set
    status = 'in_progress', assignee_agent_id = ?2, assignee_runtime = ?3,
    epoch = epoch + 1, updated_at = ?4, change_seq = ?5, changes_notes = null
  where number = ?1 and status = 'todo' and assignee_agent_id is null and dropped = 0
  returning ${COLUMNS}`;

/** The claim: the guard is inside the statement, and no row back means somebody else has it. */
export function claimRow(sql: Sql, claim: ClaimUpdate): TaskRow | null {
  const [row] = sql.all(CLAIM, claim.number, claim.agentId, claim.runtime, claim.now, claim.changeSeq);
  if (row === undefined) return null;
  changeCounts(sql, { todo: -1, in_progress: 1 });
  return taskRow.parse(row);
}

/** A task before and after; only what a move may change is written. */
export interface TaskMove {
  before: Pick<TaskRow, "status" | "dropped">;
  after: Pick<
    TaskRow,
    | "number"
    | "status"
    | "dropped"
    | "assignee_agent_id"
    | "assignee_runtime"
    | "verification"
    | "blocked_reason"
    | "not_before"
    | "deferred"
    | "ready_since"
    | "epoch"
    | "attempt_streak"
    | "changes_notes"
    | "updated_at"
    | "completed_at"
    | "change_seq"
  >;
}

export const MOVE = `update tasks set
    status = moved.status, dropped = moved.dropped, assignee_agent_id = moved.assignee_agent_id,
    assignee_runtime = moved.assignee_runtime, verification = moved.verification,
    blocked_reason = moved.blocked_reason, not_before = moved.not_before, deferred = moved.deferred,
    ready_since = moved.ready_since, epoch = moved.epoch, attempt_streak = moved.attempt_streak,
    changes_notes = moved.changes_notes, updated_at = moved.updated_at, completed_at = moved.completed_at,
    change_seq = moved.change_seq
  from (
    select value ->> 'number' as number, value ->> 'status' as status, value ->> 'dropped' as dropped,
      value ->> 'assignee_agent_id' as assignee_agent_id, value ->> 'assignee_runtime' as assignee_runtime,
      value ->> 'verification' as verification, value ->> 'blocked_reason' as blocked_reason,
      value ->> 'not_before' as not_before, value ->> 'deferred' as deferred,
      value ->> 'ready_since' as ready_since, value ->> 'epoch' as epoch,
      value ->> 'attempt_streak' as attempt_streak, value ->> 'changes_notes' as changes_notes,
      value ->> 'updated_at' as updated_at,
      value ->> 'completed_at' as completed_at, value ->> 'change_seq' as change_seq
    from json_each(?)
  ) as moved
  where tasks.number = moved.number`;

/** One statement for one task or for many; the counts follow. */
export function moveTasks(sql: Sql, moves: readonly TaskMove[]): void {
  const change: CountChange = {};
  for (const { before, after } of moves) {
    if (before.dropped === 0) addCount(change, before.status, -1);
    if (after.dropped === 0) addCount(change, after.status, 1);
  }
  const rows = moves.map(({ after: row }) => ({
    number: row.number,
    status: row.status,
    dropped: row.dropped,
    assignee_agent_id: row.assignee_agent_id,
    assignee_runtime: row.assignee_runtime,
    verification: row.verification,
    blocked_reason: row.blocked_reason,
    not_before: row.not_before,
    deferred: row.deferred,
    ready_since: row.ready_since,
    epoch: row.epoch,
    attempt_streak: row.attempt_streak,
    changes_notes: row.changes_notes,
    updated_at: row.updated_at,
    completed_at: row.completed_at,
    change_seq: row.change_seq,
  }));
  for (const chunk of jsonChunks(rows)) sql.run(MOVE, chunk);
  changeCounts(sql, change);
}

/** Content: what people write, as against what the board keeps. */
export function saveContent(sql: Sql, row: TaskRow): void {
  sql.run(
    `update tasks set
       title = ?2, description = ?3, priority = ?4, labels = ?5, kind = ?6, team_id = ?7,
       required_capabilities = ?8, not_before = ?9, deferred = ?10, parent_task_id = ?11, external_ref = ?12,
       budget_usd = ?13, blocked_reason = ?14, ready_since = ?15, version = ?16, updated_at = ?17,
       change_seq = ?18
     where number = ?1`,
    row.number,
    row.title,
    row.description,
    row.priority,
    row.labels,
    row.kind,
    row.team_id,
    row.required_capabilities,
    row.not_before,
    row.deferred,
    row.parent_task_id,
    row.external_ref,
    row.budget_usd,
    row.blocked_reason,
    row.ready_since,
    row.version,
    row.updated_at,
    row.change_seq,
  );
}

export function saveVerification(sql: Sql, number: number, verification: string, changeSeq: number): void {
  sql.run(
    "update tasks set verification = ?2, change_seq = ?3 where number = ?1",
    number,
    verification,
    changeSeq,
  );
}

/** The task's last event, for changes that touch nothing else on it. */
export function saveChangeSeq(sql: Sql, number: number, changeSeq: number): void {
  sql.run("update tasks set change_seq = ?2 where number = ?1", number, changeSeq);
}
