import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { STUCK_REASONS } from "../../src/contract/insight.ts";
import {
  isOffered,
  missingEverywhere,
  mustActOnStuck,
  type OpenEdge,
  wayOf,
  waysToDeadEnds,
} from "../../src/rules/stuck.ts";

const edge = (taskId: string, blockerId: string, dead = false): OpenEdge => ({ taskId, blockerId, dead });

const blockers = (edges: OpenEdge[], taskId: string) =>
  wayOf(waysToDeadEnds(edges), taskId).map(({ blockerId }) => blockerId);

describe("who must act on a stuck task", () => {
  it("is told for every reason, in a sentence that names a task", () => {
    for (const reason of STUCK_REASONS)
      expect(mustActOnStuck(reason, 4)).toEqual({
        who: expect.stringMatching(/^(lead|holder|reviewer)$/),
        action: expect.stringMatching(/^[A-Z].*\bn4\b.*\.$/),
      });
  });

  it("is a lead where a blocker cannot finish: restore what was dropped, unlink what was cancelled", () => {
    const act = (dropped: boolean) => mustActOnStuck("unreachable", 4, { number: 2, dropped });
    expect(act(true)).toEqual({ who: "lead", action: expect.stringContaining("Restore n2") });
    expect(act(false)).toEqual({ who: "lead", action: expect.stringContaining("Unlink n2") });
  });
});

describe("the way to a dead end", () => {
  it("leads from a task over what it waits for to what cannot finish", () => {
    const edges = [edge("c", "b"), edge("b", "a"), edge("a", "gone", true)];
    expect(blockers(edges, "c")).toEqual(["b", "a", "gone"]);
    expect(blockers(edges, "a")).toEqual(["gone"]);
  });

  it("is the shortest of several, and passes over what can still finish", () => {
    const edges = [
      edge("d", "alive"),
      edge("d", "c"),
      edge("d", "near"),
      edge("c", "gone", true),
      edge("near", "c"),
      edge("d", "lost", true),
    ];
    expect(blockers(edges, "d")).toEqual(["lost"]);
    expect(blockers(edges.slice(0, -1), "d")).toEqual(["c", "gone"]);
    expect(blockers([edge("d", "alive")], "d")).toEqual([]);
  });

  it("ends in damaged edges that go round in a circle", () => {
    const edges = [edge("a", "b"), edge("b", "a"), edge("b", "gone", true), edge("a", "a")];
    expect(blockers(edges, "a")).toEqual(["b", "gone"]);
    expect(waysToDeadEnds([edge("a", "b"), edge("b", "a")]).size).toBe(0);
  });

  it("is found for exactly the tasks that can reach one, whatever the edges", () => {
    const some = fc.array(fc.tuple(fc.nat(9), fc.nat(12)), { maxLength: 30 });
    fc.assert(
      fc.property(some, (pairs) => {
        // From 10 on nothing can finish.
        const edges = pairs.map(([from, to]) => edge(`t${from}`, `t${to}`, to > 9));
        const reached = new Set<string>();
        for (let size = -1; size < reached.size; ) {
          size = reached.size;
          for (const { taskId, blockerId, dead } of edges)
            if (dead || reached.has(blockerId)) reached.add(taskId);
        }
        const ways = waysToDeadEnds(edges);
        expect(new Set(ways.keys())).toEqual(reached);
        for (const id of reached) {
          const way = wayOf(ways, id);
          expect(way[0]?.taskId).toBe(id);
          expect(way.map(({ dead }) => dead)).toEqual(way.map((_, index) => index === way.length - 1));
          for (const [index, step] of way.entries())
            expect(step.taskId).toBe(index === 0 ? id : way[index - 1]?.blockerId);
        }
      }),
      { numRuns: 300, seed: 20_36 },
    );
  });
});

describe("a demand", () => {
  it("is met by one token that has all of it, not by several between them", () => {
    const demand = ["gpu", "rust"];
    expect(isOffered(demand, [["gpu"], ["rust"]])).toBe(false);
    expect(isOffered(demand, [["gpu"], ["web", "rust", "gpu"]])).toBe(true);
    expect(isOffered(demand, [])).toBe(false);
    expect(isOffered(["GPU"], [["gpu"]])).toBe(false);
  });

  it("tells apart what nobody has from what nobody has together", () => {
    expect(missingEverywhere(["gpu", "rust"], [["gpu"], ["rust"]])).toEqual([]);
    expect(missingEverywhere(["gpu", "rust", "web"], [["gpu"]])).toEqual(["rust", "web"]);
  });
});
