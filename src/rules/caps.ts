/** Guarded creation: how many children, how deep, how fast. Every count comes from stored rows. */
import type { Settings } from "../contract/settings.ts";

type Caps = Settings["caps"];

/** `parentDepth`: how many ancestors the parent has; a root has none. */
export function subtaskObstacle(
  caps: Caps,
  parentDepth: number,
  children: number,
): "depth_cap" | "child_cap" | null {
  if (parentDepth >= caps.maxDepth) return "depth_cap";
  if (children >= caps.maxChildren) return "child_cap";
  return null;
}

export function rootObstacle(caps: Caps, rootsInWindow: number): "root_rate_cap" | null {
  return rootsInWindow >= caps.maxRootCreates ? "root_rate_cap" : null;
}

/** The deepest task that can be created is also the deepest that can be claimed. */
export function isTooDeep(caps: Caps, ancestors: number): boolean {
  return ancestors > caps.maxDepth;
}
