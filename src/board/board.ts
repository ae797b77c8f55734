/**
 * One board: one Durable Object with one SQLite database. Its execution is serial, which is all the locking
 * there is. Each operation is one method, one synchronous function, one transaction; a refusal is a value.
 */
import { retryable } from "cloudflare:durable-objects";
import { DurableObject } from "cloudflare:workers";
import { v7 as uuid } from "uuid";
import type { Result } from "../contract/result.ts";
import { onAlarm, onStart, seeToAlarm } from "./by-itself.ts";
import * as boards from "./operations/board.ts";
import { cancelDependents } from "./operations/cancel-dependents.ts";
import { type ChangeTask, changeTask } from "./operations/change-task.ts";
import { type ClaimNext, claimNext } from "./operations/claim-next.ts";
import { type ClaimTask, claimTask } from "./operations/claim-task.ts";
import * as comments from "./operations/comments.ts";
import { type CompleteTask, completeTask } from "./operations/complete-task.ts";
import {
  type CreateBoard,
  type CreatedBoard,
  createBoard,
  createdBefore,
  isMadeBy,
} from "./operations/create-board.ts";
import { type CreatePlan, createPlan } from "./operations/create-plan.ts";
import { type CreateTask, createTask } from "./operations/create-task.ts";
import { dropTask, restoreTask } from "./operations/drop-task.ts";
import type { EventPage, ListEvents } from "./operations/events.ts";
import { getTask, type Include } from "./operations/get-task.ts";
import { leaseOf } from "./operations/grant.ts";
import { type BatchBeat, type Heartbeat, heartbeat, heartbeats } from "./operations/heartbeat.ts";
import { type ImportTasks, importTasks } from "./operations/import-tasks.ts";
import { type LinkDependency, linkDependency, unlinkDependency } from "./operations/link-dependency.ts";
import { listAudit } from "./operations/list-audit.ts";
import { listExecutions } from "./operations/list-executions.ts";
import { type ListTasks, listTasks } from "./operations/list-tasks.ts";
import { listAncestors, listDependents } from "./operations/relatives.ts";
import { type ReleaseTask, releaseTask } from "./operations/release-task.ts";
import { type StartExecution, startExecution } from "./operations/start-execution.ts";
import * as tokens from "./operations/tokens.ts";
import { getVerification, type SetVerification, setVerification } from "./operations/verification.ts";
import { READS } from "./reads.ts";
import { type Call, type Reply, transact } from "./replay.ts";
import { ITSELF, Runner } from "./runner.ts";
import { type Waited, type WaitForWork, waitForEvents, waitForWork } from "./waiting.ts";

export class Board extends DurableObject<Env> {
  readonly #runner: Runner;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#runner = new Runner(state.storage);
    if (!this.#runner.created) return;
    onStart(this.#runner);
    void state.blockConcurrencyWhile(() => seeToAlarm(this.#runner));
  }

  // The board itself

  createBoard(input: CreateBoard): Reply<CreatedBoard> {
    const runner = this.#runner;
    const now = runner.now();
    const context = () => runner.context(runner.board(), ITSELF, now);
    if (runner.created) return createdBefore(context(), input);
    const made = { incarnation: uuid(), now };
    const reply = transact(runner.storage, false, () => createBoard(runner.sql, input, made, context));
    runner.created = reply.ok;
    return reply;
  }

  /** Whether this very operation made the board: what a listing asks about a creation left half done. */
  isMadeBy(operationId: string): boolean {
    return this.#runner.created && isMadeBy(this.#runner.sql, operationId);
  }

  describeBoard(call: Call) {
    return this.#runner.read(call, (context) => boards.describeBoard(context));
  }

  changeBoard(call: Call, input: boards.ChangeBoard) {
    return this.#runner.write(call, (context) => boards.changeBoard(context, input), { evenArchived: true });
  }

  /** Everything goes, the schema too: the next call finds no board. */
  async destroyBoard(): Promise<void> {
    const runner = this.#runner;
    runner.created = false;
    runner.forWork.wakeAll();
    runner.forEvents.wakeAll();
    await runner.storage.deleteAll();
    await runner.alarm.load();
  }

  // Tokens

  whoAmI(call: Call) {
    return this.#runner.read(call, (context) => tokens.whoAmI(context));
  }

  mintToken(call: Call, input: tokens.MintToken) {
    return this.#runner.write(call, (context) => tokens.mintToken(context, input));
  }

  listTokens(call: Call, input: { after: string; limit: number }) {
    return this.#runner.read(call, (context) => tokens.listTokens(context, input));
  }

  revokeToken(call: Call, id: string) {
    return this.#runner.write(call, (context) => tokens.revokeToken(context, id), { evenArchived: true });
  }

  // Tasks

  createTask(call: Call, input: CreateTask) {
    return this.#runner.write(call, (context) => createTask(context, input));
  }

  createPlan(call: Call, input: CreatePlan, dryRun: boolean) {
    return this.#runner.write(call, (context) => createPlan(context, input), { dryRun });
  }

  importTasks(call: Call, input: ImportTasks, dryRun: boolean) {
    return this.#runner.write(call, (context) => importTasks(context, input), { dryRun });
  }

  listTasks(call: Call, input: ListTasks) {
    return this.#runner.read(call, (context) => listTasks(context, input));
  }

  getTask(call: Call, input: { id: string; include: Include[] }) {
    return this.#runner.read(call, (context) => getTask(context, input));
  }

  changeTask(call: Call, input: ChangeTask) {
    return this.#runner.write(call, (context) => changeTask(context, input));
  }

  dropTask(call: Call, id: string) {
    return this.#runner.write(call, (context) => dropTask(context, id));
  }

  restoreTask(call: Call, id: string) {
    return this.#runner.write(call, (context) => restoreTask(context, id));
  }

  // Leases

  claimTask(call: Call, input: ClaimTask) {
    return this.#runner.write(call, (context) => claimTask(context, input), {
      leasesOf: (grant) => [leaseOf(grant)],
    });
  }

  claimNext(call: Call, input: ClaimNext) {
    return this.#runner.write(call, (context) => claimNext(context, input), {
      leasesOf: ({ claims }) => claims.map(leaseOf),
    });
  }

  startExecution(call: Call, input: StartExecution) {
    return this.#runner.write(call, (context) => startExecution(context, input), {
      leasesOf: (grant) => [leaseOf(grant)],
    });
  }

  heartbeat(call: Call, input: Heartbeat) {
    return this.#runner.write(call, (context) => heartbeat(context, input), { touch: false });
  }

  heartbeats(call: Call, beats: BatchBeat[]) {
    return this.#runner.write(call, (context) => heartbeats(context, beats), { touch: false });
  }

  completeTask(call: Call, input: CompleteTask) {
    return this.#runner.write(call, (context) => completeTask(context, input));
  }

  releaseTask(call: Call, input: ReleaseTask) {
    return this.#runner.write(call, (context) => releaseTask(context, input));
  }

  /**
   * Answers when there may be work, or when the time is up; the caller then claims. `sinceSeq` is where the
   * board stood when a claim came back empty, so that nothing that happened in between is slept through.
   */
  waitForWork(call: Call, input: WaitForWork): Promise<Result<Waited>> {
    return waitForWork(this.#runner, call, input);
  }

  // Dependencies and hierarchy

  linkDependency(call: Call, input: LinkDependency) {
    return this.#runner.write(call, (context) => linkDependency(context, input));
  }

  unlinkDependency(call: Call, input: { id: string; dependsOnTaskId: string }) {
    return this.#runner.write(call, (context) => unlinkDependency(context, input));
  }

  listDependents(call: Call, id: string) {
    return this.#runner.read(call, (context) => listDependents(context, id));
  }

  listAncestors(call: Call, id: string) {
    return this.#runner.read(call, (context) => listAncestors(context, id));
  }

  cancelDependents(call: Call, id: string) {
    return this.#runner.write(call, (context) => cancelDependents(context, id));
  }

  // Comments, runs, verdicts

  addComment(call: Call, input: { id: string; body: string }) {
    return this.#runner.write(call, (context) => comments.addComment(context, input));
  }

  listComments(call: Call, input: { id: string; after: number; limit: number }) {
    return this.#runner.read(call, (context) => comments.listComments(context, input));
  }

  listExecutions(call: Call, input: { id: string; after: number; limit: number }) {
    return this.#runner.read(call, (context) => listExecutions(context, input));
  }

  setVerification(call: Call, input: SetVerification) {
    return this.#runner.write(call, (context) => setVerification(context, input));
  }

  getVerification(call: Call, id: string) {
    return this.#runner.read(call, (context) => getVerification(context, id));
  }

  // The log

  /** With `waitMs`, an empty page is held back until something happens or the time is up. */
  listEvents(call: Call, input: ListEvents & { waitMs: number }): Promise<Reply<EventPage>> {
    return waitForEvents(this.#runner, call, input);
  }

  listAudit(call: Call, input: Parameters<typeof listAudit>[1]) {
    return this.#runner.read(call, (context) => listAudit(context, input));
  }

  override async alarm(): Promise<void> {
    if (this.#runner.created) onAlarm(this.#runner);
  }
}

// The platform may run a read again when its answer was lost.
retryable(...READS.map((name) => Board.prototype[name]));
