/** Numbers over a board's runs: what was finished, how long it took, what it cost, and by whom. */
import * as z from "zod";
import { statusCounts } from "./answers.ts";
import { STATS_GROUPS_MAX } from "./limits.ts";
import { type ExecutionStatus, STOP_MODES, taskRef } from "./task.ts";

const at = z.number().meta({ description: "Epoch milliseconds" });

/** Every status a run can end with. */
export const outcomes = z
  .object({
    succeeded: z.number(),
    failed: z.number(),
    timed_out: z.number(),
    cancelled: z.number(),
    released: z.number(),
  } satisfies Record<Exclude<ExecutionStatus, "running">, z.ZodNumber>)
  .meta({ id: "Outcomes", description: "Ended runs by how they ended" });

export type Outcomes = z.infer<typeof outcomes>;

const average = z
  .object({
    averageMs: z.number().nullable().meta({ description: "Milliseconds; null where nothing was counted" }),
    count: z.number(),
  })
  .meta({ id: "Average" });

const usage = {
  costUsd: z.number().meta({ description: "Dollars, exact to a millionth" }),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
};

export const spent = z
  .object(usage)
  .meta({ id: "Spent", description: "Ever used on this board, running runs included" });

export type Spent = z.infer<typeof spent>;

export const runNumbers = z
  .object({
    outcomes,
    retries: z.number().meta({ description: "Runs that failed or timed out" }),
    cycle: average.meta({ description: "From the start of a run to its success" }),
    wait: average.meta({ description: "From when a task was ready to when it was claimed" }),
    ...usage,
  })
  .meta({ id: "RunNumbers", description: "Counted when a run ends, in the day it ends" });

export type RunNumbers = z.infer<typeof runNumbers>;

const most = `Those with the most runs first, at most ${STATS_GROUPS_MAX}`;

export const statsAnswer = z
  .object({
    days: z.number(),
    since: at.meta({ description: "Where the first of these days began, UTC" }),
    counts: statusCounts,
    spent,
    total: runNumbers,
    throughput: z
      .array(runNumbers.extend({ day: at.meta({ description: "Where the day began, UTC" }) }))
      .meta({ description: "Days on which a run ended, newest first" }),
    byAgent: z.array(runNumbers.extend({ agentId: z.string() })).meta({ description: most }),
    byRuntime: z
      .array(runNumbers.extend({ runtime: z.string().nullable() }))
      .meta({ description: `${most}; null where none was named` }),
    truncated: z.boolean().optional().meta({ description: "Too much to add up: ask for fewer days" }),
    seq: z.number().meta({ description: "The log's last seq when this was true" }),
  })
  .meta({ id: "Stats" });

export type Stats = z.infer<typeof statsAnswer>;

export const agent = z
  .object({
    agentId: z.string(),
    roles: z.array(z.string()).meta({ description: "Of its tokens that stand" }),
    lastSeenAt: at.nullable().meta({ description: "Its last beat or call, to within five minutes" }),
    held: z.number(),
    tasks: z
      .array(
        taskRef.extend({
          expiresAt: at.nullable().meta({ description: "Null: held without a lease" }),
          stop: z.enum(STOP_MODES).nullable().meta({ description: "What its holder was asked last" }),
        }),
      )
      .meta({ description: "What it holds; fewer than `held` on a page of very many" }),
    outcomes,
    daily: z
      .array(z.object({ day: at, succeeded: z.number(), ended: z.number(), costUsd: z.number() }))
      .meta({ description: "The same by day (UTC), on which a run ended, newest first" }),
    successRate: z
      .number()
      .nullable()
      .meta({ description: "Successes among the runs that ended by themselves; null where none did" }),
    costUsd: z.number().meta({ description: "Of the runs that ended in these days and of those that run" }),
  })
  .meta({ id: "Agent" });

export type Agent = z.infer<typeof agent>;

export const agentsAnswer = z.object({
  agents: z.array(agent),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
  seq: z.number().meta({ description: "The log's last seq when this was true" }),
});
