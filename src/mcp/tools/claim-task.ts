import * as z from "zod";
import type { Claims } from "../../board/operations/claim-next.ts";
import type { Grant } from "../../board/operations/grant.ts";
import { accept } from "../../contract/result.ts";
import * as routes from "../../contract/routes/claims.ts";
import { agentId, labels } from "../../contract/text.ts";
import { withLeaseToken } from "../../http/tokens.ts";
import { keyedCall } from "../keyed-call.ts";
import { badInput } from "../refusal.ts";
import { Room } from "../room.ts";
import type { Session } from "../session.ts";
import * as shapes from "../shapes.ts";
import { tool } from "../tool.ts";
import { briefOf, clean, handoffText, nameOf, seconds } from "../wording.ts";

/** Shares of the room, so that a long description leaves some to what others left behind. */
const DESCRIPTION_MOST = 8_000;
const HANDOFF_MOST = 4_500;
const SUMMARY_MOST = 800;

const input = z.strictObject({
  task_id: shapes.taskId.optional().describe("Leave out for the best ready task"),
  labels: labels.optional().describe("Only a task having all of these"),
  parent_id: shapes.taskId.optional().describe("Only a subtask of this"),
  assign_to: agentId.optional().describe("A lead only: claim task_id for that agent"),
  client_key: shapes.clientKey.optional(),
});

const output = z.object({
  claimed: z.boolean(),
  task: shapes.brief.extend({ description: z.string(), epoch: z.number() }).optional(),
  lease_token: z.string().optional(),
  heartbeat_every_s: z.number().optional(),
  handoff: z.string().optional(),
  blockers: z.array(z.object({ id: z.string(), title: z.string(), summary: z.string() })).optional(),
  truncated: z.array(z.string()).optional(),
  retry_after_s: z.number().optional(),
  hint: shapes.hint,
});

export const claimTask = tool({
  name: "claim_task",
  title: "Claim a task",
  description:
    "Take a task to work on: with no task_id the best ready one that you may have. You hold it by its lease_token, which ends unless you call heartbeat every heartbeat_every_s seconds. A conflict is final. handoff is what the last worker left, blockers what the tasks before it came to.",
  routes: [routes.claimTask, routes.claimNext],
  reads: false,
  repeats: false,
  input,
  output,

  async run(session, asked) {
    const { board } = session;
    const { task_id: id, assign_to: assigneeAgentId } = asked;
    if (id !== undefined && (asked.labels ?? asked.parent_id) !== undefined)
      return badInput("task_id", "goes without labels and parent_id");
    if (id === undefined && assigneeAgentId !== undefined) return badInput("assign_to", "needs task_id");
    const call = await keyedCall(session, "claim_task", asked);
    if (id !== undefined) {
      const claimed = await board.claimTask(call, { id, ...(assigneeAgentId && { assigneeAgentId }) });
      return claimed.ok ? accept(await granted(session, claimed.value)) : claimed;
    }
    const claimed = await board.claimNext(call, {
      limit: 1,
      labels: asked.labels,
      parentTaskId: asked.parent_id,
    });
    if (!claimed.ok) return claimed;
    const [grant] = claimed.value.claims;
    return accept(grant === undefined ? nothing(claimed.value) : await granted(session, grant));
  },
});

async function granted({ env }: Session, grant: Grant): Promise<z.output<typeof output>> {
  const { task, lease, handoff, blockers = [] } = await withLeaseToken(env, grant);
  const room = new Room();
  const base = { ...briefOf(task), epoch: task.epoch };
  room.take([base, lease.token]);
  const said = clean(task.description);
  const description = room.takeText(said, DESCRIPTION_MOST);
  const left = handoff === undefined ? "" : handoffText(handoff);
  const handed = room.takeText(left, HANDOFF_MOST);
  const summaries = blockers.map((blocker) => {
    const summary = clean(blocker.summary ?? "");
    const short = new Room().takeText(summary, SUMMARY_MOST);
    return { id: nameOf(blocker), title: clean(blocker.title), summary: short, cut: short !== summary };
  });
  const shown = room.takeList(summaries);
  const truncated = [
    ...(description === said ? [] : ["description"]),
    ...(handed === left ? [] : ["handoff"]),
    ...(shown.length === summaries.length && !shown.some(({ cut }) => cut) ? [] : ["blockers"]),
  ];
  return {
    claimed: true,
    task: { ...base, description },
    lease_token: lease.token,
    heartbeat_every_s: seconds(lease.beatEveryMs),
    ...(left === "" ? {} : { handoff: handed }),
    ...(shown.length === 0 ? {} : { blockers: shown.map(({ cut: _cut, ...blocker }) => blocker) }),
    ...(truncated.length === 0 ? {} : { truncated }),
    hint: hintFor(truncated),
  };
}

function hintFor(truncated: string[]): string {
  const where: Record<string, string> = {
    description: "get_task has the whole description",
    handoff: "get_task with include runs has the whole handoff",
    blockers: "get_task with include deps names all blockers, and include runs of each has its summary",
  };
  const cut = truncated.map((part) => where[part]);
  return `${cut.length === 0 ? "" : `Cut here: ${cut.join("; ")}. `}Keep the lease_token: heartbeat and finish_task need it.`;
}

function nothing({ retryAfterMs = 1_000, paused, budgetExhausted, scanLimit }: Claims) {
  const wait = Math.ceil(seconds(retryAfterMs));
  const why =
    paused === true
      ? "The board is paused."
      : budgetExhausted === true
        ? "The board's budget is spent; a lead has to raise it."
        : scanLimit === true
          ? "Among the first ready tasks none is like that."
          : "Nothing is ready for you.";
  return {
    claimed: false,
    retry_after_s: wait,
    hint: `${why} Ask again in ${wait} s or later, and less often the longer it lasts.`,
  };
}
