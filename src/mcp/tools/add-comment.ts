import * as z from "zod";
import { TEXT_MAX } from "../../contract/limits.ts";
import { accept } from "../../contract/result.ts";
import * as routes from "../../contract/routes/tasks.ts";
import { filledText } from "../../contract/text.ts";
import { operationKey } from "../../http/operation-key.ts";
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

  async run({ board, caller }, input) {
    const { task_id: id, body, client_key: clientKey } = input;
    const call =
      clientKey === undefined
        ? { caller }
        : { caller, key: await operationKey("add_comment", clientKey, JSON.stringify(input)) };
    const added = await board.addComment(call, { id, body });
    return added.ok ? accept({ comment_id: added.value.comment.id }) : added;
  },
});
