/** The tasks of a board, as anybody sees and changes them; what only a holder may do is the lease's. */

import type { Board } from "./board.ts";
import type { Body, CallOptions, LeaseBody, Query } from "./calls.ts";

/** Every `id` is a task's uuid, or `n` and its number. */
export class Tasks {
  readonly #board: Board;

  constructor(board: Board) {
    this.#board = board;
  }

  list(query: Query<"listTasks"> = {}, options?: CallOptions) {
    return this.#board.call("listTasks", { query }, options);
  }

  get(id: string, query: Query<"getTask"> = {}, options?: CallOptions) {
    return this.#board.call("getTask", { params: { id }, query }, options);
  }

  create(body: Body<"createTask">, options?: CallOptions) {
    return this.#board.call("createTask", { body }, options);
  }

  /** Moves and edits, both or neither; `options.ifVersion` guards what was read. */
  edit(id: string, body: LeaseBody<"changeTask">, options?: CallOptions) {
    return this.#board.call("changeTask", { params: { id }, body }, options);
  }

  drop(id: string, options?: CallOptions) {
    return this.#board.call("dropTask", { params: { id } }, options);
  }

  restore(id: string, options?: CallOptions) {
    return this.#board.call("restoreTask", { params: { id } }, options);
  }

  comment(id: string, body: string, options?: CallOptions) {
    return this.#board.call("addComment", { params: { id }, body: { body } }, options);
  }

  comments(id: string, query: Query<"listComments"> = {}, options?: CallOptions) {
    return this.#board.call("listComments", { params: { id }, query }, options);
  }

  link(id: string, body: Body<"linkDependency">, options?: CallOptions) {
    return this.#board.call("linkDependency", { params: { id }, body }, options);
  }

  unlink(id: string, dependsOnTaskId: string, options?: CallOptions) {
    return this.#board.call("unlinkDependency", { params: { id, dependsOnTaskId } }, options);
  }

  dependents(id: string, options?: CallOptions) {
    return this.#board.call("listDependents", { params: { id } }, options);
  }

  ancestors(id: string, options?: CallOptions) {
    return this.#board.call("listAncestors", { params: { id } }, options);
  }

  cancelDependents(id: string, options?: CallOptions) {
    return this.#board.call("cancelDependents", { params: { id } }, options);
  }

  explain(id: string, options?: CallOptions) {
    return this.#board.call("explainTask", { params: { id } }, options);
  }

  executions(id: string, query: Query<"listExecutions"> = {}, options?: CallOptions) {
    return this.#board.call("listExecutions", { params: { id }, query }, options);
  }

  stop(id: string, body: Body<"stopTask">, options?: CallOptions) {
    return this.#board.call("stopTask", { params: { id }, body }, options);
  }

  requestChanges(id: string, notes: string, options?: CallOptions) {
    return this.#board.call("requestChanges", { params: { id }, body: { notes } }, options);
  }

  verification(id: string, options?: CallOptions) {
    return this.#board.call("getVerification", { params: { id } }, options);
  }

  /** Another's verdict; a holder's own goes by its lease. */
  setVerification(id: string, body: LeaseBody<"setVerification">, options?: CallOptions) {
    return this.#board.call("setVerification", { params: { id }, body }, options);
  }

  workspace(id: string, options?: CallOptions) {
    return this.#board.call("getWorkspace", { params: { id } }, options);
  }

  createWorkspace(id: string, body: LeaseBody<"createWorkspace">, options?: CallOptions) {
    return this.#board.call("createWorkspace", { params: { id }, body }, options);
  }

  changeWorkspace(id: string, body: LeaseBody<"changeWorkspace">, options?: CallOptions) {
    return this.#board.call("changeWorkspace", { params: { id }, body }, options);
  }
}
