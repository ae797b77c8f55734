/** What the server answers. */
import * as z from "zod";
import { TASK_STATUSES } from "../rules/status.ts";
import { auditEntry, event } from "./events.ts";
import { LEASE_LOST_REASONS, REASONS } from "./reasons.ts";
import { IMPORT_FORMATS } from "./requests/imports.ts";
import { TOKEN_ROLES } from "./roles.ts";
import { settings } from "./settings.ts";
import {
  attempts,
  blockerSummary,
  comment,
  dependency,
  execution,
  handoff,
  lease,
  task,
  taskCard,
  taskRef,
  workspace,
} from "./task.ts";
import { verification } from "./verification.ts";

const at = z.number().meta({ description: "Epoch milliseconds" });
const seq = z.number().meta({ description: "The log's last seq when this was true" });

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().meta({ description: "The HTTP status" }),
    code: z.enum(REASONS),
    detail: z.string(),
    retryable: z.boolean().meta({ description: "The same request may be sent again" }),
    requestId: z.string(),
    hint: z.string().optional().meta({ description: "The next call to make" }),
    reason: z.enum(LEASE_LOST_REASONS).optional().meta({ description: "With `lease_lost`" }),
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .loose()
  .meta({ id: "Problem" });

export const statusCounts = z.object(
  Object.fromEntries(TASK_STATUSES.map((status) => [status, z.number()])) as Record<
    (typeof TASK_STATUSES)[number],
    z.ZodNumber
  >,
);

export const boardView = z
  .object({
    id: z.string(),
    name: z.string(),
    paused: z.boolean(),
    archived: z.boolean(),
    settings,
    createdAt: at,
    updatedAt: at,
  })
  .meta({ id: "Board" });

export const createdBoardAnswer = z.object({ board: boardView, token: z.string() });
export const boardsAnswer = z.object({
  boards: z.array(z.object({ id: z.string(), name: z.string(), archived: z.boolean(), createdAt: at })),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
});
export const boardSummaryAnswer = z.object({ board: boardView, counts: statusCounts, seq });
export const boardAnswer = z.object({ board: boardView });

export const tokenInfo = z
  .object({
    id: z.string(),
    agentId: z.string(),
    role: z.enum(TOKEN_ROLES),
    runtime: z.string().nullable(),
    capabilities: z.array(z.string()),
    createdBy: z.string(),
    createdAt: at,
    expiresAt: at.nullable(),
    lastUsedAt: at.nullable(),
    revokedAt: at.nullable(),
  })
  .meta({ id: "TokenInfo" });

export const mintedTokenAnswer = z.object({ token: z.string(), info: tokenInfo });
export const tokensAnswer = z.object({
  tokens: z.array(tokenInfo),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
});
export const meAnswer = z.object({
  agentId: z.string(),
  role: z.string(),
  board: z.string().nullable(),
  runtime: z.string().nullable(),
  capabilities: z.array(z.string()),
  expiresAt: at.nullable(),
  signOutUrl: z.string().optional().meta({ description: "Where a browser is signed out of Access" }),
});

export type Me = z.infer<typeof meAnswer>;

export const sessionLinkAnswer = z.object({
  url: z.string().meta({ description: "The code is in its fragment, which browsers do not send" }),
  code: z.string(),
  expiresAt: at,
});

export const taskAnswer = z.object({ task });
const paged = { hasMore: z.boolean(), nextCursor: z.string().nullable(), seq };
export const tasksAnswer = z.object({ tasks: z.array(task), ...paged });
const ancestor = taskRef.extend({ parentTaskId: z.string().nullable() });
export const taskDetailAnswer = z.object({
  task,
  attempts,
  comments: z.array(comment).optional(),
  executions: z.array(execution).optional(),
  ancestors: z.array(ancestor).optional(),
  dependencies: z.array(dependency).optional(),
  dependents: z.array(taskRef).optional(),
  workspace: workspace.nullable().optional(),
  verification: verification.nullable().optional(),
  truncated: z.array(z.string()).optional(),
});
export const planAnswer = z.object({
  tasks: z.array(z.object({ ref: z.string(), id: z.string().optional(), number: z.number().optional() })),
  edges: z.number(),
});
export const claimAnswer = z
  .object({
    task,
    lease,
    handoff: handoff.optional(),
    blockers: z.array(blockerSummary).optional(),
  })
  .meta({ id: "Claim" });
export const claimsAnswer = z.object({
  claims: z.array(claimAnswer),
  retryAfterMs: z.number().optional(),
  paused: z.boolean().optional(),
  budgetExhausted: z.boolean().optional(),
  scanLimit: z.boolean().optional(),
});

const beat = z.object({
  lease: z.object({ expiresAt: at, ttlMs: z.number(), beatEveryMs: z.number() }),
  directives: z.array(
    z.object({ kind: z.enum(["cancel", "drain", "budget_stop"]), reason: z.string().nullable() }),
  ),
  newComments: z.number(),
});
export const heartbeatAnswer = beat.meta({ id: "Beat" });
export const heartbeatsAnswer = z.object({
  results: z.array(
    z.union([
      beat.extend({ taskId: z.string(), ok: z.literal(true) }),
      z.looseObject({ taskId: z.string(), ok: z.literal(false), code: z.enum(REASONS), detail: z.string() }),
    ]),
  ),
});
const masked = z
  .array(z.string())
  .optional()
  .meta({ description: "Where in the request a secret was found, and masked" });
export const completionAnswer = z.object({
  task,
  execution,
  unblocked: z.array(taskRef),
  unblockedCount: z.number(),
  late: z.boolean().optional(),
  masked,
});
export const dependentsAnswer = z.object({ tasks: z.array(task), hasMore: z.boolean() });
export const ancestorsAnswer = z.object({ ancestors: z.array(ancestor) });
export const cancelledAnswer = z.object({ cancelled: z.array(taskRef) });
export const commentAnswer = z.object({ comment });
export const commentsAnswer = z.object({ comments: z.array(comment), ...paged });
export const executionAnswer = z.object({ task, execution, masked });
/** Of a call that keeps what commands printed. */
export const keptTaskAnswer = taskAnswer.extend({ masked });
export const workspaceAnswer = z.object({ workspace });
export const placedWorkspaceAnswer = z.object({ workspace, task });
export const anyWorkspaceAnswer = z.object({ workspace: workspace.nullable() });
export const reconciledAnswer = z.object({ closed: z.number(), hasMore: z.boolean() });
export const executionsAnswer = z.object({ executions: z.array(execution), ...paged });
export const verificationAnswer = z.object({ verification: verification.nullable(), epoch: z.number() });
/** What comes beside events with `cards=true`. */
export const toldCards = z.object({
  cards: z
    .array(taskCard)
    .meta({ description: "What stands of the tasks told of, and of those that wait for one that ended" }),
  counts: statusCounts,
  asOf: z
    .number()
    .meta({ description: "The seq that cards and counts are true at; an older card gives way" }),
  cardsCut: z
    .literal(true)
    .optional()
    .meta({ description: "More changed than is told here: read the snapshot anew" }),
});
export type ToldCards = z.infer<typeof toldCards>;
export const eventsAnswer = z.object({ events: z.array(event), ...toldCards.partial().shape, ...paged });
export const auditAnswer = z.object({
  entries: z.array(auditEntry),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
});
export const directoryAuditAnswer = z.object({
  entries: z.array(
    z.object({
      id: z.number(),
      at,
      actorId: z.string(),
      kind: z.string(),
      board: z.string().nullable(),
    }),
  ),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
});
export const importAnswer = z.object({
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  staleSkipped: z.number(),
  edges: z.number(),
  comments: z.number(),
  executions: z.number().optional().meta({ description: "Runs of an Edgeboard export" }),
  workspaces: z.number().optional(),
  skipped: z.array(z.object({ ref: z.string(), reason: z.string() })),
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
  masked: z
    .array(z.string())
    .optional()
    .meta({ description: "Where runs and verdicts held a secret, by the id of the run or the task" }),
});
export const begunImportAnswer = z.object({
  id: z.string(),
  format: z.enum(IMPORT_FORMATS),
  reset: z.boolean(),
  expiresAt: at,
});
export const importPartAnswer = z.object({
  n: z.number(),
  bytes: z.number(),
  parts: z.number().meta({ description: "How many have arrived" }),
  totalBytes: z.number(),
});
