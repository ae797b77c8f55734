/** Where the nodes of the graph stand. */
import { describe, expect, it } from "vitest";
import { type Dag, type Layout, NODE_HEIGHT, NODE_WIDTH } from "../../src/web/graph/layout/dag.ts";
import { crossings, layersOf } from "../../src/web/graph/layout/layers.ts";
import { layOut } from "../../src/web/graph/layout/layout.ts";
import { ranksOf } from "../../src/web/graph/layout/ranks.ts";
import { spaced } from "../../src/web/graph/layout/rows.ts";

/** The same plan each time: every task waits for some that came shortly before it. */
function plan(count: number, edges: number): Dag {
  let seed = 7;
  const draw = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const named = new Set<string>();
  while (named.size < edges) {
    const to = 1 + draw(count - 1);
    named.add(`${Math.max(0, to - 1 - draw(40))} ${to}`);
  }
  return { count, edges: [...named].map((name) => name.split(" ").map(Number) as [number, number]) };
}

function overlaps({ x, y }: Layout): number {
  const order = x.map((_, node) => node).sort((a, b) => (x[a] as number) - (x[b] as number));
  let found = 0;
  for (const [at, a] of order.entries())
    for (const b of order.slice(at + 1)) {
      if ((x[b] as number) - (x[a] as number) >= NODE_WIDTH) break;
      if (Math.abs((y[a] as number) - (y[b] as number)) < NODE_HEIGHT) found++;
    }
  return found;
}

describe("a laid out graph", () => {
  it("has everything to the right of what it waits for", () => {
    const dag = plan(200, 300);
    const { x } = layOut(dag);
    for (const [from, to] of dag.edges)
      expect(x[to] as number).toBeGreaterThanOrEqual((x[from] as number) + NODE_WIDTH);
  });

  it("has no two nodes over each other, also where most of them stand alone", () => {
    expect(overlaps(layOut(plan(400, 600)))).toBe(0);
    expect(overlaps(layOut(plan(400, 40)))).toBe(0);
  });

  it("is the same for the same graph", () => {
    expect(layOut(plan(300, 450))).toEqual(layOut(plan(300, 450)));
  });

  it("joins each edge to the sides of its two nodes", () => {
    const dag = plan(60, 90);
    const { x, y, lines } = layOut(dag);
    for (const [index, [from, to]] of dag.edges.entries()) {
      const line = lines[index] as number[];
      expect(line.slice(0, 2)).toEqual([
        (x[from] as number) + NODE_WIDTH,
        (y[from] as number) + NODE_HEIGHT / 2,
      ]);
      expect(line.slice(-2)).toEqual([x[to], (y[to] as number) + NODE_HEIGHT / 2]);
    }
  });

  it("of 1,000 tasks and 1,500 edges takes no second", () => {
    const dag = plan(1_000, 1_500);
    const start = performance.now();
    layOut(dag);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it("stands a chain in one line, and what stands alone beside it", () => {
    const { x, y } = layOut({
      count: 4,
      edges: [
        [0, 1],
        [1, 2],
      ],
    });
    expect(new Set(y.slice(0, 3)).size).toBe(1);
    expect(x.slice(0, 3)).toEqual([...x.slice(0, 3)].sort((a, b) => a - b));
    expect(y[3]).not.toBe(y[0]);
  });

  it("of nothing is nothing", () => {
    expect(layOut({ count: 0, edges: [] })).toMatchObject({ x: [], y: [], lines: [] });
  });
});

describe("ranks", () => {
  it("put what waits for nothing right before what waits for it", () => {
    expect(
      ranksOf({
        count: 4,
        edges: [
          [0, 1],
          [1, 2],
          [3, 2],
        ],
      }),
    ).toEqual([0, 1, 2, 1]);
  });

  it("of damaged edges that form a ring come to an end", () => {
    const ranks = ranksOf({
      count: 4,
      edges: [
        [0, 1],
        [1, 2],
        [2, 1],
        [2, 3],
      ],
    });
    expect(ranks[0]).toBeLessThan(ranks[1] as number);
    expect(ranks[2]).toBeLessThan(ranks[3] as number);
    expect(
      layOut({
        count: 2,
        edges: [
          [0, 1],
          [1, 0],
        ],
      }).x,
    ).toHaveLength(2);
  });
});

describe("the order within a rank", () => {
  it("takes crossings away that do not have to be", () => {
    const dag: Dag = {
      count: 6,
      edges: [
        [0, 5],
        [1, 4],
        [2, 3],
      ],
    };
    const layers = layersOf(dag, [0, 0, 0, 1, 1, 1]);
    expect(
      crossings(layers, [
        [0, 1, 2],
        [3, 4, 5],
      ]),
    ).toBe(3);
    expect(crossings(layers, layers.ranks)).toBe(0);
  });

  it("is never worse than the one it began with", () => {
    const dag = plan(120, 260);
    const ranks = ranksOf(dag);
    const layers = layersOf(dag, ranks);
    const began = layers.ranks.map((rank) => [...rank].sort((a, b) => a - b));
    expect(crossings(layers, layers.ranks)).toBeLessThan(crossings(layers, began));
  });
});

describe("spacing", () => {
  it("leaves alone what does not press on anything", () => {
    expect(spaced([0, 100, 200], [10, 10, 10], 5)).toEqual([0, 100, 200]);
  });

  it("moves what would overlap apart by as little as can be, on both sides", () => {
    expect(spaced([50, 50], [10, 10], 10)).toEqual([40, 60]);
    expect(spaced([50, 50, 50], [10, 10, 10], 0)).toEqual([40, 50, 60]);
  });
});
