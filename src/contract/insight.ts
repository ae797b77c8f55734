/** Why a task stands where it stands, who has to act, and the graph around it: as the wire shows them. */
import * as z from "zod";
import { REASONS } from "./reasons.ts";
import { attempts, ON_CANCEL, taskRef, taskStatus } from "./task.ts";

const at = z.number().meta({ description: "Epoch milliseconds" });
const seq = z.number().meta({ description: "The log's last seq when this was true" });

/** `clock`: time alone. `nobody`: nothing can be done, or nothing needs to be. */
export const ACTORS = ["agent", "lead", "reviewer", "holder", "nobody", "clock"] as const;

export const mustAct = z
  .object({ who: z.enum(ACTORS), action: z.string().meta({ description: "One sentence, for a person" }) })
  .meta({ id: "MustAct" });

export type MustAct = z.infer<typeof mustAct>;

/** Who holds a task; `no_lease`: somebody moved the card by hand and beats for nothing. */
export const holder = z
  .object({
    agentId: z.string(),
    epoch: z.number(),
    heartbeatAt: at.nullable(),
    expiresAt: at.nullable(),
    state: z.enum(["live", "expired", "no_lease"]),
  })
  .meta({ id: "Holder" });

export type Holder = z.infer<typeof holder>;

const reason = z
  .looseObject({
    code: z.enum(REASONS).meta({ description: "What a claim by this caller is refused with" }),
    detail: z.string(),
    mustAct,
    taskStatus: taskStatus.optional(),
    holder: holder.nullable().optional(),
    blockedReason: z.string().nullable().optional(),
    timesBlocked: z.number().optional().meta({ description: "For this reason, as far as the log reaches" }),
    attempts: attempts.optional().meta({ description: "With a task that is blocked" }),
    openDependencies: z.number().optional(),
    notBefore: at.nullable().optional(),
    retryAfterMs: z.number().optional(),
    missing: z.array(z.string()).optional().meta({ description: "Capabilities the caller lacks" }),
    assigneeRuntime: z.string().nullable().optional(),
    ancestors: z.number().optional(),
    maxDepth: z.number().optional(),
  })
  .meta({ id: "ClaimObstacle" });

/** Where a task that is waited for stands, as far as it can move by itself or by somebody's hand. */
export const CHAIN_STATES = [
  "ready",
  "deferred",
  "running",
  "expired",
  "no_lease",
  "in_review",
  "blocked",
  "backlog",
  "unreachable",
] as const;

const chainLink = taskRef
  .extend({
    state: z.enum(CHAIN_STATES).meta({
      description: "`unreachable`: cancelled or dropped, so that what waits for it waits for ever",
    }),
    dropped: z.boolean(),
    mustAct,
    holder: holder.optional(),
    blockedReason: z.string().nullable().optional(),
    notBefore: at.nullable().optional(),
  })
  .meta({ id: "ChainLink" });

export type ChainLink = z.infer<typeof chainLink>;

export const NOTE_KINDS = ["family", "cycle", "recurring_block"] as const;

const note = z
  .object({
    kind: z.enum(NOTE_KINDS).meta({
      description:
        "`family`: a wait between a task and its ancestor or descendant; `cycle`: damaged edges; `recurring_block`: blocked again and again for one reason",
    }),
    detail: z.string(),
    task: taskRef.optional(),
  })
  .meta({ id: "ExplanationNote" });

export type ExplanationNote = z.infer<typeof note>;

export const explanationAnswer = z
  .object({
    task: taskRef.extend({ taskStatus, dropped: z.boolean() }),
    ready: z.boolean(),
    claimable: z.boolean().meta({ description: "By the caller, now" }),
    reasons: z
      .array(reason)
      .meta({ description: "All that stands in the way; a claim is refused with the first" }),
    blockers: z.array(taskRef.extend({ onCancel: z.enum(ON_CANCEL) })).meta({ description: "Open ones" }),
    chain: z
      .array(chainLink)
      .meta({ description: "Of all it waits for, directly or not: what has to move now" }),
    notes: z.array(note),
    truncated: z.boolean().meta({ description: "There are more blockers, or more of the chain" }),
  })
  .meta({ id: "Explanation" });

export type Explanation = z.infer<typeof explanationAnswer>;

/** Why a task needs a person, in the order they are listed. */
export const STUCK_REASONS = [
  "no_lease",
  "unreachable",
  "attempt_limit",
  "no_reviewer",
  "overrun",
  "unclaimable",
] as const;

export type StuckReason = (typeof STUCK_REASONS)[number];

const sinceRef = taskRef.extend({
  since: at.meta({ description: "When it came to this, or when the task last moved" }),
});

const stuckTask = z
  .object({
    reason: z.enum(STUCK_REASONS),
    task: sinceRef,
    mustAct,
    blocker: taskRef
      .extend({ dropped: z.boolean() })
      .optional()
      .meta({ description: "With `unreachable`: what cannot finish" }),
    path: z.array(taskRef).optional().meta({
      description: "With `unreachable`: from the task's own blocker to that one, shortened in the middle",
    }),
    pathLength: z.number().optional(),
    holder: holder.optional().meta({ description: "With `no_lease` and `overrun`" }),
    attempts: attempts.optional().meta({ description: "With `attempt_limit`" }),
    builtBy: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "With `no_reviewer`: whose work it is, and who may not judge it" }),
    maxRunMs: z.number().optional(),
    runningMs: z.number().optional(),
    progress: z.string().nullable().optional().meta({ description: "With `overrun`: what it said last" }),
    requiredCapabilities: z.array(z.string()).optional(),
    missing: z.array(z.string()).optional().meta({
      description: "With `unclaimable`: those no token has; empty where no token has them together",
    }),
  })
  .meta({ id: "StuckTask" });

export type StuckTask = z.infer<typeof stuckTask>;

export const stuckAnswer = z.object({
  stuck: z.array(stuckTask),
  counts: z.object(
    Object.fromEntries(STUCK_REASONS.map((name) => [name, z.number()])) as Record<StuckReason, z.ZodNumber>,
  ),
  atLeast: z
    .array(z.enum(STUCK_REASONS))
    .meta({ description: "Reasons with more tasks than were counted; act on those, and the rest is seen" }),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
  seq,
});

export type StuckPage = z.infer<typeof stuckAnswer>;

const graphNode = z
  .object({
    id: z.string(),
    number: z.number(),
    title: z.string(),
    status: taskStatus,
    ready: z.boolean(),
    priority: z.number(),
    parentTaskId: z.string().nullable(),
    dropped: z.boolean(),
    holder: holder.optional(),
  })
  .meta({ id: "GraphNode" });

const graphEdge = z
  .object({
    from: z.string().meta({ description: "What is waited for" }),
    to: z.string().meta({ description: "What waits" }),
    onCancel: z.enum(ON_CANCEL),
    satisfied: z.boolean(),
  })
  .meta({ id: "GraphEdge" });

export const graphAnswer = z.object({
  nodes: z.array(graphNode),
  edges: z.array(graphEdge).meta({ description: "Those between these nodes" }),
  truncated: z.boolean().meta({ description: "There are more nodes, or more edges" }),
  seq,
});

export type Graph = z.infer<typeof graphAnswer>;
