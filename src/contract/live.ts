/** What a socket says and hears; and the board as a reader joins it. */
import * as z from "zod";
import { TASK_STATUSES, type TaskStatus } from "../rules/status.ts";
import { boardView, statusCounts, toldCards } from "./answers.ts";
import { event } from "./events.ts";
import { taskCard } from "./task.ts";

const seq = z.number().meta({ description: "Go on from here" });
const at = z.number().meta({ description: "Epoch milliseconds" });

/** A lease that was just proved alive: no event tells of it, and one that gets lost is followed by another. */
const leaseBeat = z.object({
  taskId: z.string(),
  epoch: z.number().meta({ description: "Of the lease; one of another epoch is not this one" }),
  heartbeatAt: at,
  expiresAt: at,
});

export type LeaseBeat = z.infer<typeof leaseBeat>;

/** What the server says. */
export const liveMessage = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("hello"), seq: z.number().meta({ description: "Where the log stands" }) }),
    z.object({
      type: z.literal("events"),
      seq,
      events: z.array(event),
      ...toldCards.partial().shape,
      ack: z.literal(true).optional().meta({ description: 'Answer {"type":"ack","seq":<seq>} once applied' }),
    }),
    z.object({ type: z.literal("beats"), beats: z.array(leaseBeat) }),
    z.object({
      type: z.literal("resync"),
      seq: z.number().meta({ description: "Read the snapshot anew; the log no longer reaches back to you" }),
    }),
  ])
  .meta({ id: "LiveMessage" });

export type LiveMessage = z.infer<typeof liveMessage>;

/** What a reader says: that it has applied what came up to this seq. Beside it only the text `ping`. */
export const receipt = z.strictObject({ type: z.literal("ack"), seq: z.int().min(0) });

const column = z.object({
  tasks: z.array(taskCard),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable().meta({ description: "For `GET tasks?status=…`" }),
});

export const snapshotAnswer = z
  .object({
    board: boardView,
    counts: statusCounts,
    columns: z.object(
      Object.fromEntries(TASK_STATUSES.map((status) => [status, column])) as Record<
        TaskStatus,
        typeof column
      >,
    ),
    seq: z.number().meta({ description: "What all of this is true at; events go on from here" }),
  })
  .meta({ id: "Snapshot" });

export type Snapshot = z.infer<typeof snapshotAnswer>;
