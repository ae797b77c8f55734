import * as z from "zod";
import * as answers from "../answers.ts";
import { EVENT_KINDS } from "../events.ts";
import { WAIT_MAX_MS } from "../limits.ts";
import { route } from "../route.ts";
import { cursorQuery, limitQuery, queryFlag, queryInt, repeatable } from "../text.ts";

export const listEvents = route({
  id: "listEvents",
  method: "GET",
  path: "/boards/:board/events",
  tag: "Log",
  summary: "The change log, waiting for what comes next if asked",
  role: "viewer",
  query: z.strictObject({
    after: queryInt(0, 1e15).optional().meta({ description: "Events with a higher seq" }),
    order: z.enum(["asc", "desc"]).optional(),
    cursor: cursorQuery.meta({ description: "Where the last page ended; in place of `after`" }),
    taskId: z.string().max(64).optional(),
    actor: z.string().max(500).optional(),
    kind: repeatable(z.enum(EVENT_KINDS)).optional(),
    cards: queryFlag.optional().meta({ description: "With the cards that changed, and the counts" }),
    limit: limitQuery,
    waitMs: queryInt(0, WAIT_MAX_MS).optional(),
  }),
  answers: { 200: answers.eventsAnswer },
  refuses: ["resync", "task_not_found"],
});

export const listAudit = route({
  id: "listAudit",
  method: "GET",
  path: "/boards/:board/audit",
  tag: "Log",
  summary: "Who used a privilege, newest first",
  role: "viewer",
  query: z.strictObject({
    actor: z.string().max(500).optional(),
    kind: z.string().max(100).optional(),
    limit: limitQuery,
    cursor: cursorQuery,
  }),
  answers: { 200: answers.auditAnswer },
  refuses: [],
});

export const exportAudit = route({
  id: "exportAudit",
  method: "GET",
  path: "/boards/:board/audit/export",
  tag: "Log",
  summary: "All of the audit as NDJSON, oldest first",
  role: "viewer",
  answers: { 200: null },
  textAnswer: {
    type: "application/x-ndjson",
    description: "A line for each entry, then an end that counts them",
  },
  refuses: [],
});

export const listDirectoryAudit = route({
  id: "listDirectoryAudit",
  method: "GET",
  path: "/audit",
  tag: "Boards",
  summary: "Who made and deleted boards and who made sign-in links, newest first",
  role: "operator",
  query: z.strictObject({ limit: limitQuery, cursor: cursorQuery }),
  answers: { 200: answers.directoryAuditAnswer },
  refuses: [],
});
