/**
 * Writes an export into the bucket as it comes: small ones in one piece, large ones in parts of equal size, of
 * which one is in memory. What breaks off leaves nothing that is listed.
 */
import type { Archive } from "../contract/archive.ts";
import { ARCHIVE_PART_BYTES } from "../contract/limits.ts";
import { accept, type Result, refuse } from "../contract/result.ts";
import { asked } from "./bucket.ts";
import { archiveId, keyOf, labelsOf, readLabels } from "./shelf.ts";

/** The export did not come to its end. */
class BrokenOff extends Error {}

export async function putAway(
  bucket: R2Bucket,
  board: string,
  source: ReadableStream<Uint8Array>,
  now: number,
): Promise<Result<Archive>> {
  try {
    return accept(readLabels(await write(bucket, board, source, now)));
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error;
    return refuse("board_busy", "The board changed while it was put away; nothing was stored.", {
      hint: "Pause the board, put it away, and let it go on.",
    });
  }
}

async function write(
  bucket: R2Bucket,
  board: string,
  source: ReadableStream<Uint8Array>,
  now: number,
): Promise<R2Object> {
  const parts = partsOf(source, ARCHIVE_PART_BYTES);
  const first = (await parts.next()).value ?? new Uint8Array();
  const { name, version, exportedAtSeq: seq } = headerOf(first);
  const key = keyOf(board, archiveId(now, seq));
  const how = {
    httpMetadata: { contentType: "application/x-ndjson" },
    customMetadata: labelsOf({ board, name, seq, version, createdAt: now }),
  };
  if (first.length < ARCHIVE_PART_BYTES) {
    requireEnd(first);
    return asked(bucket.put(key, first, how));
  }
  const upload = await asked(bucket.createMultipartUpload(key, how));
  try {
    const uploaded = [await asked(upload.uploadPart(1, first))];
    let tail = first.slice(-TAIL_BYTES);
    for await (const part of parts) {
      uploaded.push(await asked(upload.uploadPart(uploaded.length + 1, part)));
      tail = joined([tail, part.slice(-TAIL_BYTES)]).slice(-TAIL_BYTES);
    }
    requireEnd(tail);
    return await asked(upload.complete(uploaded));
  } catch (error) {
    // Parts of an upload that was never completed are listed nowhere, and the bucket forgets them by itself.
    await upload.abort().catch(() => {});
    throw error;
  }
}

/** All of the same size but the last one, which is what the bucket asks for. */
async function* partsOf(source: ReadableStream<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  const reader = source.getReader();
  try {
    let pieces: Uint8Array[] = [];
    let held = 0;
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw new BrokenOff(String(error));
      });
      if (done) break;
      pieces.push(value);
      held += value.length;
      while (held >= size) {
        const all = joined(pieces);
        yield all.slice(0, size);
        pieces = [all.slice(size)];
        held -= size;
      }
    }
    if (held > 0) yield joined(pieces);
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

interface Header {
  name: string;
  version: number;
  exportedAtSeq: number;
}

/** An export begins with what it is of. */
function headerOf(first: Uint8Array): Header {
  const end = first.indexOf(NEWLINE);
  if (end === -1) throw new BrokenOff("no header");
  return JSON.parse(new TextDecoder().decode(first.subarray(0, end)));
}

const NEWLINE = 10;
/** More than the last line of an export has. */
const TAIL_BYTES = 1_000;

/** An export that was broken off looks like one that ended, but for its last line. */
function requireEnd(tail: Uint8Array): void {
  const last = new TextDecoder().decode(tail.slice(-TAIL_BYTES)).trimEnd().split("\n").at(-1) ?? "";
  if (!last.startsWith('{"type":"end",')) throw new BrokenOff("no end");
}
