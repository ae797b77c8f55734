import * as z from "zod";
import { TEXT_MAX } from "../../contract/limits.ts";
import { accept } from "../../contract/result.ts";
import * as routes from "../../contract/routes/tasks.ts";
import { filledText } from "../../contract/text.ts";
import { keyedCall } from "../keyed-call.ts";
import * as shapes from "../shapes.ts";
import { tool } from "../tool.ts";

export const addComment = tool({
  name: "add_comment",
  title: "Comment on a task",
  description:
    "Say something on a task, for people and agents; its holder is told with the next heartbeat. What the next worker needs belongs into finish_task.",
  routes: [routes.addComment],
  reads: false,
  repeats: false,
  input: z.strictObject({
    task_id: shapes.taskId,
    body: filledText(TEXT_MAX),
    client_key: shapes.clientKey.optional(),
  }),
  output: z.object({ comment_id: z.number(), hint: shapes.hint }),

  async run(session, input) {
    const call = await keyedCall(session, "add_comment", input);
    const added = await session.board.addComment(call, { id: input.task_id, body: input.body });
    return added.ok ? accept({ comment_id: added.value.comment.id }) : added;
  },
});
