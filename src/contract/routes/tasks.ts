import * as z from "zod";
import * as answers from "../answers.ts";
import { PLAN_MAX_BYTES, SEARCH_TEXT_MAX } from "../limits.ts";
import {
  addCommentBody,
  changeTaskBody,
  createPlanBody,
  createTaskBody,
  emptyBody,
  setVerificationBody,
} from "../requests/tasks.ts";
import { route } from "../route.ts";
import { taskStatus } from "../task.ts";
import { cursorQuery, limitQuery, queryFlag, repeatable, text } from "../text.ts";

/** Parts of a task that `include` adds. */
const INCLUDES = [
  "comments",
  "executions",
  "ancestors",
  "dependencies",
  "dependents",
  "workspace",
  "verification",
] as const;

const include = z
  .string()
  .transform((value) => value.split(",").filter((part) => part !== ""))
  .pipe(z.array(z.enum(INCLUDES)))
  .optional()
  .meta({ description: `Comma-separated: ${INCLUDES.join(", ")}` });

const word = z.string().max(500).optional();

export const createTask = route({
  id: "createTask",
  method: "POST",
  path: "/boards/:board/tasks",
  tag: "Tasks",
  summary: "Create a task; agents' creates are bounded",
  role: "worker",
  body: createTaskBody,
  keyed: true,
  answers: { 201: answers.taskAnswer },
  refuses: [
    "parent_not_found",
    "dependency_not_found",
    "child_cap",
    "depth_cap",
    "dependent_cap",
    "root_rate_cap",
    "duplicate",
    "board_archived",
  ],
});

export const createPlan = route({
  id: "createPlan",
  method: "POST",
  path: "/boards/:board/plans",
  tag: "Tasks",
  summary: "Create many tasks and their edges: all or nothing",
  role: "lead",
  body: createPlanBody,
  maxBytes: PLAN_MAX_BYTES,
  keyed: true,
  answers: { 201: answers.planAnswer, 200: answers.planAnswer },
  refuses: [
    "parent_not_found",
    "dependency_not_found",
    "dependent_cap",
    "task_dependency_cycle",
    "parent_cycle",
    "duplicate",
    "board_archived",
  ],
});

export const listTasks = route({
  id: "listTasks",
  method: "GET",
  path: "/boards/:board/tasks",
  tag: "Tasks",
  summary: "Tasks, newest first; `ready=true` in the order they are handed out",
  role: "viewer",
  query: z.strictObject({
    ready: queryFlag.optional(),
    mine: queryFlag.optional(),
    status: repeatable(taskStatus).optional(),
    teamId: word,
    parentTaskId: word,
    assigneeAgentId: word,
    label: repeatable(z.string().max(500)).optional(),
    kind: word,
    externalRef: word,
    tenantId: word,
    q: text(SEARCH_TEXT_MAX).optional().meta({
      description:
        "Full text: every white-space separated term has to stand, as it is but in any case, somewhere in the title, the description or a comment",
    }),
    includeDropped: queryFlag.optional(),
    order: z.enum(["newest", "oldest", "queue"]).optional(),
    limit: limitQuery,
    cursor: cursorQuery,
  }),
  answers: { 200: answers.tasksAnswer },
  refuses: [],
});

export const getTask = route({
  id: "getTask",
  method: "GET",
  path: "/boards/:board/tasks/:id",
  tag: "Tasks",
  summary: "One task, by uuid or `n` and its number",
  role: "viewer",
  query: z.strictObject({ include }),
  answers: { 200: answers.taskDetailAnswer },
  refuses: ["task_not_found"],
});

export const changeTask = route({
  id: "changeTask",
  method: "PATCH",
  path: "/boards/:board/tasks/:id",
  tag: "Tasks",
  summary: "Move and edit, both or neither",
  role: "worker",
  body: changeTaskBody,
  conditional: true,
  answers: { 200: answers.taskAnswer },
  refuses: [
    "task_not_found",
    "override_forbidden",
    "claim_required",
    "lease_required",
    "lease_lost",
    "identity_mismatch",
    "self_review",
    "version_mismatch",
    "illegal_transition",
    "not_ready",
    "verification_required",
    "parent_not_found",
    "parent_cycle",
    "duplicate",
    "dependent_cap",
    "board_archived",
  ],
});

export const dropTask = route({
  id: "dropTask",
  method: "DELETE",
  path: "/boards/:board/tasks/:id",
  tag: "Tasks",
  summary: "Drop a task; restoring undoes it",
  role: "lead",
  answers: { 200: answers.taskAnswer },
  refuses: ["task_not_found", "board_archived"],
});

export const restoreTask = route({
  id: "restoreTask",
  method: "POST",
  path: "/boards/:board/tasks/:id/restore",
  tag: "Tasks",
  summary: "Bring a dropped task back",
  role: "lead",
  body: emptyBody,
  answers: { 200: answers.taskAnswer },
  refuses: ["task_not_found", "duplicate", "board_archived"],
});

export const addComment = route({
  id: "addComment",
  method: "POST",
  path: "/boards/:board/tasks/:id/comments",
  tag: "Tasks",
  summary: "Say something on a task",
  role: "worker",
  body: addCommentBody,
  keyed: true,
  answers: { 201: answers.commentAnswer },
  refuses: ["task_not_found", "board_archived"],
});

export const listComments = route({
  id: "listComments",
  method: "GET",
  path: "/boards/:board/tasks/:id/comments",
  tag: "Tasks",
  summary: "What was said, oldest first",
  role: "viewer",
  query: z.strictObject({ limit: limitQuery, cursor: cursorQuery }),
  answers: { 200: answers.commentsAnswer },
  refuses: ["task_not_found"],
});

export const setVerification = route({
  id: "setVerification",
  method: "PUT",
  path: "/boards/:board/tasks/:id/verification",
  tag: "Verification",
  summary: "Record a verdict on the present attempt",
  role: "verifier",
  body: setVerificationBody,
  answers: { 200: answers.keptTaskAnswer },
  refuses: [
    "task_not_found",
    "stale_epoch",
    "self_review",
    "lease_required",
    "lease_lost",
    "identity_mismatch",
    "board_archived",
  ],
});

export const getVerification = route({
  id: "getVerification",
  method: "GET",
  path: "/boards/:board/tasks/:id/verification",
  tag: "Verification",
  summary: "The verdict on a task",
  role: "viewer",
  answers: { 200: answers.verificationAnswer },
  refuses: ["task_not_found"],
});
