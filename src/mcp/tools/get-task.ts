import * as z from "zod";
import type { Include } from "../../board/operations/get-task.ts";
import { accept } from "../../contract/result.ts";
import * as routes from "../../contract/routes/tasks.ts";
import { count } from "../../contract/text.ts";
import { fillPage, readPlace, writePlace } from "../pages.ts";
import { badInput } from "../refusal.ts";
import { Room } from "../room.ts";
import * as shapes from "../shapes.ts";
import { headOf } from "../task-head.ts";
import { INCLUDES, sectionsOf } from "../task-sections.ts";
import { tool } from "../tool.ts";

/** What of it comes along with the task itself. */
const BOARD_INCLUDES: Record<(typeof INCLUDES)[number], Include[]> = {
  verdict: [],
  deps: ["dependencies"],
  ancestors: [],
  runs: [],
  comments: [],
};

const text = z.string().optional();

export const getTask = tool({
  name: "get_task",
  title: "Look at a task",
  description:
    "Everything about one task. include adds its verdict, what it waits for, its parents, its runs with summaries and handoffs, its comments, oldest first. What is too long is cut: call again with cursor set to next_cursor, and the same include, for the rest.",
  routes: [routes.getTask, routes.listComments],
  reads: true,
  repeats: true,
  input: z.strictObject({
    task_id: shapes.taskId.describe("Such as n12"),
    include: z.array(z.enum(INCLUDES)).max(INCLUDES.length).optional(),
    comments_after: count.optional().describe("Only comments with a higher id"),
    cursor: z.string().min(1).max(100).optional(),
  }),
  output: z.object({
    task: shapes.brief.extend({
      epoch: z.number(),
      parent_id: text,
      labels: z.array(z.string()).optional(),
      required_capabilities: z.array(z.string()).optional(),
      kind: text,
      created_by: text,
      not_before: text,
      description: text,
      blocked_reason: text,
      cut: z.boolean().optional(),
    }),
    verdict: shapes.rows.optional(),
    deps: shapes.rows.optional(),
    ancestors: shapes.rows.optional(),
    runs: shapes.rows.optional(),
    comments: shapes.rows.optional(),
    next_cursor: text,
    truncated: z.array(z.string()).optional(),
    hint: shapes.hint,
  }),

  async run(session, { task_id: id, include = [], comments_after: commentsAfter = 0, cursor }) {
    const wanted = [...new Set(include)];
    const asked: Include[] = ["ancestors", "verification", ...wanted.flatMap((part) => BOARD_INCLUDES[part])];
    const found = await session.board.getTask({ caller: session.caller }, { id, include: asked });
    if (!found.ok) return found;
    const sections = sectionsOf(session, found.value, wanted, commentsAfter);
    const from = cursor === undefined ? null : readPlace(cursor, sections);
    if (cursor !== undefined && from === null)
      return badInput("cursor", "not of this task with this include");
    const room = new Room();
    const head = headOf(found.value);
    room.take(head.fixed);
    const { shown, next } = await fillPage(room, sections, from);
    const { task: texts = [], ...parts } = shown;
    const truncated = [
      ...head.truncated,
      ...(found.value.truncated?.includes("dependencies") === true ? ["deps"] : []),
    ];
    return accept({
      task: { ...head.fixed, ...texts[0] },
      ...(parts as Record<(typeof INCLUDES)[number], Record<string, unknown>[]>),
      ...(next === null ? {} : { next_cursor: writePlace(next), hint: MORE }),
      ...(truncated.length === 0 ? {} : { truncated }),
    });
  },
});

const MORE = "There is more: call get_task again with cursor set to next_cursor and the same include.";
