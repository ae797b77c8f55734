/** A source as one request, or in parts where it is too large for one. Nobody sees any of it before all is there. */
import type { Answer, Body } from "../client/calls.ts";
import { IMPORT_MAX_BYTES } from "../contract/limits.ts";
import type { Context } from "./context.ts";
import { progress } from "./progress.ts";
import { bytes } from "./words.ts";

interface Wanted {
  format: Body<"beginImport">["format"];
  dryRun: boolean;
  reset: boolean;
}

/** Under the limit by some room, since a character is up to four bytes. */
const PART_BYTES = IMPORT_MAX_BYTES - 1_024;

export async function bringIn(
  context: Context,
  text: string,
  { format, dryRun, reset }: Wanted,
): Promise<Answer<"importTasks">> {
  const { board } = context;
  const source = new TextEncoder().encode(text);
  if (source.length <= PART_BYTES) return board.import(text, { format, dryRun, reset });
  const { id } = await board.beginImport({ format, reset });
  const shown = await progress(context.output, "Importing", source.length, bytes);
  try {
    let sent = 0;
    for (const [at, part] of partsOf(source).entries()) {
      await board.putImportPart(id, at + 1, new TextDecoder().decode(part));
      sent += part.length;
      shown.update(sent);
    }
    const report = await board.commitImport(id, { dryRun });
    if (dryRun) await board.dropImport(id).catch(() => {});
    return report;
  } catch (error) {
    // It would be forgotten after a day anyway, but only so many may be open.
    await board.dropImport(id).catch(() => {});
    throw error;
  } finally {
    shown.stop();
  }
}

/** Cut between two characters, never within one. */
function partsOf(source: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < source.length; ) {
    let to = Math.min(from + PART_BYTES, source.length);
    while (to < source.length && ((source[to] as number) & 0xc0) === 0x80) to--;
    parts.push(source.subarray(from, to));
    from = to;
  }
  return parts;
}
