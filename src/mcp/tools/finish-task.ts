import * as z from "zod";
import type { Masked } from "../../board/masked.ts";
import type { Completion } from "../../board/operations/complete-task.ts";
import { accept, type Result } from "../../contract/result.ts";
import * as routes from "../../contract/routes/claims.ts";
import { count, filledText, longText, money, text } from "../../contract/text.ts";
import { readLease } from "../../http/tokens.ts";
import { badInput } from "../refusal.ts";
import { Room } from "../room.ts";
import type { Session } from "../session.ts";
import * as shapes from "../shapes.ts";
import { tool } from "../tool.ts";
import { briefOf, refOf } from "../wording.ts";

const UNBLOCKED_SHOWN = 20;
const notes = z.array(longText).max(50).optional();

const input = z.strictObject({
  task_id: shapes.taskId,
  lease_token: shapes.leaseToken,
  outcome: z.enum(["done", "in_review", "release", "blocked", "failed"]),
  summary: filledText(20_000).describe("What you did and found; for blocked, what it waits for"),
  done: notes.describe("Handoff to whoever is next: what works"),
  broken: notes,
  next: longText.optional().describe("The next step"),
  warnings: notes,
  commit: text(128).optional(),
  input_tokens: count.optional(),
  output_tokens: count.optional(),
  cost_usd: money.optional(),
});

type Asked = z.output<typeof input>;

const output = z.object({
  task: shapes.brief,
  unblocked: z.array(shapes.ref).optional(),
  unblocked_count: z.number().optional(),
  late: z.boolean().optional(),
  masked: shapes.masked,
  hint: shapes.hint,
});

/** What each outcome is to the board. Release is none: it counts as no attempt. */
const WORD = {
  done: { outcome: "succeeded", status: "done" },
  in_review: { outcome: "succeeded", status: "in_review" },
  blocked: { outcome: "failed", status: "blocked" },
  failed: { outcome: "failed", status: "todo" },
} as const;

export const finishTask = tool({
  name: "finish_task",
  title: "Finish or give back a task",
  description:
    "Ends your work on a task you hold. done; in_review: another agent judges it; release: give it back, counted as no attempt; blocked: a person has to help; failed: another try. done, broken, next and warnings are handed to the next worker.",
  routes: [routes.completeTask, routes.releaseTask],
  reads: false,
  repeats: true,
  input,
  output,

  async run(session, asked) {
    return asked.outcome === "release" ? release(session, asked) : complete(session, asked, asked.outcome);
  },
});

async function complete(
  { env, board, caller }: Session,
  asked: Asked,
  outcome: keyof typeof WORD,
): Promise<Result<z.output<typeof output>>> {
  const { summary } = asked;
  const failed = WORD[outcome].outcome === "failed";
  const completed = await board.completeTask(
    { caller },
    {
      id: asked.task_id,
      lease: await readLease(env, asked.lease_token),
      ...WORD[outcome],
      summary,
      ...(failed ? { error: summary } : {}),
      ...(outcome === "blocked" ? { blockedReason: summary } : {}),
      afterCommit: asked.commit,
      inputTokens: asked.input_tokens,
      outputTokens: asked.output_tokens,
      costUsd: asked.cost_usd,
      handoff: handoffOf(asked) ?? (failed ? { done: [summary] } : undefined),
    },
  );
  return completed.ok ? accept(answer(completed.value)) : completed;
}

function answer({
  task,
  unblocked,
  unblockedCount,
  late,
  masked,
}: Completion & Masked): z.output<typeof output> {
  const room = new Room();
  const brief = briefOf(task);
  room.take(brief);
  const shown = room.takeList(unblocked.slice(0, UNBLOCKED_SHOWN).map(refOf));
  return {
    task: brief,
    ...(shown.length === 0 ? {} : { unblocked: shown }),
    ...(unblockedCount === 0 ? {} : { unblocked_count: unblockedCount }),
    ...(late === true ? { late } : {}),
    ...maskedIn(masked),
    hint: "Call claim_task for the next one.",
  };
}

async function release(
  { env, board, caller }: Session,
  asked: Asked,
): Promise<Result<z.output<typeof output>>> {
  const tooMuch = (["commit", "input_tokens", "output_tokens", "cost_usd"] as const).find(
    (name) => asked[name] !== undefined,
  );
  if (tooMuch !== undefined)
    return badInput(tooMuch, "goes without release: tell usage with heartbeat, a commit in the summary");
  const released = await board.releaseTask(
    { caller },
    {
      id: asked.task_id,
      lease: await readLease(env, asked.lease_token),
      reason: asked.summary,
      handoff: handoffOf(asked) ?? { done: [asked.summary] },
    },
  );
  return released.ok
    ? accept({
        task: briefOf(released.value.task),
        ...maskedIn(released.value.masked),
        hint: "Call claim_task for other work.",
      })
    : released;
}

/** By the names of this tool's own fields; a summary is told to the board under several. */
function maskedIn(paths: readonly string[] = []): { masked?: string[] } {
  const fields = paths.map((path) =>
    path.startsWith("handoff.") ? (path.split(".")[1] ?? path) : "summary",
  );
  return fields.length === 0 ? {} : { masked: [...new Set(fields)] };
}

/** Whoever takes up what was not finished is handed the summary at least; see where it is called. */
function handoffOf({ done, broken, next, warnings }: Asked) {
  const parts = Object.entries({ done, broken, next, warnings }).filter(([, said]) => said !== undefined);
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}
