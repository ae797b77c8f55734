/** What an event says of a node that is drawn. Whatever changes the shape is read anew instead. */
import type { BoardEvent, EventKind } from "../../contract/events.ts";
import type { TaskStatus } from "../../rules/status.ts";
import type { GraphNode } from "./shape.ts";

const RESHAPES: ReadonlySet<EventKind> = new Set<EventKind>([
  "task_created",
  "task_dropped",
  "task_restored",
  "dependency_linked",
  "dependency_unlinked",
]);

/** An edit may rename a task; one from an import may bring edges. */
export function reshapes({ kind, data }: BoardEvent): boolean {
  if (RESHAPES.has(kind)) return true;
  const fields = data["fields"];
  return data["dependsOn"] !== undefined || (Array.isArray(fields) && fields.includes("title"));
}

/** The status a task has after an event; null: the event says nothing of it. */
export function statusAfter({ kind, data }: BoardEvent): TaskStatus | null {
  switch (kind) {
    case "task_claimed":
      return "in_progress";
    case "status_changed":
    case "execution_completed":
    case "task_released":
    case "changes_requested":
      return data["to"] as TaskStatus;
    default:
      return null;
  }
}

export interface Patch {
  seq: number;
  status: TaskStatus;
  /** Who has just claimed it; null: nobody holds it any more. Not there: as before. */
  agentId?: string | null;
}

export function patchOf(event: BoardEvent): Patch | null {
  const status = statusAfter(event);
  if (status === null) return null;
  const patch = { seq: event.seq, status };
  if (event.kind === "task_claimed") return { ...patch, agentId: String(event.data["agentId"]) };
  return status === "in_progress" || status === "in_review" ? patch : { ...patch, agentId: null };
}

export function patched(node: GraphNode, patch: Patch | undefined): GraphNode {
  if (patch === undefined) return node;
  const { holder, ...rest } = node;
  const kept = patch.agentId === undefined && holder !== undefined ? { holder } : {};
  const claimed =
    typeof patch.agentId === "string"
      ? {
          holder: {
            agentId: patch.agentId,
            epoch: 0,
            heartbeatAt: null,
            expiresAt: null,
            state: "live" as const,
          },
        }
      : {};
  return { ...rest, ...kept, ...claimed, status: patch.status, ready: false };
}
