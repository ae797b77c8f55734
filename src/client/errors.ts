/** What can go wrong with a call: the board said no, or nobody knows what became of it. */
import type * as z from "zod";
import type { problem } from "../contract/answers.ts";
import type { Holder } from "../contract/insight.ts";
import type { LeaseLostReason, Reason } from "../contract/reasons.ts";
import type { Task, TaskRef } from "../contract/task.ts";
import type { TaskStatus } from "../rules/status.ts";

/** What some refusals say besides. */
interface Details {
  conflict: { taskStatus: TaskStatus; holder?: Holder | null; retryAfterMs?: number };
  not_ready: { openBlockers: TaskRef[] };
  not_before: { notBefore: number; retryAfterMs: number };
  capability_mismatch: { missing: string[] };
  illegal_transition: { legalTargets: TaskStatus[] };
  lease_lost: { reason: LeaseLostReason };
  stale_epoch: { epoch: number };
  task_dependency_cycle: { path: string[] };
  version_mismatch: { task: Task };
  resync: { oldestSeq: number };
}

/** Members every problem has, by name: whatever else one has is `unknown`. */
type Common = Pick<
  z.output<typeof problem>,
  "type" | "title" | "status" | "detail" | "retryable" | "requestId" | "hint" | "issues"
>;

export type Problem<C extends Reason = Reason> = Common & {
  code: C;
  [more: string]: unknown;
} & (C extends keyof Details ? Details[C] : unknown);

/** The board said no, for good: sending the same again gets the same. */
export class Refused<C extends Reason = Reason> extends Error {
  override readonly name = "Refused";
  readonly code: C;
  readonly status: number;
  /** All the board said, in its own words. */
  readonly problem: Problem<C>;
  readonly retryAfterMs: number | null;

  constructor(problem: Problem<C>, retryAfterMs: number | null = null) {
    super(problem.detail);
    this.code = problem.code;
    this.status = problem.status;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether an error is a refusal for one of these reasons; `problem` then has what they say. */
  static is<C extends Reason>(error: unknown, ...codes: C[]): error is Refused<C> {
    return error instanceof Refused && (codes as Reason[]).includes(error.code);
  }
}

/** No answer could be had. `cause` is what went wrong last. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
  /** `unknown`: what was asked for may have happened all the same. */
  readonly outcome: "unknown" | "nothing_changed";
  readonly attempts: number;

  constructor(message: string, cause: unknown, outcome: Unreachable["outcome"], attempts: number) {
    super(message, { cause });
    this.outcome = outcome;
    this.attempts = attempts;
  }
}

/**
 * Why a lease's signal was aborted: the board said so, or (`unproven`) no beat got through for so long that somebody
 * else may have the task.
 */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
  readonly reason: LeaseLostReason | "unproven";

  constructor(reason: LeaseLost["reason"], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }

  static from(refused: Refused): LeaseLost {
    const reason = Refused.is(refused, "lease_lost") ? refused.problem.reason : "unknown";
    return new LeaseLost(reason, refused.message, refused);
  }
}
