/** The graph as nested lists: below each task what waits for it. A task that waits for several stands below one. */
import type { Shape } from "./shape.ts";

export interface Outline {
  /** What waits for nothing that is shown. */
  roots: readonly number[];
  /** Below which task each one stands with everything below it; null: at the top. */
  home: readonly (number | null)[];
}

export function outlineOf({ count, before, after }: Pick<Shape, "count" | "before" | "after">): Outline {
  const home = before.map((blockers) => (blockers.length === 0 ? null : (blockers[0] as number)));
  const reached = new Set<number>();
  const reach = (root: number) => {
    const queue = [root];
    for (const node of queue) {
      if (reached.has(node)) continue;
      reached.add(node);
      queue.push(...(after[node] as readonly number[]).filter((below) => home[below] === node));
    }
  };
  for (let node = 0; node < count; node++) if (home[node] === null) reach(node);
  // A ring in damaged data hangs below nothing: it is cut before its lowest number.
  for (let node = 0; node < count; node++) {
    if (reached.has(node)) continue;
    home[node] = null;
    reach(node);
  }
  const nodes = home.map((_, node) => node);
  return { roots: nodes.filter((node) => home[node] === null), home };
}
