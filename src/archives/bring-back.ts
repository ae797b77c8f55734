/**
 * Brings an archive onto a board as an import in parts: nobody sees any of it before all of it is there, and what
 * cannot be read to its end brings nothing.
 */
import type { ImportedBoard } from "../board/operations/import-board.ts";
import type { Call } from "../board/replay.ts";
import type { BoardStub } from "../board/stub.ts";
import { IMPORT_TOTAL_MAX_BYTES, RESTORE_PART_CHARS } from "../contract/limits.ts";
import { type Refusal, type Result, refuse } from "../contract/result.ts";
import { asked } from "./bucket.ts";

export interface BringBack {
  archive: R2ObjectBody;
  into: BoardStub;
  call: Call;
  dryRun: boolean;
}

export async function bringBack({ archive, into, call, dryRun }: BringBack): Promise<Result<ImportedBoard>> {
  const limit = IMPORT_TOTAL_MAX_BYTES;
  if (archive.size > limit) {
    await archive.body.cancel();
    return refuse("body_too_large", `An import may have at most ${limit} bytes.`, { limit });
  }
  const begun = await into.beginImport(call, { format: "edgeboard", reset: false });
  if (!begun.ok) {
    await archive.body.cancel();
    return begun;
  }
  const { id } = begun.value;
  let stays = false;
  try {
    const refused = await sendParts({ archive, into, call, dryRun }, id);
    if (refused !== null) return refused;
    const imported = await into.commitImport(call, { id, dryRun });
    stays = imported.ok && !dryRun;
    return imported;
  } finally {
    // It would be forgotten after a day, but only so many may be open. A committed one is a report, no text.
    if (!stays) await into.dropImport(call, id);
  }
}

async function sendParts({ archive, into, call }: BringBack, id: string): Promise<Refusal | null> {
  let n = 0;
  for await (const text of textsOf(archive.body)) {
    if (text === null)
      return refuse("import_invalid", "The archive is damaged; nothing was stored.", {
        issues: [{ path: "", message: "is not UTF-8" }],
      });
    const sent = await into.putImportPart(call, { id, n: ++n, text });
    if (!sent.ok) return sent;
  }
  return null;
}

/** Texts of whole lines, and null where it is no text. */
async function* textsOf(source: ReadableStream<Uint8Array>): AsyncGenerator<string | null> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  const decoded = (chunk?: Uint8Array): string | null => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      return null;
    }
  };
  let held = "";
  for (const reader = source.getReader(); ; ) {
    const { done, value } = await asked(reader.read());
    if (done) break;
    const text = decoded(value);
    if (text === null) return yield null;
    held += text;
    if (held.length < RESTORE_PART_CHARS) continue;
    // No line of ours is as long as a part; a longer one is refused by whoever reads it.
    const cut = held.lastIndexOf("\n") + 1 || held.length;
    yield held.slice(0, cut);
    held = held.slice(cut);
  }
  const rest = decoded();
  if (rest === null) return yield null;
  if (held !== "") yield held;
}
