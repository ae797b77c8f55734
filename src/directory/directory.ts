/**
 * Which boards exist. Touched when a board is made, listed, renamed, archived or deleted, never by a task
 * request. The boards are the truth; a row here says that one should be there.
 */
import { DurableObject } from "cloudflare:workers";
import ddl from "../../migrations-free-schema/directory.sql";
import { isBehind, newLineage, saveLineage } from "../board/store/lineage.ts";
import { fingerprint, install, isInstalled, reconcile } from "../board/store/schema.ts";
import { Sql } from "../board/store/sql.ts";
import { type DirectoryEntry, type DirectoryUse, insertEntry, listEntries } from "./audit.ts";
import { type SessionCode, saveCode, takeCode } from "./session-codes.ts";
import * as store from "./store.ts";

const SCHEMA = fingerprint(ddl);

export class Directory extends DurableObject<Env> {
  readonly #sql: Sql;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#sql = new Sql(state.storage.sql);
    state.storage.transactionSync(() => {
      if (!isInstalled(this.#sql, "directory")) {
        install(this.#sql, ddl);
        store.begin(this.#sql, SCHEMA, newLineage("directory"));
      } else if (isBehind(this.#sql, "directory", SCHEMA)) {
        reconcile(this.#sql, ddl);
        saveLineage(this.#sql, "directory", SCHEMA);
      }
    });
  }

  /** Takes the id for a board that is about to be made, or says who has it. */
  reserve(input: store.Reservation): store.Reserved {
    return this.ctx.storage.transactionSync(() => store.reserve(this.#sql, input, Date.now()));
  }

  /** The board stands: it is listed from now on. */
  activate(input: { id: string; operationId: string; name: string }): void {
    this.ctx.storage.transactionSync(() => {
      if (store.activate(this.#sql, input, Date.now())) this.#note("board_created", input.id);
    });
  }

  /** The row goes, unless another operation has taken it over. */
  forget(input: { id: string; operationId: string | null }): void {
    store.forget(this.#sql, input.id, input.operationId);
  }

  markDeleting(id: string): boolean {
    return this.ctx.storage.transactionSync(() => {
      const before = store.markDeleting(this.#sql, id, Date.now());
      if (before !== null && before !== "deleting") this.#note("board_deleted", id);
      return before !== null;
    });
  }

  rename(input: { id: string; name: string; archived: boolean }): void {
    store.rename(this.#sql, input, Date.now());
  }

  list(input: { after: string; limit: number }): store.BoardEntry[] {
    return store.list(this.#sql, input.after, input.limit);
  }

  saveSessionCode(code: SessionCode, madeBy: { actorId: string; board: string | null }): void {
    this.ctx.storage.transactionSync(() => {
      saveCode(this.#sql, code, Date.now());
      this.#note("sign_in_link", madeBy.board, madeBy.actorId);
    });
  }

  takeSessionCode(codeHash: string): string | null {
    return takeCode(this.#sql, codeHash, Date.now());
  }

  audit(input: { before: number; limit: number }): DirectoryEntry[] {
    return listEntries(this.#sql, input.before, input.limit);
  }

  /** Boards are made and deleted by the operator alone. */
  #note(kind: DirectoryUse, board: string | null, actorId = "operator"): void {
    insertEntry(this.#sql, { at: Date.now(), actorId, kind, board });
  }

  /** What was begun before the cutoff and never finished. */
  halfDone(before: number): store.BoardEntry[] {
    return store.halfDone(this.#sql, before);
  }
}
