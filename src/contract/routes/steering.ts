import * as z from "zod";
import * as answers from "../answers.ts";
import {
  changeWorkspaceBody,
  closeExecutionBody,
  createWorkspaceBody,
  reconcileBody,
  requestChangesBody,
  stopTaskBody,
} from "../requests/steering.ts";
import { route } from "../route.ts";
import { EXECUTION_STATUSES } from "../task.ts";
import { cursorQuery, limitQuery } from "../text.ts";

const HOLDER = ["lease_required", "lease_lost", "identity_mismatch"] as const;

export const stopTask = route({
  id: "stopTask",
  method: "POST",
  path: "/boards/:board/tasks/:id/stop",
  tag: "Steering",
  summary: "Ask the holder to stop, in its next beat",
  role: "lead",
  body: stopTaskBody,
  answers: { 200: answers.taskAnswer },
  refuses: ["task_not_found", "conflict", "board_archived"],
});

export const requestChanges = route({
  id: "requestChanges",
  method: "POST",
  path: "/boards/:board/tasks/:id/request-changes",
  tag: "Steering",
  summary: "Send a task back from its review",
  role: "verifier",
  body: requestChangesBody,
  answers: { 200: answers.taskAnswer },
  refuses: ["task_not_found", "self_review", "illegal_transition", "board_archived"],
});

export const reconcile = route({
  id: "reconcile",
  method: "POST",
  path: "/boards/:board/reconcile",
  tag: "Steering",
  summary: "Run a recovery pass by hand",
  role: "lead",
  body: reconcileBody,
  answers: { 200: answers.reconciledAnswer },
  refuses: ["board_archived"],
});

export const closeExecution = route({
  id: "closeExecution",
  method: "PATCH",
  path: "/boards/:board/executions/:id",
  tag: "Executions",
  summary: "Close a run alone: a release with that outcome",
  role: "worker",
  body: closeExecutionBody,
  answers: { 200: answers.executionAnswer },
  refuses: ["execution_not_found", "task_not_found", ...HOLDER, "board_archived"],
});

export const listRuns = route({
  id: "listRuns",
  method: "GET",
  path: "/boards/:board/executions",
  tag: "Executions",
  summary: "All runs, newest first",
  role: "viewer",
  query: z.strictObject({
    agentId: z.string().max(500).optional(),
    status: z.enum(EXECUTION_STATUSES).optional(),
    limit: limitQuery,
    cursor: cursorQuery,
  }),
  answers: { 200: answers.executionsAnswer },
  refuses: [],
});

export const createWorkspace = route({
  id: "createWorkspace",
  method: "POST",
  path: "/boards/:board/tasks/:id/workspace",
  tag: "Workspaces",
  summary: "Record where a task is worked on",
  role: "worker",
  body: createWorkspaceBody,
  keyed: true,
  answers: { 201: answers.placedWorkspaceAnswer },
  refuses: ["task_not_found", "no_isolation", ...HOLDER, "board_archived"],
});

export const getWorkspace = route({
  id: "getWorkspace",
  method: "GET",
  path: "/boards/:board/tasks/:id/workspace",
  tag: "Workspaces",
  summary: "Where a task is worked on",
  role: "viewer",
  answers: { 200: answers.anyWorkspaceAnswer },
  refuses: ["task_not_found"],
});

export const changeWorkspace = route({
  id: "changeWorkspace",
  method: "PATCH",
  path: "/boards/:board/tasks/:id/workspace",
  tag: "Workspaces",
  summary: "Archive a workspace, or say it is stale",
  role: "worker",
  body: changeWorkspaceBody,
  answers: { 200: answers.workspaceAnswer },
  refuses: ["task_not_found", "conflict", "illegal_transition", ...HOLDER, "board_archived"],
});
