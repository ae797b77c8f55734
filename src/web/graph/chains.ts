/** What holds what up: the longest chain of open work, and all that one task waits for. */

/** The open edges of a graph, both ways: a node to the nodes it waits for, and to those that wait for it. */
export interface OpenEdges {
  before: readonly (readonly number[])[];
  after: readonly (readonly number[])[];
}

/** The longest chain along open edges, from its first task to its last; empty where nothing waits. */
export function longestChain({ before, after }: OpenEdges): number[] {
  const waits = before.map((nodes) => nodes.length);
  const length = before.map(() => 1);
  const from = before.map(() => -1);
  const queue = waits.flatMap((open, node) => (open === 0 ? [node] : []));
  let last = -1;
  // In damaged data the members of a ring are never reached, and belong to no chain.
  for (const node of queue) {
    const longest = last === -1 ? 1 : (length[last] as number);
    const own = length[node] as number;
    if (own > longest || (own === longest && own > 1 && node < last)) last = node;
    for (const to of after[node] as number[]) {
      if (own + 1 > (length[to] as number)) {
        length[to] = own + 1;
        from[to] = node;
      }
      waits[to] = (waits[to] as number) - 1;
      if (waits[to] === 0) queue.push(to);
    }
  }
  const chain: number[] = [];
  for (let at = last; at !== -1; at = from[at] as number) chain.unshift(at);
  return chain;
}

export interface Upstream {
  /** Everything open that a node waits for, directly or not, without itself. */
  nodes: ReadonlySet<number>;
  /** Of those, what waits for nothing open itself: what has to move now. */
  first: readonly number[];
}

export function upstreamOf({ before }: Pick<OpenEdges, "before">, node: number): Upstream {
  const nodes = new Set<number>();
  const queue = [...(before[node] as number[])];
  for (const at of queue) {
    if (nodes.has(at) || at === node) continue;
    nodes.add(at);
    queue.push(...(before[at] as number[]));
  }
  const first = [...nodes].filter((at) => before[at]?.length === 0).sort((a, b) => a - b);
  return { nodes, first };
}
