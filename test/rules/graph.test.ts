import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findCycle } from "../../src/rules/graph.ts";

type Edges = Map<string, string[]>;

const graph = (edges: Record<string, string[]>): Edges => new Map(Object.entries(edges));

it.each<{ what: string; edges: Record<string, string[]> }>([
  { what: "an empty graph", edges: {} },
  { what: "a lone node", edges: { a: [] } },
  { what: "a chain", edges: { a: ["b"], b: ["c"], c: [] } },
  { what: "a diamond", edges: { a: ["b", "c"], b: ["d"], c: ["d"], d: [] } },
  { what: "edges to nodes nobody lists", edges: { a: ["x"], b: ["x", "y"] } },
  { what: "the same edge twice", edges: { a: ["b", "b"], b: [] } },
])("$what has no cycle", ({ edges }) => {
  expect(findCycle(graph(edges))).toBeNull();
});

it.each<{ what: string; edges: Record<string, string[]>; cycle: string[] }>([
  { what: "a node that waits for itself", edges: { a: ["a"] }, cycle: ["a", "a"] },
  { what: "a pair", edges: { a: ["b"], b: ["a"] }, cycle: ["a", "b", "a"] },
  {
    what: "a ring at the end of a way in",
    edges: { a: ["b"], b: ["c"], c: ["d"], d: ["b"] },
    cycle: ["b", "c", "d", "b"],
  },
  { what: "a ring behind a dead end", edges: { a: ["x", "b"], b: ["y", "a"] }, cycle: ["a", "b", "a"] },
  { what: "a ring in another part", edges: { a: ["b"], c: ["d"], d: ["c"] }, cycle: ["c", "d", "c"] },
])("$what is told from its first node back to it", ({ edges, cycle }) => {
  expect(findCycle(graph(edges))).toEqual(cycle);
});

/** Follows every path as far as it goes: too slow for a board, too simple to be wrong. */
function hasCycle(edges: Edges): boolean {
  const follow = (node: string, behind: string[]): boolean =>
    behind.includes(node) || (edges.get(node) ?? []).some((next) => follow(next, [...behind, node]));
  return [...edges.keys()].some((node) => follow(node, []));
}

const NODES = ["a", "b", "c", "d", "e", "f"];
const smallGraph = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...NODES), fc.constantFrom(...NODES)), {
    maxLength: 12,
    selector: ([from, to]) => `${from}${to}`,
  })
  .map((pairs) => {
    const edges: Edges = new Map();
    for (const [from, to] of pairs) edges.set(from, [...(edges.get(from) ?? []), to]);
    return edges;
  });

it("finds a cycle exactly where following every path finds one", () => {
  let cyclic = 0;
  fc.assert(
    fc.property(smallGraph, (edges) => {
      const expected = hasCycle(edges);
      if (expected) cyclic++;
      expect(findCycle(edges) !== null).toBe(expected);
    }),
    { seed: 20_26, numRuns: 3_000 },
  );
  // Both kinds have to be common, or the property says little.
  expect(cyclic).toBeGreaterThan(600);
  expect(cyclic).toBeLessThan(2_700);
});

it("what it calls a cycle is one: each step an edge, no node twice but the first", () => {
  fc.assert(
    fc.property(smallGraph, (edges) => {
      const cycle = findCycle(edges);
      if (cycle === null) return;
      const steps = cycle.slice(0, -1);
      expect(cycle.at(-1)).toBe(cycle[0]);
      expect(steps.length).toBeGreaterThan(0);
      expect(new Set(steps).size).toBe(steps.length);
      for (const [index, node] of steps.entries()) expect(edges.get(node)).toContain(cycle[index + 1]);
    }),
    { seed: 20_27, numRuns: 3_000 },
  );
});

it("a chain of 100,000 tasks does not overflow, and its closing edge is found", () => {
  const length = 100_000;
  const chain: Edges = new Map();
  for (let i = 0; i < length; i++) chain.set(`t${i}`, i + 1 < length ? [`t${i + 1}`] : []);
  expect(findCycle(chain)).toBeNull();
  chain.set(`t${length - 1}`, ["t0"]);
  expect(findCycle(chain)).toHaveLength(length + 1);
});

it("many ways to the same nodes are not walked again and again", () => {
  const layers: Edges = new Map();
  for (let i = 0; i < 40; i++) layers.set(`t${i}`, [`t${i + 1}`, `t${i + 2}`]);
  expect(findCycle(layers)).toBeNull();
});

it("the graph it is given stays as it was", () => {
  const edges = graph({ a: ["b"], b: ["a"] });
  findCycle(edges);
  expect(edges).toEqual(graph({ a: ["b"], b: ["a"] }));
});
