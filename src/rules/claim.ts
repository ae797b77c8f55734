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

/** Everything that keeps this claimant from this task, the first one first: a refusal tells that one. */
export function claimObstacles(task: Claimable, claimant: Claimant, now: number): ClaimObstacle[] {
  const obstacles: ClaimObstacle[] = [];
  if (task.openDependencies > 0 && claimant.ignoreDependencies !== true) obstacles.push("not_ready");
  if (isDeferred(task.notBefore, now)) obstacles.push("not_before");
  if (missingCapabilities(task, claimant).length > 0) obstacles.push("capability_mismatch");
  if (task.assigneeRuntime !== null && task.assigneeRuntime !== claimant.runtime)
    obstacles.push("runtime_mismatch");
  return obstacles;
}

export function missingCapabilities(
  task: Pick<Claimable, "requiredCapabilities">,
  claimant: Claimant,
): string[] {
  return task.requiredCapabilities.filter((capability) => !claimant.capabilities.includes(capability));
}
