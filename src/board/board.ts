/**
 * One board: one Durable Object with one SQLite database. Its execution is serial, which is all the locking
 * there is. Each operation is one method, one synchronous function, one transaction; a refusal is a value.
 */
import { retryable } from "cloudflare:durable-objects";
import { DurableObject } from "cloudflare:workers";
import { v7 as uuid } from "uuid";
import ddl from "../../migrations-free-schema/board.sql";
import * as limits from "../contract/limits.ts";
import { accept, type Result, refuse } from "../contract/result.ts";
import type { Caller } from "../contract/roles.ts";
import type { SettingsChange } from "../contract/settings.ts";
import { steadyNow } from "../rules/clock.ts";
import { retryAfterFailure } from "../rules/next-alarm.ts";
import { admit, boardNotFound, touchToken } from "./admission.ts";
import { Alarm, earliestDue } from "./alarm.ts";
import type { Context } from "./context.ts";
import * as boards from "./operations/board.ts";
import { cancelDependents } from "./operations/cancel-dependents.ts";
import { type ChangeTask, changeTask } from "./operations/change-task.ts";
import { type ClaimNext, claimNext } from "./operations/claim-next.ts";
import { type ClaimTask, claimTask } from "./operations/claim-task.ts";
import { closeOrphans } from "./operations/close-orphans.ts";
import * as comments from "./operations/comments.ts";
import { type CompleteTask, completeTask } from "./operations/complete-task.ts";
import { type CreatePlan, createPlan, type PlanReport } from "./operations/create-plan.ts";
import { type CreateTask, createTask } from "./operations/create-task.ts";
import { dropTask, restoreTask } from "./operations/drop-task.ts";
import { type ListEvents, listEvents } from "./operations/events.ts";
import { getTask, type Include } from "./operations/get-task.ts";
import type { Grant } from "./operations/grant.ts";
import { type BatchBeat, type Heartbeat, heartbeat, heartbeats } from "./operations/heartbeat.ts";
import { type ImportReport, type ImportTasks, importTasks } from "./operations/import-tasks.ts";
import { type LinkDependency, linkDependency, unlinkDependency } from "./operations/link-dependency.ts";
import { listAudit } from "./operations/list-audit.ts";
import { listExecutions } from "./operations/list-executions.ts";
import { type ListTasks, listTasks } from "./operations/list-tasks.ts";
import { listAncestors, listDependents } from "./operations/relatives.ts";
import { type ReleaseTask, releaseTask } from "./operations/release-task.ts";
import { type StartExecution, startExecution } from "./operations/start-execution.ts";
import { sweepStale } from "./operations/sweep-stale.ts";
import * as tokens from "./operations/tokens.ts";
import { getVerification, type SetVerification, setVerification } from "./operations/verification.ts";
import { type Call, type GrantedLease, type Reply, replayOrRun, transact } from "./replay.ts";
import * as rows from "./store/board-row.ts";
import { installCounts } from "./store/counts.ts";
import { EventLog, lastEventAt, lastSeq } from "./store/events.ts";
import { anyReady, nextDeferredAt, promoteDeferred } from "./store/ready-queue.ts";
import { trimReplies } from "./store/replies.ts";
import { fingerprint, install, isInstalled, reconcile } from "./store/schema.ts";
import { Sql } from "./store/sql.ts";
import { Waiters } from "./waiters.ts";

const SCHEMA = fingerprint(ddl);

/** The board acting by itself: its alarm, its start. */
const ITSELF: Caller = {
  sub: "board",
  role: "operator",
  jti: null,
  inc: null,
  runtime: null,
  capabilities: [],
};

export interface CreateBoard {
  id: string;
  name: string;
  settings: SettingsChange;
  /** The same id again answers what the first call answered. */
  operationId: string;
}

export interface CreatedBoard {
  board: boards.BoardView;
  /** The lead token to sign for whoever made the board. */
  minted: tokens.Minted;
}

export interface Waited {
  /** `full`: too many wait already. */
  outcome: "woken" | "late" | "full";
}

interface WriteOptions<T> {
  leasesOf?: (value: T) => GrantedLease[];
  /** Also on an archived board. */
  evenArchived?: boolean;
  /** A beat's own row shows its token in use. */
  touch?: boolean;
  dryRun?: boolean;
}

export class Board extends DurableObject<Env> {
  readonly #sql: Sql;
  readonly #alarm: Alarm;
  readonly #forWork = new Waiters(limits.WAITERS_MAX);
  readonly #forEvents = new Waiters(limits.WAITERS_MAX);
  #created: boolean;
  #lastNow = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#sql = new Sql(state.storage.sql);
    this.#alarm = new Alarm(state.storage);
    this.#created = isInstalled(this.#sql, "board");
    if (this.#created) this.#open();
  }

  // The board itself

  createBoard(input: CreateBoard): Result<CreatedBoard> {
    if (this.#created) return this.#createdBefore(input);
    const settings = boards.newSettings(input.settings);
    if (!settings.ok) return settings;
    const now = this.#now();
    return transact(this.ctx.storage, false, () => {
      install(this.#sql, ddl);
      installCounts(this.#sql);
      rows.insertBoard(this.#sql, {
        id: input.id,
        name: input.name,
        incarnation: uuid(),
        operation_id: input.operationId,
        settings: JSON.stringify(settings.value),
        paused: 0,
        archived: 0,
        last_sweep_at: 0,
        failed_alarms: 0,
        schema_fingerprint: SCHEMA,
        created_at: now,
        updated_at: now,
        tenant_id: null,
      });
      const context = this.#context(this.#board(), ITSELF, now, () => {});
      const minted = tokens.mintToken(context, { agentId: "lead", role: "lead" });
      this.#created = true;
      return minted.ok ? accept({ board: boards.viewBoard(context.board), minted: minted.value }) : minted;
    });
  }

  /** Whether this very operation made the board: what a listing asks about a creation left half done. */
  isMadeBy(operationId: string): boolean {
    return this.#created && rows.readBoardRow(this.#sql)?.operation_id === operationId;
  }

  describeBoard(call: Call) {
    return this.#read(call, (context) => boards.describeBoard(context));
  }

  changeBoard(call: Call, input: boards.ChangeBoard) {
    return this.#write(call, (context) => boards.changeBoard(context, input), { evenArchived: true });
  }

  /** Everything goes, the schema too: the next call finds no board. */
  async destroyBoard(): Promise<void> {
    this.#created = false;
    this.#forWork.wakeAll();
    this.#forEvents.wakeAll();
    await this.ctx.storage.deleteAll();
    await this.#alarm.load();
  }

  // Tokens

  whoAmI(call: Call) {
    return this.#read(call, (context) => tokens.whoAmI(context));
  }

  mintToken(call: Call, input: tokens.MintToken) {
    return this.#write(call, (context) => tokens.mintToken(context, input));
  }

  listTokens(call: Call, input: { after: string; limit: number }) {
    return this.#read(call, (context) => tokens.listTokens(context, input));
  }

  revokeToken(call: Call, id: string) {
    return this.#write(call, (context) => tokens.revokeToken(context, id), { evenArchived: true });
  }

  // Tasks

  createTask(call: Call, input: CreateTask) {
    return this.#write(call, (context) => createTask(context, input));
  }

  createPlan(call: Call, input: CreatePlan, dryRun: boolean): Reply<PlanReport> {
    return this.#write(call, (context) => createPlan(context, input), { dryRun });
  }

  importTasks(call: Call, input: ImportTasks, dryRun: boolean): Reply<ImportReport> {
    return this.#write(call, (context) => importTasks(context, input), { dryRun });
  }

  listTasks(call: Call, input: ListTasks) {
    return this.#read(call, (context) => listTasks(context, input));
  }

  getTask(call: Call, input: { id: string; include: Include[] }) {
    return this.#read(call, (context) => getTask(context, input));
  }

  changeTask(call: Call, input: ChangeTask) {
    return this.#write(call, (context) => changeTask(context, input));
  }

  dropTask(call: Call, id: string) {
    return this.#write(call, (context) => dropTask(context, id));
  }

  restoreTask(call: Call, id: string) {
    return this.#write(call, (context) => restoreTask(context, id));
  }

  // Leases

  claimTask(call: Call, input: ClaimTask) {
    return this.#write(call, (context) => claimTask(context, input), {
      leasesOf: (grant) => [leaseOf(grant)],
    });
  }

  claimNext(call: Call, input: ClaimNext) {
    return this.#write(call, (context) => claimNext(context, input), {
      leasesOf: ({ claims }) => claims.map(leaseOf),
    });
  }

  startExecution(call: Call, input: StartExecution) {
    return this.#write(call, (context) => startExecution(context, input), {
      leasesOf: (grant) => [leaseOf(grant)],
    });
  }

  heartbeat(call: Call, input: Heartbeat) {
    return this.#write(call, (context) => heartbeat(context, input), { touch: false });
  }

  heartbeats(call: Call, beats: BatchBeat[]) {
    return this.#write(call, (context) => heartbeats(context, beats), { touch: false });
  }

  completeTask(call: Call, input: CompleteTask) {
    return this.#write(call, (context) => completeTask(context, input));
  }

  releaseTask(call: Call, input: ReleaseTask) {
    return this.#write(call, (context) => releaseTask(context, input));
  }

  /**
   * Answers when there may be work, or when the time is up; the caller then claims. `sinceSeq` is where the
   * board stood when a claim came back empty, so that nothing that happened in between is slept through.
   */
  async waitForWork(call: Call, input: { sinceSeq: number; waitMs: number }): Promise<Result<Waited>> {
    const standing = this.#read(call, (context) => accept(this.#workSince(context, input.sinceSeq)));
    if (!standing.ok || standing.value) return standing.ok ? accept({ outcome: "woken" }) : standing;
    const waited = this.#forWork.wait(input.waitMs);
    const deferredAt = nextDeferredAt(this.#sql);
    if (deferredAt !== null) this.#alarm.bringForward(deferredAt);
    const outcome = await waited;
    return this.#created ? accept({ outcome }) : boardNotFound();
  }

  // Dependencies and hierarchy

  linkDependency(call: Call, input: LinkDependency) {
    return this.#write(call, (context) => linkDependency(context, input));
  }

  unlinkDependency(call: Call, input: { id: string; dependsOnTaskId: string }) {
    return this.#write(call, (context) => unlinkDependency(context, input));
  }

  listDependents(call: Call, id: string) {
    return this.#read(call, (context) => listDependents(context, id));
  }

  listAncestors(call: Call, id: string) {
    return this.#read(call, (context) => listAncestors(context, id));
  }

  cancelDependents(call: Call, id: string) {
    return this.#write(call, (context) => cancelDependents(context, id));
  }

  // Comments, runs, verdicts

  addComment(call: Call, input: { id: string; body: string }) {
    return this.#write(call, (context) => comments.addComment(context, input));
  }

  listComments(call: Call, input: { id: string; after: number; limit: number }) {
    return this.#read(call, (context) => comments.listComments(context, input));
  }

  listExecutions(call: Call, input: { id: string; after: number; limit: number }) {
    return this.#read(call, (context) => listExecutions(context, input));
  }

  setVerification(call: Call, input: SetVerification) {
    return this.#write(call, (context) => setVerification(context, input));
  }

  getVerification(call: Call, id: string) {
    return this.#read(call, (context) => getVerification(context, id));
  }

  // The log

  async listEvents(call: Call, input: ListEvents & { waitMs: number }) {
    const deadline = Date.now() + input.waitMs;
    for (;;) {
      const page = this.#read(call, (context) => listEvents(context, input));
      const left = deadline - Date.now();
      if (!page.ok || page.value.events.length > 0 || left <= 0) return page;
      if ((await this.#forEvents.wait(left)) === "full") return page;
    }
  }

  listAudit(call: Call, input: Parameters<typeof listAudit>[1]) {
    return this.#read(call, (context) => listAudit(context, input));
  }

  // By itself

  override async alarm(): Promise<void> {
    if (!this.#created) return;
    this.#alarm.fired();
    const now = this.#now();
    const board = this.#board();
    let next: number | null;
    try {
      next = this.#recover(board, now);
    } catch (error) {
      console.error(
        JSON.stringify({ message: "the board's alarm failed", board: board.id, error: String(error) }),
      );
      const failures = board.failedAlarms + 1;
      rows.saveFailedAlarms(this.#sql, failures);
      next = retryAfterFailure(failures, board.settings.sweepEveryMs, now);
    }
    if (next !== null) this.#alarm.set(Math.max(next, now + limits.SWEEP_AGAIN_MS));
    this.#announce();
  }

  /** One batch of everything that is due; when to come back. */
  #recover(board: rows.Board, now: number): number | null {
    const full = this.ctx.storage.transactionSync(() => {
      const context = this.#context(board, ITSELF, now, () => {});
      const swept = sweepStale(context);
      const trimmed = trimReplies(this.#sql, now - limits.IDEMPOTENCY_TTL_MS, limits.IDEMPOTENCY_TRIM_BATCH);
      const promoted = promoteDeferred(this.#sql, now);
      rows.saveLastSweep(this.#sql, now);
      if (board.failedAlarms > 0) rows.saveFailedAlarms(this.#sql, 0);
      return (
        swept === limits.SWEEP_BATCH ||
        trimmed === limits.IDEMPOTENCY_TRIM_BATCH ||
        promoted === limits.PROMOTE_BATCH
      );
    });
    if (full) return now + limits.SWEEP_AGAIN_MS;
    return earliestDue(this.#sql, { ...board, lastSweepAt: now }, this.#forWork.size > 0);
  }

  /** What a start does: look at the schema, close damage, see to the alarm. It judges nobody's beats. */
  #open(): void {
    const stored = this.#sql.first("select schema_fingerprint from board limit 1");
    if (stored?.["schema_fingerprint"] !== SCHEMA)
      this.ctx.storage.transactionSync(() => {
        reconcile(this.#sql, ddl);
        rows.saveFingerprint(this.#sql, SCHEMA);
      });
    this.#lastNow = lastEventAt(this.#sql);
    const board = this.#board();
    try {
      this.ctx.storage.transactionSync(() => {
        const context = this.#context(board, ITSELF, this.#now(), () => {});
        const closed = closeOrphans(context);
        if (closed > 0) console.warn(JSON.stringify({ message: "orphans closed", board: board.id, closed }));
      });
    } catch (error) {
      console.error(JSON.stringify({ message: "orphans not closed", board: board.id, error: String(error) }));
    }
    void this.ctx.blockConcurrencyWhile(async () => {
      await this.#alarm.load();
      const due = earliestDue(this.#sql, board, false);
      if (due !== null) this.#alarm.bringForward(due);
    });
  }

  #createdBefore(input: CreateBoard): Result<CreatedBoard> {
    const row = rows.readBoardRow(this.#sql);
    if (row === null || row.operation_id !== input.operationId)
      return refuse("board_exists", "A board of this id exists.");
    const context = this.#context(rows.viewBoard(row), ITSELF, this.#now(), () => {});
    const first = tokens.firstToken(context);
    return accept({ board: boards.viewBoard(context.board), minted: first });
  }

  #workSince(context: Context, sinceSeq: number): boolean {
    const promoted = promoteDeferred(context.sql, context.now);
    return (promoted > 0 || lastSeq(context.sql) > sinceSeq) && anyReady(context.sql);
  }

  #read<T>(call: Call, run: (context: Context) => Result<T>): Reply<T> {
    return this.#write({ caller: call.caller }, run, { evenArchived: true });
  }

  #write<T>(call: Call, run: (context: Context) => Result<T>, options: WriteOptions<T> = {}): Reply<T> {
    if (!this.#created) return boardNotFound();
    const now = this.#now();
    this.#alarm.repair(now);
    let dueAt: number | null = null;
    const due = (at: number) => {
      dueAt = dueAt === null ? at : Math.min(dueAt, at);
    };
    const reply = transact(this.ctx.storage, options.dryRun === true, () => {
      const admission = admit(this.#sql, call.caller);
      if (!admission.ok) return admission;
      if (admission.board.archived && options.evenArchived !== true)
        return refuse("board_archived", "The board is archived: it can be read, not changed.");
      if (options.touch !== false) touchToken(this.#sql, admission.token, now);
      const context = this.#context(admission.board, call.caller, now, due);
      return replayOrRun(context, call.key, options.leasesOf ?? (() => []), () => run(context));
    });
    if (reply.ok && options.dryRun !== true) {
      if (dueAt !== null) this.#alarm.bringForward(dueAt);
      this.#announce();
    }
    return reply;
  }

  /** Whoever waits is woken by the change itself; what they find is in the tables. */
  #announce(): void {
    if (this.#forEvents.size > 0) this.#forEvents.wakeAll();
    if (this.#forWork.size > 0 && anyReady(this.#sql)) this.#forWork.wakeAll();
  }

  #context(board: rows.Board, caller: Caller, now: number, due: (at: number) => void): Context {
    const type = caller === ITSELF ? "board" : caller.jti === null ? "operator" : "agent";
    return {
      sql: this.#sql,
      now,
      board,
      caller,
      log: new EventLog(this.#sql, now, { type, id: caller.sub }),
      newId: () => uuid(),
      random: Math.random,
      due,
    };
  }

  #board(): rows.Board {
    const row = rows.readBoardRow(this.#sql);
    if (row === null) throw new Error("the board has no row");
    return rows.viewBoard(row);
  }

  #now(): number {
    this.#lastNow = steadyNow(this.#lastNow, Date.now());
    return this.#lastNow;
  }
}

/** Reads change nothing that matters, so the platform may run one again when its answer was lost. */
const READS = [
  "describeBoard",
  "whoAmI",
  "listTokens",
  "listTasks",
  "getTask",
  "listDependents",
  "listAncestors",
  "listComments",
  "listExecutions",
  "getVerification",
  "listEvents",
  "listAudit",
] as const;
retryable(...READS.map((name) => Board.prototype[name]));

function leaseOf(grant: Grant): GrantedLease {
  return { taskId: grant.task.id, epoch: grant.lease.epoch };
}
