/** A board that was put away, as the wire shows it. */
import * as z from "zod";
import { boardId } from "./text.ts";

export const archive = z
  .object({
    id: z.string(),
    board: z.string(),
    name: z.string().meta({ description: "The board's, when it was put away" }),
    seq: z.number().meta({ description: "How far its log had come" }),
    version: z.number().meta({ description: "Of the export's format" }),
    bytes: z.number(),
    createdAt: z.number().meta({ description: "Epoch milliseconds" }),
  })
  .meta({ id: "Archive" });

export type Archive = z.infer<typeof archive>;

export const archiveAnswer = z.object({ archive });
export const archivesAnswer = z.object({
  archives: z.array(archive),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
});

export const restoreBody = z
  .strictObject({
    into: boardId.optional().meta({ description: "The board it is brought to; without it, its own" }),
    dryRun: z.boolean().optional().meta({ description: "Report what would happen, and store nothing" }),
  })
  .meta({ id: "RestoreArchive" });
