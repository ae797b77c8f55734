/** Who may change a task by hand: what a PATCH needs beyond its role. */
import type { TaskStatus } from "./status.ts";

/** Fields a worker may write: what a task says, not where it stands in the plan. */
export const CONTENT_FIELDS = [
  "title",
  "description",
  "priority",
  "labels",
  "kind",
  "notBefore",
  "externalRef",
] as const;

export interface EditRequest {
  role: "worker" | "verifier";
  /** The caller proved with its token that it holds the task. */
  holds: boolean;
  /** The caller created it, and nobody holds it. */
  ownsUnheld: boolean;
  /** The caller held the epoch in question, so the work is its own. */
  builtIt: boolean;
  from: TaskStatus;
  /** Null: no move asked. */
  to: TaskStatus | null;
  /** Names of the other fields. */
  fields: readonly string[];
}

/** Null: allowed. A lead is never asked. */
export function editObstacle(request: EditRequest): "forbidden" | "self_review" | null {
  const { to, from, fields } = request;
  const approves = from === "in_review" && to === "done";
  if (approves && (request.builtIt || request.holds)) return "self_review";
  if (to !== null) {
    const judges = request.role === "verifier" && approves;
    if (!request.holds && !judges) return "forbidden";
  }
  if (fields.length === 0) return null;
  const writable: readonly string[] = request.holds ? [...CONTENT_FIELDS, "blockedReason"] : CONTENT_FIELDS;
  const mayWrite = request.holds || request.ownsUnheld;
  return mayWrite && fields.every((field) => writable.includes(field)) ? null : "forbidden";
}
