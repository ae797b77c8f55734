/** The lease is the running execution row: how long it lives, and why a token no longer holds it. */
import type { LeaseLostReason } from "../contract/reasons.ts";
import type { ExecutionStatus } from "../contract/task.ts";

export type LeaseState = "live" | "expired";

export function expiresAt(lastBeatAt: number, leaseTtlMs: number): number {
  return lastBeatAt + leaseTtlMs;
}

/** A lease shows as expired from the very millisecond its time is up, swept or not. */
export function leaseState(lastBeatAt: number, leaseTtlMs: number, now: number): LeaseState {
  return now >= expiresAt(lastBeatAt, leaseTtlMs) ? "expired" : "live";
}

export interface EndedExecution {
  status: ExecutionStatus;
  reason: string | null;
  epoch: number;
}

/** Why the token of this execution is dead. `null`: this board never granted it. */
export function lostReason(execution: EndedExecution | null, taskEpoch: number): LeaseLostReason {
  if (execution === null) return "unknown";
  if (taskEpoch > execution.epoch) return "superseded";
  switch (execution.status) {
    case "running":
      return "unknown";
    case "succeeded":
      return "completed";
    case "failed":
      // Nobody completed an orphan: it was given up, like a lease that ran out.
      return execution.reason === "orphan" ? "timed_out" : "completed";
    case "timed_out":
      return "timed_out";
    case "released":
      return "released";
    case "cancelled":
      return execution.reason === "displaced" || execution.reason === "revoked"
        ? execution.reason
        : "cancelled";
  }
}
