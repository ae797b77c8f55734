import * as z from "zod";
import { explanationAnswer, graphAnswer, STUCK_REASONS, stuckAnswer } from "../insight.ts";
import { GRAPH_DEPTH, GRAPH_DEPTH_MAX, GRAPH_NODES_MAX } from "../limits.ts";
import { route } from "../route.ts";
import { taskStatus } from "../task.ts";
import { cursorQuery, limitQuery, queryFlag, queryInt, repeatable, taskId } from "../text.ts";

const word = z.string().max(500).optional();

export const explainTask = route({
  id: "explainTask",
  method: "GET",
  path: "/boards/:board/tasks/:id/explain",
  tag: "Insight",
  summary: "Why a task is not ready, or not yours to claim; what it waits for, and who must act",
  role: "viewer",
  answers: { 200: explanationAnswer },
  refuses: ["task_not_found"],
});

export const listStuck = route({
  id: "listStuck",
  method: "GET",
  path: "/boards/:board/stuck",
  tag: "Insight",
  summary: "What needs a person, reason by reason",
  role: "viewer",
  query: z.strictObject({
    reason: z.enum(STUCK_REASONS).optional(),
    limit: limitQuery,
    cursor: cursorQuery,
  }),
  answers: { 200: stuckAnswer },
  refuses: [],
});

export const getGraph = route({
  id: "getGraph",
  method: "GET",
  path: "/boards/:board/graph",
  tag: "Insight",
  summary: "Tasks and the edges between them: of a filter, or around a task",
  role: "viewer",
  query: z.strictObject({
    around: taskId.optional().meta({ description: "A task; goes without filters" }),
    depth: queryInt(1, GRAPH_DEPTH_MAX)
      .optional()
      .meta({ description: `How many edges away from \`around\`; ${GRAPH_DEPTH} where it is not given` }),
    status: repeatable(taskStatus).optional(),
    teamId: word,
    parentTaskId: word,
    label: repeatable(z.string().max(500)).optional(),
    kind: word,
    includeDropped: queryFlag.optional(),
    limit: queryInt(1, GRAPH_NODES_MAX).optional().meta({ description: "Nodes at most" }),
  }),
  answers: { 200: graphAnswer },
  refuses: ["task_not_found"],
});
