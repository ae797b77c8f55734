/** Boards put away whole where the server keeps archives, and brought back from there. */
import type { Board } from "./board.ts";
import type { Body, CallOptions, Query } from "./calls.ts";

/** Every `id` is an archive's: when it was made, and the seq it is true at. */
export class Archives {
  readonly #board: Board;

  constructor(board: Board) {
    this.#board = board;
  }

  create(options?: CallOptions) {
    return this.#board.call("createArchive", {}, options);
  }

  list(query: Query<"listArchives"> = {}, options?: CallOptions) {
    return this.#board.call("listArchives", { query }, options);
  }

  /** An export, as lines of JSON. It is whole when its last line is the end. */
  get(id: string, options?: CallOptions) {
    return this.#board.call("getArchive", { params: { id } }, options);
  }

  delete(id: string, options?: CallOptions) {
    return this.#board.call("deleteArchive", { params: { id } }, options);
  }

  restore(id: string, body: Body<"restoreArchive"> = {}, options?: CallOptions) {
    return this.#board.call("restoreArchive", { params: { id }, body }, options);
  }
}
