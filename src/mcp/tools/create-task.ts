import * as z from "zod";
import { INCLUDED_MAX } from "../../contract/limits.ts";
import { accept } from "../../contract/result.ts";
import * as routes from "../../contract/routes/tasks.ts";
import { labels, longText, priority, title } from "../../contract/text.ts";
import { keyedCall } from "../keyed-call.ts";
import * as shapes from "../shapes.ts";
import { tool } from "../tool.ts";
import { briefOf } from "../wording.ts";

export const createTask = tool({
  name: "create_task",
  title: "Create a task",
  description:
    "Adds a task, or with parent_id a subtask. Agents may add only so many tasks in a while, subtasks of one task and levels of them. Creating is not claiming: anyone may claim it.",
  routes: [routes.createTask],
  reads: false,
  repeats: false,
  input: z.strictObject({
    title,
    description: longText.optional().describe("All that whoever claims it has to know"),
    status: z.enum(["backlog", "todo", "blocked"]).optional().describe("Default todo"),
    priority: priority.optional().describe("Higher is more urgent; default 0"),
    labels: labels.optional(),
    required_capabilities: labels.optional(),
    parent_id: shapes.taskId.optional(),
    depends_on: z
      .array(shapes.taskId)
      .max(INCLUDED_MAX)
      .optional()
      .describe("Not ready until these are done"),
    client_key: shapes.clientKey.optional(),
  }),
  output: z.object({ task: shapes.brief, created: z.boolean(), hint: shapes.hint }),

  async run(session, input) {
    const {
      parent_id: parentTaskId,
      depends_on: dependsOn,
      required_capabilities: requiredCapabilities,
      client_key: _key,
      ...fields
    } = input;
    const made = await session.board.createTask(await keyedCall(session, "create_task", input), {
      draft: { ...fields, requiredCapabilities },
      parentTaskId,
      dependsOn,
    });
    if (!made.ok) return made;
    const created = made.replayed !== true;
    return accept({
      task: briefOf(made.value.task),
      created,
      ...(created ? {} : { hint: "This client_key has made this task before." }),
    });
  },
});
