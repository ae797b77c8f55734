/**
 * Boards that were put away: objects in a bucket, an export each. Where a board is gone its archives stay, and
 * nothing here wakes a board.
 */
import type { Archive } from "../contract/archive.ts";
import { accept, type Refusal, type Result, refuse } from "../contract/result.ts";
import { asked } from "./bucket.ts";

/** When it was made and how far the board's log had come: ids sort by age. */
const ID = /^\d{8}T\d{9}Z-\d{1,15}$/;

export function archiveId(at: number, seq: number): string {
  return `${new Date(at).toISOString().replace(/[-:.]/g, "")}-${seq}`;
}

export function isArchiveId(text: string): boolean {
  return ID.test(text);
}

const shelfOf = (board: string) => `boards/${board}/`;

export function keyOf(board: string, id: string): string {
  return `${shelfOf(board)}${id}.ndjson`;
}

/** What is written beside the object, in names that survive being headers. */
export function labelsOf(archive: Omit<Archive, "id" | "bytes">): Record<string, string> {
  const { board, seq, name, version, createdAt } = archive;
  return { board, seq: String(seq), name, version: String(version), at: String(createdAt) };
}

export function readLabels({ key, size, customMetadata = {} }: R2Object): Archive {
  const { board = "", seq, name = "", version, at } = customMetadata;
  return {
    id: key.slice(shelfOf(board).length, -".ndjson".length),
    board,
    name,
    seq: Number(seq),
    version: Number(version),
    bytes: size,
    createdAt: Number(at),
  };
}

export interface ArchivePage {
  archives: Archive[];
  hasMore: boolean;
  nextCursor: string | null;
}

/** Oldest first, after the archive `after`. The bucket may hand out fewer than it was asked for. */
export async function listArchives(
  bucket: R2Bucket,
  board: string,
  after: string | null,
  limit: number,
): Promise<ArchivePage> {
  const page = await asked(
    bucket.list({
      prefix: shelfOf(board),
      limit,
      include: ["customMetadata"],
      ...(after === null ? {} : { startAfter: keyOf(board, after) }),
    }),
  );
  const archives = page.objects.map(readLabels);
  const last = archives.at(-1);
  const hasMore = page.truncated && last !== undefined;
  return { archives, hasMore, nextCursor: hasMore ? last.id : null };
}

export async function openArchive(
  bucket: R2Bucket,
  board: string,
  id: string,
): Promise<Result<R2ObjectBody>> {
  const object = isArchiveId(id) ? await asked(bucket.get(keyOf(board, id))) : null;
  return object === null ? notFound() : accept(object);
}

export async function deleteArchive(bucket: R2Bucket, board: string, id: string): Promise<Result<null>> {
  const standing = isArchiveId(id) ? await asked(bucket.head(keyOf(board, id))) : null;
  if (standing === null) return notFound();
  await asked(bucket.delete(standing.key));
  return accept(null);
}

function notFound(): Refusal {
  return refuse("archive_not_found", "There is no such archive of this board.");
}
