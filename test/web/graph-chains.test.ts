/** Which tasks hold up others. */
import { expect, it } from "vitest";
import { longestChain, type OpenEdges, upstreamOf } from "../../src/web/graph/chains.ts";

function open(count: number, ...edges: [from: number, to: number][]): OpenEdges {
  const before: number[][] = Array.from({ length: count }, () => []);
  const after: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) {
    before[to]?.push(from);
    after[from]?.push(to);
  }
  return { before, after };
}

it("the longest chain is told from its first task to its last", () => {
  expect(longestChain(open(6, [0, 1], [1, 2], [3, 2], [2, 5], [3, 4]))).toEqual([0, 1, 2, 5]);
});

it("of two chains that are as long, the one that ends in the lower number is told", () => {
  expect(longestChain(open(4, [1, 3], [0, 2]))).toEqual([0, 2]);
});

it("where nothing waits there is no chain", () => {
  expect(longestChain(open(3))).toEqual([]);
});

it("a ring in damaged data belongs to no chain and holds nothing up", () => {
  expect(longestChain(open(4, [0, 1], [1, 0], [2, 3]))).toEqual([2, 3]);
  expect([...upstreamOf(open(2, [0, 1], [1, 0]), 1).nodes]).toEqual([0]);
});

it("a task waits for all upstream of it, and first of all for what waits for nothing", () => {
  const edges = open(6, [0, 2], [1, 2], [2, 3], [4, 5]);
  const { nodes, first } = upstreamOf(edges, 3);
  expect([...nodes].sort()).toEqual([0, 1, 2]);
  expect(first).toEqual([0, 1]);
  expect(upstreamOf(edges, 4).nodes.size).toBe(0);
});
