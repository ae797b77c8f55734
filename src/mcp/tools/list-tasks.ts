import * as z from "zod";
import { SEARCH_TEXT_MAX, TOOL_LIST_DEFAULT, TOOL_LIST_MAX } from "../../contract/limits.ts";
import { accept } from "../../contract/result.ts";
import * as routes from "../../contract/routes/tasks.ts";
import { labels, text } from "../../contract/text.ts";
import { badInput } from "../refusal.ts";
import { Room } from "../room.ts";
import * as shapes from "../shapes.ts";
import { tool } from "../tool.ts";
import { briefOf } from "../wording.ts";

export const listTasks = tool({
  name: "list_tasks",
  title: "List tasks",
  description:
    "Tasks of the board, newest first, in brief. ready: only those that can be claimed now, best first. To take work you need no list: call claim_task.",
  routes: [routes.listTasks],
  reads: true,
  repeats: true,
  input: z.strictObject({
    ready: z.boolean().optional(),
    status: z.array(shapes.status).max(7).optional(),
    mine: z.boolean().optional().describe("Held by you"),
    parent_id: shapes.taskId.optional(),
    labels: labels.optional().describe("Having all of these"),
    query: text(SEARCH_TEXT_MAX).optional().describe("Words in title, description or comments"),
    limit: z.int().min(1).max(TOOL_LIST_MAX).optional().describe(`Default ${TOOL_LIST_DEFAULT}`),
    cursor: z.string().min(1).max(500).optional().describe("next_cursor of the page before"),
  }),
  output: z.object({
    tasks: z.array(shapes.brief),
    next_cursor: z.string().optional(),
    hint: shapes.hint,
  }),

  async run({ board, caller }, input) {
    if (input.ready === true && input.mine === true)
      return badInput("mine", "goes without ready: what is ready is held by nobody");
    const filter = {
      statuses: [...new Set(input.status ?? [])],
      teamId: null,
      parentTaskId: input.parent_id ?? null,
      assigneeAgentId: input.mine === true ? caller.sub : null,
      labels: input.labels ?? [],
      kind: null,
      externalRef: null,
      includeDropped: false,
      tenantId: null,
    };
    const order = input.ready === true ? ("queue" as const) : ("newest" as const);
    const asked = { filter, order, q: input.query ?? null, cursor: input.cursor ?? null };
    let limit = input.limit ?? TOOL_LIST_DEFAULT;
    for (;;) {
      const page = await board.listTasks({ caller }, { ...asked, limit });
      if (!page.ok) return page.reason === "invalid_request" ? badInput("cursor", "not of this list") : page;
      const { nextCursor } = page.value;
      const all = page.value.tasks.map(briefOf);
      const tasks = new Room().takeList(all);
      // A cursor is the board's to make: what does not fit is asked for again, as a shorter page.
      if (tasks.length < all.length) limit = tasks.length;
      else
        return accept({
          tasks,
          ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
          ...hintFor(input, tasks.length, nextCursor !== null),
        });
    }
  },
});

function hintFor(input: { ready?: boolean; mine?: boolean }, count: number, more: boolean) {
  if (more) return { hint: "There is more: call list_tasks again with cursor set to next_cursor." };
  if (count > 0) return {};
  if (input.ready === true)
    return {
      hint: "Nothing is ready now. claim_task says when to ask again; list_tasks shows what is held.",
    };
  if (input.mine === true) return { hint: "You hold nothing. Call claim_task for work." };
  return { hint: "No task is like that." };
}
