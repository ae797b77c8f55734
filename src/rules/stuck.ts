/** What needs a person, why, and what that person can do. */
import type { MustAct, StuckReason } from "../contract/insight.ts";
import { mustActOn } from "./explain.ts";

/** `deadEnd`: with `unreachable`, the blocker that cannot finish. */
export function mustActOnStuck(
  reason: StuckReason,
  number: number,
  deadEnd?: { number: number; dropped: boolean },
): MustAct {
  const name = `n${number}`;
  switch (reason) {
    case "no_lease":
      return mustActOn({ number, standing: "no_lease" });
    case "no_reviewer":
      return mustActOn({ number, standing: "in_review" });
    case "unreachable":
      return deadEnd === undefined
        ? { who: "lead", action: `Unlink ${name} from what cannot finish.` }
        : mustActOn({ number: deadEnd.number, standing: deadEnd.dropped ? "dropped" : "cancelled" });
    case "attempt_limit":
      return { who: "lead", action: `Find out why its attempts failed, then move ${name} to todo.` };
    case "overrun":
      return { who: "lead", action: `Look at what it said last; stop ${name}, or raise maxRunMs.` };
    case "unclaimable":
      return {
        who: "lead",
        action: `Mint a token with the capabilities ${name} requires, or change what it requires.`,
      };
  }
}

/** Whether one token has all that is demanded; having it between them does not help. */
export function isOffered(demand: readonly string[], offers: readonly (readonly string[])[]): boolean {
  return offers.some((offer) => demand.every((capability) => offer.includes(capability)));
}

/** What of the demand no token has at all. */
export function missingEverywhere(
  demand: readonly string[],
  offers: readonly (readonly string[])[],
): string[] {
  const known = new Set(offers.flat());
  return demand.filter((capability) => !known.has(capability));
}

export interface OpenEdge {
  taskId: string;
  blockerId: string;
  /** The blocker is cancelled or dropped, so that this edge stays open for good. */
  dead: boolean;
}

/**
 * From each stranded task the edge that leads the shortest way to a dead end. Edges to blockers that can still
 * finish lead nowhere and are passed over. Damaged edges that go round in a circle do no harm.
 */
export function waysToDeadEnds<E extends OpenEdge>(edges: readonly E[]): Map<string, E> {
  const ways = new Map<string, E>();
  const waiting = Map.groupBy(edges, (edge) => edge.blockerId);
  let layer = edges.filter((edge) => edge.dead);
  while (layer.length > 0) {
    const reached: string[] = [];
    for (const edge of layer) {
      if (ways.has(edge.taskId)) continue;
      ways.set(edge.taskId, edge);
      reached.push(edge.taskId);
    }
    layer = reached.flatMap((id) => waiting.get(id) ?? []);
  }
  return ways;
}

/** The edges from a task to its dead end, its own first. */
export function wayOf<E extends OpenEdge>(ways: ReadonlyMap<string, E>, taskId: string): E[] {
  const way: E[] = [];
  for (let edge = ways.get(taskId); edge !== undefined; edge = ways.get(edge.blockerId)) {
    way.push(edge);
    if (edge.dead) break;
  }
  return way;
}
