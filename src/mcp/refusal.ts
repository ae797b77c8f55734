/** A refusal as a model hears it: the code, what happened, and the next call to make. */
import type { Holder } from "../contract/insight.ts";
import type { Reason } from "../contract/reasons.ts";
import { type Refusal, refuse } from "../contract/result.ts";
import type { Task, TaskRef } from "../contract/task.ts";
import { retryAfterOf } from "../http/problem.ts";
import { clean, moment, nameOf } from "./wording.ts";

/** Some clients cut what is longer. */
const LONGEST = 1_500;
const SHOWN = 10;
const OTHER_WORK = "Call claim_task without task_id for other work.";

/** The next call, where the board's own hint does not speak of tools. */
const NEXT: Partial<Record<Reason, string>> = {
  conflict: `Do not retry this task. ${OTHER_WORK}`,
  terminal: `Do not retry this task. ${OTHER_WORK}`,
  not_ready: `Do not retry it now. ${OTHER_WORK}`,
  not_before: OTHER_WORK,
  capability_mismatch: "Call claim_task without task_id: it skips what you may not have.",
  runtime_mismatch: "Call claim_task without task_id: it skips what you may not have.",
  depth_cap: "Create it under a task higher up, or ask a lead.",
  board_paused: "Nothing is handed out for now. Wait a minute before you ask again.",
  claim_required: "Call claim_task with this task_id.",
  lease_required: "Send the lease_token that claim_task returned; only the holder of a task may do this.",
  lease_lost:
    "Stop working on this task and change nothing more for it. Call claim_task, with a new client_key if you send one, if you still want it.",
  already_closed: "Its first outcome stands. Do not call finish_task for it again.",
  verification_required: "Finish with outcome in_review, and let another agent call review_task.",
  self_review: "Leave it to another agent.",
  stale_epoch: "Call get_task, judge its present attempt and send the epoch it shows.",
  version_mismatch: "Call get_task, decide anew, and send the rev it shows.",
  task_not_found: "Call list_tasks to see what there is.",
  root_rate_cap: "Create subtasks of a task you work on (parent_id), or ask a lead.",
  idempotency_mismatch: "Use a new client_key for a new call.",
  token_revoked: "Stop, and ask a lead for a new token.",
};

export function tellRefusal(refusal: Refusal): string {
  const wait = retryAfterOf(refusal.reason);
  const ownHint = refusal.extra?.["hint"];
  const next =
    wait === null
      ? (NEXT[refusal.reason] ?? (typeof ownHint === "string" ? ownHint : null))
      : `Wait ${wait} s, then send the same call again, with the same client_key where there is one.`;
  const facts = factsOf(refusal.detail, refusal.extra ?? {});
  const told = [refusal.detail, ...facts, ...(next === null ? [] : [next])];
  return clean(`${refusal.reason}: ${told.join(" ")}`).slice(0, LONGEST);
}

/** A refusal that comes after something else was done by the same call. */
export function afterDoing(done: readonly string[], refusal: Refusal): Refusal {
  if (done.length === 0) return refusal;
  return { ...refusal, detail: `Already done by this call: ${done.join(", ")}. Then: ${refusal.detail}` };
}

export function badInput(path: string, message: string): Refusal {
  return refuse("invalid_request", "The arguments are not valid.", { issues: [{ path, message }] });
}

function factsOf(detail: string, extra: Record<string, unknown>): string[] {
  const told = <T>(name: string, tell: (value: T) => string | null): string[] => {
    const value = extra[name];
    const text = value === undefined || value === null ? null : tell(value as T);
    return text === null ? [] : [text];
  };
  return [
    ...told<{ path: string; message: string }[]>("issues", (issues) =>
      list(
        issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)),
        "; ",
      ),
    ),
    ...told<Holder>("holder", ({ expiresAt, state }) => {
      if (expiresAt === null) return null;
      return `Its lease ${state === "expired" ? "ran" : "runs"} out at ${moment(expiresAt)}.`;
    }),
    ...told<TaskRef[]>("openBlockers", (open) => `It waits for ${list(open.map(nameOf), ", ")}.`),
    ...told<string[]>("legalTargets", (legal) =>
      legal.length === 0 ? "It cannot be moved any more." : `Legal from there: ${legal.join(", ")}.`,
    ),
    ...told<string[]>("path", (path) => `The ring: ${list(path, " -> ")}.`),
    ...told<string[]>("missing", (missing) => `Missing: ${list(missing, ", ")}.`),
    ...told<string>("taskId", (id) => `It is task ${id}.`),
    ...told<Task>("task", (task) => `It is at rev ${task.version} now, ${task.status}.`),
    ...told<string>("taskStatus", (status) => (detail.includes(status) ? null : `The task is ${status}.`)),
    ...told<number>("notBefore", (at) => `It is offered from ${moment(at)} on.`),
  ];
}

function list(all: readonly string[], between: string): string {
  const rest = all.length - SHOWN;
  return rest > 0 ? `${all.slice(0, SHOWN).join(between)} and ${rest} more` : all.join(between);
}
