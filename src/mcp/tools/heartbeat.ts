import * as z from "zod";
import type { Beat } from "../../board/operations/heartbeat.ts";
import { accept } from "../../contract/result.ts";
import * as routes from "../../contract/routes/claims.ts";
import { count, money, text } from "../../contract/text.ts";
import { readLease } from "../../http/tokens.ts";
import * as shapes from "../shapes.ts";
import { tool } from "../tool.ts";
import { clean, moment, seconds } from "../wording.ts";

const REASON_SHOWN = 500;

export const heartbeat = tool({
  name: "heartbeat",
  title: "Prove that you still work",
  description:
    "Keeps the lease of a task you hold; call it every heartbeat_every_s seconds. Do what directives say: cancel and budget_stop: stop and finish_task with release; drain: finish this one, claim nothing new.",
  routes: [routes.heartbeat],
  reads: false,
  repeats: false,
  input: z.strictObject({
    task_id: shapes.taskId,
    lease_token: shapes.leaseToken,
    note: text(2_000).optional().describe("What you are doing, in one line"),
    input_tokens: count.optional().describe("Since your last heartbeat, as are the next two"),
    output_tokens: count.optional(),
    cost_usd: money.optional(),
  }),
  output: z.object({
    ok: z.boolean(),
    lease_expires_at: z.string(),
    heartbeat_every_s: z.number(),
    directives: z.array(z.object({ kind: z.string(), reason: z.string() })),
    new_comments: z.number(),
    hint: shapes.hint,
  }),

  async run({ env, board, caller }, input) {
    const { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd } = input;
    const used = inputTokens !== undefined || outputTokens !== undefined || costUsd !== undefined;
    const beaten = await board.heartbeat(
      { caller },
      {
        id: input.task_id,
        lease: await readLease(env, input.lease_token),
        progress: input.note,
        usage: used ? { inputTokens, outputTokens, costUsd } : undefined,
      },
    );
    if (!beaten.ok) return beaten;
    const { lease, directives, newComments } = beaten.value;
    return accept({
      ok: true,
      lease_expires_at: moment(lease.expiresAt),
      heartbeat_every_s: seconds(lease.beatEveryMs),
      directives: directives.map(({ kind, reason }) => ({
        kind,
        reason: clean(reason ?? "").slice(0, REASON_SHOWN),
      })),
      new_comments: newComments,
      ...hintFor(beaten.value),
    });
  },
});

function hintFor({ directives, newComments }: Beat) {
  const kinds = new Set(directives.map(({ kind }) => kind));
  if (kinds.has("cancel") || kinds.has("budget_stop"))
    return { hint: "You are asked to stop. Call finish_task with outcome release and say how far you got." };
  if (kinds.has("drain")) return { hint: "Finish this task, then claim nothing new." };
  return newComments > 0 ? { hint: "Somebody wrote: call get_task with include comments." } : {};
}
