import * as answers from "../answers.ts";
import { emptyBody, linkDependencyBody } from "../requests/tasks.ts";
import { route } from "../route.ts";

export const linkDependency = route({
  id: "linkDependency",
  method: "POST",
  path: "/boards/:board/tasks/:id/dependencies",
  tag: "Dependencies",
  summary: "Make a task wait for another",
  role: "worker",
  body: linkDependencyBody,
  answers: { 201: answers.taskAnswer, 200: answers.taskAnswer },
  refuses: [
    "task_not_found",
    "dependency_not_found",
    "task_dependency_cycle",
    "terminal",
    "dependent_cap",
    "board_archived",
  ],
});

export const unlinkDependency = route({
  id: "unlinkDependency",
  method: "DELETE",
  path: "/boards/:board/tasks/:id/dependencies/:dependsOnTaskId",
  tag: "Dependencies",
  summary: "Take the edge away",
  role: "worker",
  answers: { 200: answers.taskAnswer },
  refuses: ["task_not_found", "dependency_not_found", "board_archived"],
});

export const listDependents = route({
  id: "listDependents",
  method: "GET",
  path: "/boards/:board/tasks/:id/dependents",
  tag: "Dependencies",
  summary: "Everything that waits for this task, directly or not",
  role: "viewer",
  answers: { 200: answers.dependentsAnswer },
  refuses: ["task_not_found"],
});

export const listAncestors = route({
  id: "listAncestors",
  method: "GET",
  path: "/boards/:board/tasks/:id/ancestors",
  tag: "Dependencies",
  summary: "The chain of parents, nearest first",
  role: "viewer",
  answers: { 200: answers.ancestorsAnswer },
  refuses: ["task_not_found"],
});

export const cancelDependents = route({
  id: "cancelDependents",
  method: "POST",
  path: "/boards/:board/tasks/:id/cancel-dependents",
  tag: "Dependencies",
  summary: "Cancel everything downstream that nobody has started",
  role: "lead",
  body: emptyBody,
  answers: { 200: answers.cancelledAnswer },
  refuses: ["task_not_found", "dependent_cap", "board_archived"],
});
