import * as z from "zod";
import { TEXT_MAX, TOOL_EDGES_MAX } from "../../contract/limits.ts";
import { accept, type Refusal } from "../../contract/result.ts";
import * as dependencyRoutes from "../../contract/routes/dependencies.ts";
import * as routes from "../../contract/routes/tasks.ts";
import { count, labels, longText, priority, text, title } from "../../contract/text.ts";
import { readLease } from "../../http/tokens.ts";
import { afterDoing, badInput } from "../refusal.ts";
import type { Session } from "../session.ts";
import * as shapes from "../shapes.ts";
import { tool } from "../tool.ts";
import { briefOf } from "../wording.ts";

const edges = z.array(shapes.taskId).max(TOOL_EDGES_MAX).optional();

const input = z.strictObject({
  task_id: shapes.taskId,
  lease_token: shapes.leaseToken.optional().describe("Needed while you hold it"),
  expected_rev: count.optional().describe("Refuse when its rev is another"),
  title: title.optional(),
  description: longText.optional(),
  priority: priority.optional(),
  labels: labels.optional(),
  status: shapes.status.optional(),
  blocked_reason: text(TEXT_MAX).optional(),
  displace: z.boolean().optional().describe("A lead only: end its holder's lease"),
  add_depends_on: edges.describe("It then waits for these"),
  remove_depends_on: edges,
});

export const updateTask = tool({
  name: "update_task",
  title: "Change a task",
  description:
    "Edits a task, moves it by hand, or changes what it waits for. Workers change tasks they hold (with lease_token) or created. Into in_progress leads claim_task; out of it finish_task, which records your work.",
  routes: [routes.changeTask, dependencyRoutes.linkDependency, dependencyRoutes.unlinkDependency],
  reads: false,
  repeats: true,
  input,
  output: z.object({ task: shapes.brief, hint: shapes.hint }),

  async run(session, asked) {
    const { task_id: id, add_depends_on: add = [], remove_depends_on: remove = [] } = asked;
    const both = add.find((one) => remove.includes(one));
    if (both !== undefined) return badInput("remove_depends_on", `${both} is to be added, too`);
    const done: string[] = [];
    // Edges first: what a task waits for decides where it may be moved.
    const refusal = await relink(session, id, { add, remove }, done);
    if (refusal !== null) return afterDoing(done, refusal);
    const changed = await change(session, asked);
    return changed.ok ? accept({ task: briefOf(changed.value.task) }) : afterDoing(done, changed);
  },
});

async function relink(
  { board, caller }: Session,
  id: string,
  { add, remove }: { add: string[]; remove: string[] },
  done: string[],
): Promise<Refusal | null> {
  for (const dependsOnTaskId of remove) {
    const unlinked = await board.unlinkDependency({ caller }, { id, dependsOnTaskId });
    if (!unlinked.ok) return unlinked;
    done.push(`no longer waits for ${dependsOnTaskId}`);
  }
  for (const dependsOnTaskId of add) {
    const linked = await board.linkDependency({ caller }, { id, dependsOnTaskId, onCancel: "hold" });
    if (!linked.ok) return linked;
    done.push(`waits for ${dependsOnTaskId}`);
  }
  return null;
}

async function change({ env, board, caller }: Session, asked: z.output<typeof input>) {
  const { title, description, priority, labels, blocked_reason: blockedReason } = asked;
  const fields = { title, description, priority, labels, blockedReason };
  return board.changeTask(
    { caller },
    {
      id: asked.task_id,
      status: asked.status,
      // What was not said is not to be changed, and is no field.
      content: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      lease: await readLease(env, asked.lease_token),
      humanOverride: false,
      overrideReason: null,
      displace: asked.displace ?? false,
      ifVersion: asked.expected_rev ?? null,
      ifChangeSeq: null,
    },
  );
}
