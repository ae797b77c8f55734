/** Who may claim a ready task: what R10 refuses, in the order it is told. */
import { isDeferred } from "./readiness.ts";

export interface Claimable {
  openDependencies: number;
  notBefore: number | null;
  requiredCapabilities: readonly string[];
  assigneeRuntime: string | null;
}

export interface Claimant {
  runtime: string | null;
  capabilities: readonly string[];
  ignoreDependencies?: boolean;
}

export type ClaimObstacle = "not_ready" | "not_before" | "capability_mismatch" | "runtime_mismatch";

/** The first thing that keeps this claimant from this task, or null. */
export function claimObstacle(task: Claimable, claimant: Claimant, now: number): ClaimObstacle | null {
  if (task.openDependencies > 0 && claimant.ignoreDependencies !== true) return "not_ready";
  if (isDeferred(task.notBefore, now)) return "not_before";
  if (missingCapabilities(task, claimant).length > 0) return "capability_mismatch";
  if (task.assigneeRuntime !== null && task.assigneeRuntime !== claimant.runtime) return "runtime_mismatch";
  return null;
}

export function missingCapabilities(
  task: Pick<Claimable, "requiredCapabilities">,
  claimant: Claimant,
): string[] {
  return task.requiredCapabilities.filter((capability) => !claimant.capabilities.includes(capability));
}
