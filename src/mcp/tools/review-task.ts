import * as z from "zod";
import { accept, type Result } from "../../contract/result.ts";
import * as steering from "../../contract/routes/steering.ts";
import * as routes from "../../contract/routes/tasks.ts";
import type { Task } from "../../contract/task.ts";
import { count, filledText, text } from "../../contract/text.ts";
import { type Judgement, judged, judgementFault } from "../../rules/judgement.ts";
import { afterDoing, badInput } from "../refusal.ts";
import type { Session } from "../session.ts";
import * as shapes from "../shapes.ts";
import { tool } from "../tool.ts";
import { briefOf } from "../wording.ts";

const input = z.strictObject({
  task_id: shapes.taskId,
  epoch: count.describe("The attempt you judged, as get_task shows it"),
  verdict: z.enum(["pass", "debt", "fail"]),
  checks: z
    .array(z.strictObject({ name: text(500), ok: z.boolean() }))
    .max(50)
    .optional()
    .describe("What you ran"),
  notes: filledText(20_000).optional().describe("Needed for debt and fail: what, where, how to mend it"),
});

export const reviewTask = tool({
  name: "review_task",
  title: "Review a task",
  description:
    "Records your verdict on another agent's work. A task in_review then moves: pass and debt to done, fail back to work with your notes. debt: good enough, with something left to do; needs green checks.",
  routes: [routes.setVerification, steering.requestChanges, routes.changeTask],
  reads: false,
  repeats: false,
  input,
  output: z.object({ task: shapes.brief, moved: z.boolean(), masked: shapes.masked, hint: shapes.hint }),

  async run(session, asked) {
    const { task_id: id, epoch } = asked;
    const judgement = { verdict: asked.verdict, checks: asked.checks ?? [], notes: asked.notes ?? null };
    const fault = judgementFault(judgement);
    if (fault !== null) return badInput(fault.field, fault.message);
    const { board, caller } = session;
    const found = await board.getTask({ caller }, { id, include: ["verification"] });
    if (!found.ok) return found;
    const result = judged(found.value.verification ?? null, judgement, Date.now());
    const recorded = await board.setVerification({ caller }, { id, epoch, result, lease: null });
    if (!recorded.ok) return recorded;
    const { task } = recorded.value;
    const masked = maskedIn(recorded.value.masked);
    if (task.status !== "in_review")
      return accept({
        task: briefOf(task),
        moved: false,
        ...masked,
        hint: `The verdict is recorded. The task is ${task.status}, not in_review, so it was not moved.`,
      });
    const moved = await move(session, id, judgement);
    return moved.ok
      ? accept({ task: briefOf(moved.value.task), moved: true, ...masked })
      : afterDoing(["the verdict is recorded"], moved);
  },
});

/** Checks are kept as a command and its output; notes as what has to be mended. */
function maskedIn(paths: readonly string[] = []): { masked?: string[] } {
  const fields = paths.map((path) => (path.includes(".deterministic.") ? "checks" : "notes"));
  return fields.length === 0 ? {} : { masked: [...new Set(fields)] };
}

async function move(
  { board, caller }: Session,
  id: string,
  { verdict, notes }: Judgement,
): Promise<Result<{ task: Task }>> {
  if (verdict === "fail") return board.requestChanges({ caller }, { id, notes: notes ?? "" });
  if (verdict === "pass" && notes !== null) await board.addComment({ caller }, { id, body: notes });
  return board.changeTask(
    { caller },
    {
      id,
      status: "done",
      content: {},
      lease: null,
      humanOverride: false,
      overrideReason: null,
      displace: false,
      ifVersion: null,
      ifChangeSeq: null,
    },
  );
}
