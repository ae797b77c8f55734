import * as z from "zod";
import { EVENT_KINDS } from "../events.ts";
import { SNAPSHOT_CARDS, SNAPSHOT_CARDS_MAX } from "../limits.ts";
import { snapshotAnswer } from "../live.ts";
import { route } from "../route.ts";
import { queryFlag, queryInt, repeatable, taskId } from "../text.ts";

export const getSnapshot = route({
  id: "getSnapshot",
  method: "GET",
  path: "/boards/:board/snapshot",
  tag: "Live",
  summary:
    "The board as it stands: the first cards of each column, true counts, and the seq they are true at",
  role: "viewer",
  query: z.strictObject({
    limit: queryInt(1, SNAPSHOT_CARDS_MAX)
      .optional()
      .meta({ description: `Cards of each column; ${SNAPSHOT_CARDS} where it is not given` }),
  }),
  answers: { 200: snapshotAnswer },
  refuses: [],
});

export const openLive = route({
  id: "openLive",
  method: "GET",
  path: "/boards/:board/live",
  tag: "Live",
  summary: "A WebSocket that tells each change, from a seq on; docs/live.md says how",
  role: "viewer",
  query: z.strictObject({
    after: queryInt(0, 1e15)
      .optional()
      .meta({ description: "Events with a higher seq; from now on without it" }),
    taskId: taskId.optional(),
    kind: repeatable(z.enum(EVENT_KINDS)).optional(),
    cards: queryFlag.optional().meta({ description: "With the cards that changed, the counts, and beats" }),
  }),
  answers: { 101: null },
  refuses: ["upgrade_required", "task_not_found", "board_overloaded"],
});
