/**
 * An export as a stream out of the object. Up to 32 MB are one consistent read, held until they are fetched.
 * What is larger is read on as it is fetched, from a board that is paused and does not change meanwhile: where
 * it does, the stream breaks off, and what was written has no end line.
 */
import { EXPORT_CHUNK_BYTES, EXPORT_READ_MAX_BYTES } from "../contract/limits.ts";
import { accept, refuse } from "../contract/result.ts";
import { type ExportPlace, readExport } from "./operations/export-board.ts";
import { OPERATIONS, read } from "./operations.ts";
import type { Call, Reply } from "./replay.ts";
import type { Runner } from "./runner.ts";

const READ_EXPORT = read(readExport);

export function exportStream(runner: Runner, call: Call): Reply<ReadableStream<Uint8Array>> {
  return runner.counted("exportBoard", () => open(runner, call));
}

function open(runner: Runner, call: Call): Reply<ReadableStream<Uint8Array>> {
  const first = runner.serve(READ_EXPORT, call, { from: null, maxBytes: EXPORT_READ_MAX_BYTES });
  if (!first.ok) return first;
  if (first.value.next !== null && !first.value.paused)
    return refuse("board_busy", "The board is too large for one read, and it is not paused.", {
      hint: "Pause the board, export it, and let it go on.",
    });
  const noted = runner.run(OPERATIONS.noteUse, call, "export");
  if (!noted.ok) return noted;
  let pieces = first.value.bytes;
  let next: ExportPlace | null = first.value.next;
  const stream = new ReadableStream({
    type: "bytes",
    pull(controller) {
      if (pieces.length === 0 && next !== null) {
        const more = runner.run(READ_EXPORT, call, { from: next, maxBytes: EXPORT_CHUNK_BYTES });
        if (!more.ok) return controller.error(new Error(more.detail));
        pieces = more.value.bytes;
        next = more.value.next;
      }
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
    cancel() {
      pieces = [];
      next = null;
    },
  });
  return accept(stream);
}
