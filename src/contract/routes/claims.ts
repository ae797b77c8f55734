import * as z from "zod";
import * as answers from "../answers.ts";
import {
  claimNextBody,
  claimTaskBody,
  completeTaskBody,
  heartbeatBody,
  heartbeatsBody,
  releaseTaskBody,
  startExecutionBody,
} from "../requests/claims.ts";
import { route } from "../route.ts";
import { cursorQuery, limitQuery } from "../text.ts";

export const claimTask = route({
  id: "claimTask",
  method: "POST",
  path: "/boards/:board/tasks/:id/claim",
  tag: "Claims",
  summary: "Claim a task; one caller wins, a 409 is final",
  role: "worker",
  body: claimTaskBody,
  keyed: true,
  answers: { 200: answers.claimAnswer },
  refuses: [
    "task_not_found",
    "conflict",
    "terminal",
    "not_ready",
    "not_before",
    "capability_mismatch",
    "runtime_mismatch",
    "depth_cap",
    "budget_exhausted",
    "identity_mismatch",
    "board_paused",
    "board_archived",
    "lease_lost",
  ],
});

export const claimNext = route({
  id: "claimNext",
  method: "POST",
  path: "/boards/:board/claims",
  tag: "Claims",
  summary: "Claim the next ready tasks you may have, waiting for some if asked",
  role: "worker",
  body: claimNextBody,
  keyed: true,
  answers: { 200: answers.claimsAnswer },
  refuses: ["board_archived", "lease_lost"],
});

export const heartbeat = route({
  id: "heartbeat",
  method: "POST",
  path: "/boards/:board/tasks/:id/heartbeat",
  tag: "Claims",
  summary: "Prove that you are alive; hear what is asked of you",
  role: "worker",
  body: heartbeatBody,
  answers: { 200: answers.heartbeatAnswer },
  refuses: ["task_not_found", "lease_required", "lease_lost", "identity_mismatch", "board_archived"],
});

export const heartbeats = route({
  id: "heartbeats",
  method: "POST",
  path: "/boards/:board/heartbeats",
  tag: "Claims",
  summary: "Many beats at once, an answer for each",
  role: "worker",
  body: heartbeatsBody,
  answers: { 200: answers.heartbeatsAnswer },
  refuses: ["board_archived"],
});

export const completeTask = route({
  id: "completeTask",
  method: "POST",
  path: "/boards/:board/tasks/:id/complete",
  tag: "Claims",
  summary: "End the run with its outcome",
  role: "worker",
  body: completeTaskBody,
  answers: { 200: answers.completionAnswer },
  refuses: [
    "task_not_found",
    "lease_required",
    "lease_lost",
    "already_closed",
    "identity_mismatch",
    "self_review",
    "illegal_transition",
    "not_ready",
    "verification_required",
    "board_archived",
  ],
});

export const releaseTask = route({
  id: "releaseTask",
  method: "POST",
  path: "/boards/:board/tasks/:id/release",
  tag: "Claims",
  summary: "Give the task back; no attempt is counted",
  role: "worker",
  body: releaseTaskBody,
  answers: { 200: answers.keptTaskAnswer },
  refuses: ["task_not_found", "lease_required", "lease_lost", "identity_mismatch", "board_archived"],
});

export const startExecution = route({
  id: "startExecution",
  method: "POST",
  path: "/boards/:board/tasks/:id/executions",
  tag: "Executions",
  summary: "A lease for whoever holds a task without one",
  role: "worker",
  body: startExecutionBody,
  keyed: true,
  answers: { 201: answers.claimAnswer },
  refuses: [
    "budget_exhausted",
    "task_not_found",
    "already_running",
    "terminal",
    "lease_required",
    "board_archived",
    "lease_lost",
  ],
});

export const listExecutions = route({
  id: "listExecutions",
  method: "GET",
  path: "/boards/:board/tasks/:id/executions",
  tag: "Executions",
  summary: "A task's runs, oldest first",
  role: "viewer",
  query: z.strictObject({ limit: limitQuery, cursor: cursorQuery }),
  answers: { 200: answers.executionsAnswer },
  refuses: ["task_not_found"],
});
