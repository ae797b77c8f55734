/** Cycles in a directed graph, for plans and imports: a whole set of edges looked at once. */

/**
 * A cycle as the ids along it, first repeated last, or null where there is none. `edges`: a node to the nodes
 * it waits for. Iterative, so a chain of any length is fine.
 */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const settled = new Set<string>();
  for (const start of edges.keys()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    const pending: { node: string; next: number }[] = [{ node: start, next: 0 }];
    while (pending.length > 0) {
      const top = pending.at(-1) as { node: string; next: number };
      if (top.next === 0) {
        if (settled.has(top.node)) {
          pending.pop();
          continue;
        }
        path.push(top.node);
        onPath.add(top.node);
      }
      const target = edges.get(top.node)?.[top.next];
      top.next++;
      if (target === undefined) {
        settled.add(top.node);
        onPath.delete(top.node);
        path.pop();
        pending.pop();
      } else if (onPath.has(target)) return [...path.slice(path.indexOf(target)), target];
      else if (!settled.has(target)) pending.push({ node: target, next: 0 });
    }
  }
  return null;
}
