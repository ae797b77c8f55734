/** Where a task stands on its way to done, and who has to act so that it moves on. */
import type { MustAct } from "../contract/insight.ts";
import type { Reason } from "../contract/reasons.ts";
import type { LeaseState } from "./lease.ts";
import { isDeferred } from "./readiness.ts";
import type { TaskStatus } from "./status.ts";

/** Those that need a person come first: of several blockers the first of these decides who must act. */
const STANDINGS = [
  "cancelled",
  "dropped",
  "blocked",
  "backlog",
  "no_lease",
  "in_review",
  "ready",
  "running",
  "expired",
  "deferred",
  "waiting",
  "done",
] as const;

export type Standing = (typeof STANDINGS)[number];

export interface Stance {
  status: TaskStatus;
  dropped: boolean;
  assigned: boolean;
  openDependencies: number;
  notBefore: number | null;
  /** Of its running execution; null: it has none. */
  lease: LeaseState | null;
}

/** A task that is done stands as done, dropped or not: what waits for it is served. */
export function standingOf(task: Stance, now: number): Standing {
  if (task.status === "done") return "done";
  if (task.dropped) return "dropped";
  if (task.status === "in_progress")
    return task.lease === null ? "no_lease" : task.lease === "expired" ? "expired" : "running";
  if (task.status !== "todo") return task.status;
  if (task.assigned) return "no_lease";
  if (task.openDependencies > 0) return "waiting";
  return isDeferred(task.notBefore, now) ? "deferred" : "ready";
}

export interface Placed {
  number: number;
  standing: Standing;
}

/** Who moves a task that stands like this, and how. */
export function mustActOn({ number, standing }: Placed): MustAct {
  const name = `n${number}`;
  switch (standing) {
    case "cancelled":
      return { who: "lead", action: `Unlink ${name}: it was cancelled and will never be done.` };
    case "dropped":
      return { who: "lead", action: `Restore ${name}, or unlink it from what waits for it.` };
    case "blocked":
      return { who: "lead", action: `Clear what blocks ${name}, then move it to todo.` };
    case "backlog":
      return { who: "lead", action: `Move ${name} to todo.` };
    case "no_lease":
      return {
        who: "holder",
        action: `Finish ${name} by hand, start a run of it, or move it back to todo.`,
      };
    case "in_review":
      return { who: "reviewer", action: `Review ${name}: approve it or request changes.` };
    case "ready":
      return { who: "agent", action: `Claim ${name} and finish it.` };
    case "running":
      return { who: "holder", action: `Finish ${name}, or release it.` };
    case "expired":
      return { who: "clock", action: `Wait: the next sweep takes ${name} from its silent holder.` };
    case "deferred":
      return { who: "clock", action: `Wait: ${name} is offered when its notBefore has passed.` };
    case "waiting":
      return { who: "agent", action: `Finish what ${name} waits for.` };
    case "done":
      return { who: "nobody", action: `Nothing: ${name} is done.` };
  }
}

/** Of these the one that needs somebody most, the first of several; null when there is none. */
export function gravest<T extends Placed>(tasks: readonly T[]): T | null {
  for (const standing of STANDINGS) {
    const found = tasks.find((task) => task.standing === standing);
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * Who has to act on what a claim of `task` is refused with. `frontier`: of all it waits for, what has to move
 * now; empty while something is waited for means that the edges go round in a circle.
 */
export function mustActOnRefusal(code: Reason, task: Placed, frontier: readonly Placed[]): MustAct {
  const name = `n${task.number}`;
  switch (code) {
    case "forbidden":
      return { who: "lead", action: "Mint a token of role worker or above: a viewer only reads." };
    case "board_archived":
      return { who: "lead", action: "Take the board out of the archive." };
    case "task_not_found":
      return { who: "lead", action: `Restore ${name}.` };
    case "board_paused":
      return { who: "lead", action: "Resume the board." };
    case "terminal":
      return { who: "nobody", action: `Nothing: ${name} has ended for good.` };
    case "conflict":
      return mustActOn(task);
    case "not_ready": {
      const blocker = gravest(frontier);
      return blocker === null
        ? { who: "lead", action: "Unlink an edge of the circle in which these tasks wait for each other." }
        : mustActOn(blocker);
    }
    case "not_before":
      return { who: "clock", action: `Wait: ${name} is offered when its notBefore has passed.` };
    case "capability_mismatch":
      return { who: "agent", action: `Leave ${name} to an agent whose token has these capabilities.` };
    case "runtime_mismatch":
      return { who: "agent", action: `Leave ${name} to an agent of the runtime it is reserved for.` };
    case "depth_cap":
      return { who: "lead", action: `Claim ${name} with ignoreDepth, move it up, or raise caps.maxDepth.` };
    case "budget_exhausted":
      return { who: "lead", action: "Raise the budget that is spent." };
    default:
      return { who: "lead", action: `See to ${name}: ${code}.` };
  }
}
