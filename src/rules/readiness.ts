/** When a task is ready, and when an edge holds it. One definition, for every list, claim and page. */
import type { OnCancel } from "../contract/task.ts";
import type { TaskStatus } from "./status.ts";

export interface Readiness {
  status: TaskStatus;
  dropped: boolean;
  assigned: boolean;
  openDependencies: number;
  notBefore: number | null;
}

/** Ready does not depend on who looks; whether the one who looks may claim it is `rules/claim.ts`'s. */
export function isReady(task: Readiness, now: number): boolean {
  return (
    task.status === "todo" &&
    !task.dropped &&
    !task.assigned &&
    task.openDependencies === 0 &&
    !isDeferred(task.notBefore, now)
  );
}

export function isDeferred(notBefore: number | null, now: number): boolean {
  return notBefore !== null && notBefore > now;
}

/** A blocker that is done releases its edge, dropped or not; a cancelled one only where the edge says so. */
export function isEdgeSatisfied(blocker: TaskStatus, onCancel: OnCancel): boolean {
  return blocker === "done" || (blocker === "cancelled" && onCancel === "satisfy");
}
